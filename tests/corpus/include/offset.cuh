#pragma once
#include "deeper/more.cuh"
__device__ inline float with_offset(float x) { return x + 20; }
