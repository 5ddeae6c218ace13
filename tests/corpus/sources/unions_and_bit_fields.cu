// kernel: look
// out: unsigned
// expect: 1065353216 5 3 16
union Word { float f; unsigned u; };
struct Flags { unsigned low : 3; unsigned high : 5; };
struct __align__(16) Wide { float x; };
__global__ void look(unsigned* out, int n) {
  if (threadIdx.x != 0) return;
  Word word;
  word.f = 1.0f;
  Flags flags = {5, 3};
  out[0] = word.u;
  out[1] = flags.low;
  out[2] = flags.high;
  for (int i = 3; i < n; ++i) out[i] = sizeof(Wide);
}
