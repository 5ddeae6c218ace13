// kernel: ramp
// out: unsigned
// backend: nvcc
// expect: 5*i
#include <unistd.h>
#include <sys/time.h>
static double now() {
  struct timeval time;
  gettimeofday(&time, NULL);
  return time.tv_sec + 1e-6 * time.tv_usec + getpid();
}
double elapsed() { return now(); }
__global__ void ramp(unsigned* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = 5 * threadIdx.x;
}
