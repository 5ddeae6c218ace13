// For sources that declare surface references, before their first line.
#ifndef KILN_SURFACE_H
#define KILN_SURFACE_H

#include <kiln_reference_space.h>
#include <kiln_surface_references.h>

#ifdef KILN_ANNOTATED_REFERENCES
template <class T, int dimensions = cudaSurfaceType1D>
using surface = kiln_surface<T, dimensions>;
#else
#define surface KILN_REFERENCE_SPACE kiln_surface
#endif

#endif
