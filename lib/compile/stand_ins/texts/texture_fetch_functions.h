// A header of CUDA before 12: the functions of texture references, which need no include.
#ifndef KILN_TEXTURE_FETCH_FUNCTIONS_H
#define KILN_TEXTURE_FETCH_FUNCTIONS_H

#include <kiln_texture_references.h>

#endif
