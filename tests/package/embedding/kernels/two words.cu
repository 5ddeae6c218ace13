#include "../beside.h"
extern "C" __global__ void number(int* out) { *out = 1000 + BESIDE; }
