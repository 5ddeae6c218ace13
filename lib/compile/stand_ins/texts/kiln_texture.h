// For sources that declare texture references, before their first line.
#ifndef KILN_TEXTURE_H
#define KILN_TEXTURE_H

#include <kiln_reference_space.h>
#include <kiln_texture_references.h>

#ifdef KILN_ANNOTATED_REFERENCES
template <class T, int dimensions = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
using texture = kiln_texture<T, dimensions, mode>;
#else
#define texture KILN_REFERENCE_SPACE kiln_texture
#endif

#endif
