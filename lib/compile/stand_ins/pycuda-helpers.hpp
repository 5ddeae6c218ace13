// PyCUDA's helpers, without the functions that read texture and surface references (CUDA 12 has none).
#ifndef KILN_PYCUDA_HELPERS_HPP
#define KILN_PYCUDA_HELPERS_HPP

#include <pycuda-complex.hpp>

typedef float fp_tex_float;
typedef int2 fp_tex_double;
typedef uint2 fp_tex_cfloat;
typedef int4 fp_tex_cdouble;

#endif
