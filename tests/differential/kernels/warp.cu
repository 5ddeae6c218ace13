// What the lanes of a warp do together.
#include "rows.cuh"

constexpr unsigned full = 0xFFFFFFFFu;

// shuffles <<<(8, 10), 128>>> in bits 2048 out 10240 rows 10 exact
extern "C" __global__ void shuffles(const unsigned* in, unsigned* out) {
  const unsigned a = in[ITEM], b = in[ITEM + ITEMS];
  unsigned r = 0, inside = 0;
  switch (ROW) {
    case 0: r = __shfl_sync(full, a, b); break;
    case 1: r = __shfl_sync(full, a, b, 8); break;
    case 2: r = __shfl_up_sync(full, a, b & 7, 16); break;
    case 3: r = __shfl_down_sync(full, a, b & 15); break;
    case 4: r = __shfl_xor_sync(full, a, 5); break;
    case 5: r = unsigned(__shfl_xor_sync(full, static_cast<unsigned long long>(a) << 32 | b, 9) >> 16); break;
    case 6: r = __float_as_uint(__shfl_down_sync(full, __uint_as_float(a), 3, 4)); break;
    case 7:
      asm("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 3, 0x1803, 0xFFFFFFFF; selp.u32 %1, 1, 0, p; }"
          : "=r"(r), "=r"(inside) : "r"(a));
      r = inside ? r : a + 1;
      break;
    case 8:
      asm("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 2, 0x0, 0xFFFFFFFF; selp.u32 %1, 1, 0, p; }"
          : "=r"(r), "=r"(inside) : "r"(a));
      r += inside << 31;
      break;
    default: {
      const unsigned mask = threadIdx.x & 1 ? 0xAAAAAAAAu : 0x55555555u;
      if (threadIdx.x & 1)
        r = __shfl_sync(mask, a, 1) + 1;
      else
        r = __shfl_sync(mask, a, 2) + 2;
    }
  }
  give(out, r);
}

// votes <<<(8, 12), 128>>> in bits 2048 out 12288 rows 12 exact
extern "C" __global__ void votes(const unsigned* in, unsigned* out) {
  const unsigned a = in[ITEM], b = in[ITEM + ITEMS];
  unsigned r = 0;
  int same = 0;
  switch (ROW) {
    case 0: r = __ballot_sync(full, a & 1); break;
    case 1: r = unsigned(__any_sync(full, (a & 0x3F) == 0)) + 2 * unsigned(__all_sync(full, (a & 0x3F) != 0)); break;
    case 2: asm("{ .reg .pred p, q; setp.eq.u32 p, %1, 0; vote.sync.uni.pred q, p, -1; selp.u32 %0, 1, 0, q; }" : "=r"(r) : "r"(a & 0xF)); break;
    case 3: r = __match_any_sync(full, a & 7); break;
    case 4: r = __match_all_sync(full, a & 1, &same) + unsigned(same); break;
    case 5: r = __match_any_sync(full, static_cast<unsigned long long>(a & 3) << 40); break;
    case 6: r = __reduce_add_sync(full, a); break;
    case 7: r = __reduce_min_sync(full, a) ^ unsigned(__reduce_max_sync(full, int(b))); break;
    case 8: r = __reduce_and_sync(full, a | 0xFFFF) ^ __reduce_or_sync(full, b & 0xFF) ^ __reduce_xor_sync(full, a); break;
    case 9: {
      const unsigned odd = __ballot_sync(full, a & 1);
      if (a & 1) r = __reduce_add_sync(odd, b) + __popc(__ballot_sync(odd, b & 1));
      break;
    }
    case 10:
      if (threadIdx.x % 32 < 12) r = __activemask();
      __syncwarp();
      r += __activemask();
      break;
    default: asm("{ .reg .pred p; elect.sync %0|p, 0xFFFFFFFF; @p add.u32 %0, %0, 100; }" : "=r"(r));
  }
  give(out, r);
}

// warp_scan <<<8, 128>>> in bits 1024 out 2048 rows 2 exact
extern "C" __global__ void warp_scan(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  unsigned sum = in[i];
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned below = __shfl_up_sync(full, sum, step);
    if (lane >= step) sum += below;
  }
  out[i] = sum;
  float f = float(in[i] & 0xFFFF);
  for (int step = 16; step > 0; step /= 2) f += __shfl_xor_sync(full, f, step);
  out[1024 + i] = __float_as_uint(f);
}

// divergent_steps <<<8, 128>>> in bits 1024 out 1024 rows 1 exact
extern "C" __global__ void divergent_steps(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = in[i], steps = 0;
  while (a % 97 != 0 && steps < 500) {
    a = a & 1 ? 3 * a + 1 : a / 2 + 12345;
    ++steps;
    if (a == 0) break;
  }
  __syncwarp();
  out[i] = steps + 1000 * __popc(__ballot_sync(full, steps & 1)) + 1000000 * (__activemask() == full);
}
