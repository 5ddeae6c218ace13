extern "C" __global__ void number(int* out) { *out = NUMBER; }
