// Calls, recursion, pointers to functions, virtual functions, switches, early exits.
#include "rows.cuh"

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
struct Pair {
  unsigned a;
  unsigned long long b;
  unsigned char c[5];
};
__device__ __noinline__ Pair swapped(Pair p, unsigned times) {
  if (times == 0) return p;
  Pair q{unsigned(p.b >> 3), p.a * 5ull, {p.c[4], p.c[3], p.c[2], p.c[1], p.c[0]}};
  return swapped(q, times - 1);
}
__device__ __noinline__ unsigned f0(unsigned x) { return x * 3; }
__device__ __noinline__ unsigned f1(unsigned x) { return x ^ 0x55; }
__device__ __noinline__ unsigned f2(unsigned x) { return __popc(x); }
__device__ __noinline__ unsigned f3(unsigned x) { return x > 100 ? f2(x) : f1(x); }
__device__ unsigned (*const table[4])(unsigned) = {f0, f1, f2, f3};

struct Shape {
  __device__ virtual unsigned area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  unsigned side;
  __device__ explicit Square(unsigned s) : side(s) {}
  __device__ unsigned area() const override { return side * side; }
};
struct Box : Shape {
  unsigned w, h;
  __device__ Box(unsigned x, unsigned y) : w(x), h(y) {}
  __device__ unsigned area() const override { return w * h; }
};

// calls <<<(8, 6), 128>>> in bits 2048 out 6144 rows 6 exact
extern "C" __global__ void calls(const unsigned* in, unsigned* out) {
  const unsigned a = in[ITEM], b = in[ITEM + ITEMS];
  unsigned r = 0;
  switch (ROW) {
    case 0: r = ackermann(a & 1, b & 7) + 100 * ackermann(2, a & 3); break;
    case 1: {
      const Pair p = swapped({a, b, {1, 2, 3, 4, static_cast<unsigned char>(a)}}, a & 7);
      r = p.a + unsigned(p.b) + p.c[0] + 7 * p.c[3];
      break;
    }
    case 2: r = table[a & 3](b); break;
    case 3: r = table[a >> 8 & 3](table[threadIdx.x & 3](b)); break;
    case 4: {
      Square square(a & 0xFF);
      Box box(a & 15, b & 15);
      const Shape* shape = b & 1 ? static_cast<const Shape*>(&square) : &box;
      r = shape->area();
      break;
    }
    default: {
      unsigned (*f)(unsigned) = a & 4 ? f3 : f0;
      for (unsigned i = 0; i < (b & 7); ++i) r += f(r + i);
    }
  }
  give(out, r);
}

// switches <<<8, 128>>> in bits 1024 out 1024 rows 1 exact
extern "C" __global__ void switches(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = in[i];
  for (int round = 0; round < 10; ++round) {
    switch (a % 11) {
      case 0: a += 17; break;
      case 1: a = a * 3; [[fallthrough]];
      case 2: a ^= a >> 7; break;
      case 3: a = __brev(a); break;
      case 4:
        if (a & 0x80) continue;
        a = ~a;
        break;
      case 5: a -= 1234567; break;
      case 6: a = a << 3 | a >> 29; break;
      case 7: goto done;
      case 8: a = a / 3 + 5; break;
      default: a = a * 2654435761u + 1;
    }
    a += unsigned(round);
  }
done:
  out[i] = a;
}

// early_exits <<<8, 128>>> in bits 1024 out 1024 rows 1 exact
extern "C" __global__ void early_exits(const unsigned* in, unsigned* out) {
  __shared__ unsigned sum[128];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[threadIdx.x] = in[i];
  if (threadIdx.x >= 100) return;
  __syncthreads();
  out[i] = sum[(threadIdx.x + 1) % 100];
  if (in[blockIdx.x] & 1) return;
  __syncthreads();
  out[i] += 5;
}

// barriers <<<8, 128>>> in bits 1024 out 1024 rows 1 exact
extern "C" __global__ void barriers(const unsigned* in, unsigned* out) {
  __shared__ unsigned word[128];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int count = __syncthreads_count(in[i] & 1), any = __syncthreads_or(in[i] == 5), every = __syncthreads_and(in[i] > 3);
  if (threadIdx.x < 64) {  // producers
    word[threadIdx.x] = in[i] * 3;
    asm volatile("bar.arrive 1, 128;" ::: "memory");
    asm volatile("bar.sync 2, 64;" ::: "memory");
    out[i] = word[63 - threadIdx.x] + unsigned(count);
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    out[i] = word[threadIdx.x - 64] + unsigned(any) + 2 * unsigned(every);
  }
}
