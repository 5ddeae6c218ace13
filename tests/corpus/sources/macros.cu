// kernel: made
// out: float
// options: -DMAKE=made -DTYPE=float -DFACTOR=4 -D FLAG --define-macro=SHIFT=(1+1)
// expect: 4*i+2
#ifndef FLAG
#error "FLAG is missing"
#endif
#define STEP(x) ((x) * FACTOR)
__global__ void MAKE(TYPE* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = STEP(threadIdx.x) + SHIFT;
}
