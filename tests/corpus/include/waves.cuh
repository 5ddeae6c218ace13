#pragma once
#include <pycuda-complex.hpp>
typedef pycuda::complex<float> Wave;
__device__ inline Wave quarter_turn(Wave wave) { return wave * Wave(0, 1); }
