// A header of CUDA before 12: the functions of surface references, which need no include.
#ifndef KILN_SURFACE_FUNCTIONS_H
#define KILN_SURFACE_FUNCTIONS_H

#include <kiln_surface_references.h>

#endif
