// For --pre-include, where a source uses cuComplex and its functions without an #include of their header.
#ifndef KILN_CUCOMPLEX_H
#define KILN_CUCOMPLEX_H

#include <cuComplex.h>

#endif
