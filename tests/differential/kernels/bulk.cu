// Bulk copies between global and shared memory, and the barriers and groups that they complete. Each NAME_plain makes
// the same by one thread and plain loads and stores.
#include "hopper.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Ten pieces of 16 to 160 bytes.
// bulk_loads <<<2, 128>>> in bits 4096 out 2048 rows 2 exact sm_90a plain
__device__ unsigned load_from(unsigned block, unsigned piece) {
  return (block * 2048 + piece * 204 + block * 4) % 4056;
}
__device__ unsigned load_to(unsigned piece) { return piece * 88 + (piece & 3) * 4; }
extern "C" __global__ void bulk_loads(const unsigned* in, unsigned* out) {
  __shared__ alignas(128) unsigned words[1024];
  __shared__ Barrier barrier;
  const unsigned t = threadIdx.x, block = blockIdx.x;
  for (unsigned i = t; i < 1024; i += 128) words[i] = mixed(i, 3);
  fence_async();
  if (t == 0) {
    init(&barrier, 1);
    publish_barriers();
  }
  __syncthreads();
  if (t == 0) {
    arrive_and_expect(&barrier, 16 * 55);
    for (unsigned piece = 0; piece < 10; ++piece) {
      const unsigned* const from = in + load_from(block, piece);
      asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(__cvta_generic_to_global(from)),
                   "r"(16 * (piece + 1)));
      load_bytes(words + load_to(piece), from, 16 * (piece + 1), &barrier);
    }
  }
  wait(&barrier, 0);
  for (unsigned i = t; i < 1024; i += 128) out[block * 1024 + i] = words[i];
}
extern "C" __global__ void bulk_loads_plain(const unsigned* in, unsigned* out) {
  for (unsigned block = 0; block < 2; ++block) {
    unsigned* const words = out + block * 1024;
    for (unsigned i = 0; i < 1024; ++i) words[i] = mixed(i, 3);
    for (unsigned piece = 0; piece < 10; ++piece)
      for (unsigned i = 0; i < 4 * (piece + 1); ++i) words[load_to(piece) + i] = in[load_from(block, piece) + i];
  }
}

// Groups of stores; the memory that they read is changed as soon as it may be.
// bulk_stores <<<4, 64>>> in bits 1024 out 8192 rows 4 exact sm_90a plain
extern "C" __global__ void bulk_stores(const unsigned* in, unsigned* out) {
  __shared__ alignas(128) unsigned words[2][256];
  const unsigned t = threadIdx.x, block = blockIdx.x;
  unsigned* const own = out + block * 2048;
  for (unsigned round = 0; round < 8; ++round) {
    if (t == 0) wait_for_reads<1>();
    __syncthreads();
    for (unsigned i = t; i < 256; i += 64) words[round & 1][i] = mixed(in[block * 256 + i], round);
    fence_async();
    __syncthreads();
    if (t == 0) {
      store_bytes(own + round * 256, words[round & 1], 16 * (round + 1));
      store_bytes(own + round * 256 + 128, words[round & 1] + 4 * round, 512 - 16 * round);
      commit_copies();
    }
  }
  if (t == 0) {
    wait_for_copies<0>();
    own[64] = own[0] + own[2047];
  }
}
extern "C" __global__ void bulk_stores_plain(const unsigned* in, unsigned* out) {
  for (unsigned block = 0; block < 4; ++block) {
    unsigned* const own = out + block * 2048;
    for (unsigned round = 0; round < 8; ++round) {
      for (unsigned i = 0; i < 4 * (round + 1); ++i) own[round * 256 + i] = mixed(in[block * 256 + i], round);
      for (unsigned i = 0; i < 128 - 4 * round; ++i)
        own[round * 256 + 128 + i] = mixed(in[block * 256 + 4 * round + i], round);
    }
    own[64] = own[0] + own[2047];
  }
}

// Each block reduces three times to words of its own, by an operation of its own. Numbers with a fraction are small and
// whole.
constexpr unsigned reductions = 29;
__device__ float small(unsigned word) { return static_cast<float>(static_cast<int>(word % 64) - 32); }
__device__ unsigned halves(unsigned word) {
  return __half_as_ushort(__float2half(small(word))) | __half_as_ushort(__float2half(small(word >> 9))) << 16;
}
__device__ unsigned brains(unsigned word) {
  return __bfloat16_as_ushort(__float2bfloat16(small(word))) | __bfloat16_as_ushort(__float2bfloat16(small(word >> 9)))
                                                                   << 16;
}
// An operand's word; a number of eight bytes takes two.
__device__ unsigned operand_word(unsigned operation, unsigned word, unsigned place) {
  if (operation < 20) return word;
  if (operation < 23) return halves(word);
  if (operation < 26) return brains(word);
  if (operation == 26) return __float_as_uint(small(word));
  if (operation == 27) return place % 2 == 0 ? 0 : static_cast<unsigned>(__double_as_longlong(small(word)) >> 32);
  return word % 3;
}
template <class T>
__device__ T reduced(unsigned how, T old, T value) {
  switch (how) {
    case 0:
      return old + value;
    case 1:
      return old < value ? old : value;
    default:
      return old > value ? old : value;
  }
}
__device__ unsigned reduced_bits(unsigned how, unsigned old, unsigned value) {
  return how == 0 ? old & value : how == 1 ? old | value : old ^ value;
}
__device__ unsigned reduced_pair(unsigned how, unsigned old, unsigned value, bool is_half) {
  const auto number = [=](unsigned short bits) {
    return is_half ? __half2float(__ushort_as_half(bits)) : __bfloat162float(__ushort_as_bfloat16(bits));
  };
  const auto one = [=](unsigned short a, unsigned short b) {
    const float made = reduced(how, number(a), number(b));
    return is_half ? __half_as_ushort(__float2half(made)) : __bfloat16_as_ushort(__float2bfloat16(made));
  };
  return one(old, value) | one(old >> 16, value >> 16) << 16;
}
__device__ void reduce_plainly(unsigned operation, unsigned* old, const unsigned* value) {
  using Wide = unsigned long long;
  const Wide a = old[0] | Wide(old[1]) << 32, b = value[0] | Wide(value[1]) << 32;
  const auto both = [&](Wide made) {
    old[0] = static_cast<unsigned>(made), old[1] = static_cast<unsigned>(made >> 32);
  };
  if (operation >= 6 && operation < 9) return both(reduced(operation - 6, a, b));
  if (operation >= 9 && operation < 12) return both(Wide(reduced<long long>(operation - 9, a, b)));
  if (operation == 27) return both(__double_as_longlong(__longlong_as_double(a) + __longlong_as_double(b)));
  for (unsigned i = 0; i < 2; ++i) {
    unsigned& x = old[i];
    const unsigned y = value[i];
    if (operation < 3)
      x = reduced(operation, x, y);
    else if (operation < 6)
      x = reduced<int>(operation - 3, x, y);
    else if (operation < 18)
      x = reduced_bits((operation - 12) % 3, x, y);
    else if (operation == 18)
      x = x >= y ? 0 : x + 1;
    else if (operation == 19)
      x = x == 0 || x > y ? y : x - 1;
    else if (operation < 26)
      x = reduced_pair((operation - 20) % 3, x, y, operation < 23);
    else if (operation == 26)
      x = __float_as_uint(__uint_as_float(x) + __uint_as_float(y));
    else
      x = x >= y ? 0 : x + 1;
  }
}
__device__ void reduce_bulk(unsigned operation, unsigned* to, const unsigned* from) {
#define REDUCE(number, what)                                                \
  case number:                                                              \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." what \
                 " [%0], [%1], 512;" ::"l"(__cvta_generic_to_global(to)),   \
                 "r"(shared_address(from))                                  \
                 : "memory");                                               \
    break
  switch (operation) {
    REDUCE(0, "add.u32");
    REDUCE(1, "min.u32");
    REDUCE(2, "max.u32");
    REDUCE(3, "add.s32");
    REDUCE(4, "min.s32");
    REDUCE(5, "max.s32");
    REDUCE(6, "add.u64");
    REDUCE(7, "min.u64");
    REDUCE(8, "max.u64");
    REDUCE(9, "add.u64");
    REDUCE(10, "min.s64");
    REDUCE(11, "max.s64");
    REDUCE(12, "and.b32");
    REDUCE(13, "or.b32");
    REDUCE(14, "xor.b32");
    REDUCE(15, "and.b64");
    REDUCE(16, "or.b64");
    REDUCE(17, "xor.b64");
    REDUCE(18, "inc.u32");
    REDUCE(19, "dec.u32");
    REDUCE(20, "add.noftz.f16");
    REDUCE(21, "min.f16");
    REDUCE(22, "max.f16");
    REDUCE(23, "add.noftz.bf16");
    REDUCE(24, "min.bf16");
    REDUCE(25, "max.bf16");
    REDUCE(26, "add.f32");
    REDUCE(27, "add.f64");
    REDUCE(28, "inc.u32");
  }
#undef REDUCE
}
__device__ unsigned reduction_start(unsigned operation, const unsigned* in, unsigned i) {
  return operand_word(operation, in[(operation * 37 + i * 5) % 4096], i);
}
__device__ unsigned reduction_operand(unsigned operation, unsigned round, const unsigned* in, unsigned i) {
  return operand_word(operation, in[(operation * 131 + round * 977 + i * 3) % 4096], i);
}
// bulk_reductions <<<29, 64>>> in bits 4096 out 3712 rows 29 exact sm_90a plain
extern "C" __global__ void bulk_reductions(const unsigned* in, unsigned* out) {
  __shared__ alignas(128) unsigned words[128];
  const unsigned t = threadIdx.x, operation = blockIdx.x;
  unsigned* const own = out + operation * 128;
  for (unsigned i = t; i < 128; i += 64) own[i] = reduction_start(operation, in, i);
  asm volatile("fence.proxy.async.global;" ::: "memory");
  for (unsigned round = 0; round < 3; ++round) {
    for (unsigned i = t; i < 128; i += 64) words[i] = reduction_operand(operation, round, in, i);
    fence_async();
    __syncthreads();
    if (t == 0) {
      reduce_bulk(operation, own, words);
      commit_copies();
      wait_for_copies<0>();
    }
    __syncthreads();
  }
}
extern "C" __global__ void bulk_reductions_plain(const unsigned* in, unsigned* out) {
  for (unsigned operation = 0; operation < reductions; ++operation)
    for (unsigned i = 0; i < 128; i += 2) {
      unsigned* const own = out + operation * 128 + i;
      for (unsigned k = 0; k < 2; ++k) own[k] = reduction_start(operation, in, i + k);
      for (unsigned round = 0; round < 3; ++round) {
        const unsigned value[2] = {reduction_operand(operation, round, in, i),
                                   reduction_operand(operation, round, in, i + 1)};
        reduce_plainly(operation, own, value);
      }
    }
}

// Floats that are added in any order, by all blocks to the same words.
// bulk_sums <<<16, 64>>> in bits 4096 out 768 rows 3 exact sm_90a plain
extern "C" __global__ void bulk_sums(const unsigned* in, unsigned* out) {
  __shared__ alignas(128) unsigned words[3][256];
  const unsigned t = threadIdx.x;
  for (unsigned i = t; i < 256; i += 64) {
    const unsigned word = in[blockIdx.x * 256 + i];
    words[0][i] = word;
    words[1][i] = __float_as_uint(small(word));
    words[2][i] = halves(word);
  }
  fence_async();
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 1024;" ::"l"(
                     __cvta_generic_to_global(out)),
                 "r"(shared_address(words[0]))
                 : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], 1024;" ::"l"(
                     __cvta_generic_to_global(out + 256)),
                 "r"(shared_address(words[1]))
                 : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%0], [%1], 1024;" ::"l"(
                     __cvta_generic_to_global(out + 512)),
                 "r"(shared_address(words[2]))
                 : "memory");
    commit_copies();
    wait_for_copies<0>();
  }
}
extern "C" __global__ void bulk_sums_plain(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 256; ++i) {
    unsigned pair = 0;
    float sum = 0;
    for (unsigned block = 0; block < 16; ++block) {
      const unsigned word = in[block * 256 + i];
      out[i] += word;
      sum += small(word);
      pair = reduced_pair(0, pair, halves(word), true);
    }
    out[256 + i] = __float_as_uint(sum);
    out[512 + i] = pair;
  }
}

// What an mbarrier counts, by one thread.
// mbarrier_counts <<<1, 1>>> in bits 16 out 32 rows 1 exact sm_90a plain
extern "C" __global__ void mbarrier_counts(const unsigned*, unsigned* out) {
  __shared__ Barrier barrier;
  const unsigned at = shared_address(&barrier);
  unsigned n = 0;
  const auto pending = [&](unsigned long long state) {
    unsigned count;
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
    out[n++] = count;
  };
  const auto passed = [&](unsigned parity) {
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(at), "r"(parity)
                 : "memory");
    out[n++] = done;
  };
  const auto passed_state = [&](unsigned long long state) {
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(at), "l"(state)
                 : "memory");
    out[n++] = done;
  };
  unsigned long long first, state;
  init(&barrier, 5);
  passed(0), passed(1);
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(first) : "r"(at) : "memory");
  pending(first), passed_state(first);
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], 2;" : "=l"(state) : "r"(at) : "memory");
  pending(state), passed(0);
  asm volatile("mbarrier.arrive.noComplete.shared::cta.b64 %0, [%1], 1;" : "=l"(state) : "r"(at) : "memory");
  pending(state), passed(0);
  asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
  pending(state), passed_state(first), passed(0), passed(1);
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], 3;" : "=l"(state) : "r"(at) : "memory");
  pending(state), passed(1);
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 48;" ::"r"(at) : "memory");
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
  pending(state), passed_state(state), passed(1);
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 32;" ::"r"(at) : "memory");
  passed(1);
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 16;" ::"r"(at) : "memory");
  passed(1), passed(0), passed_state(state);
  asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1], 3;" : "=l"(state) : "r"(at) : "memory");
  pending(state), passed(0);
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
  pending(state), passed(0), passed(1);
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
  pending(state), passed(1), passed(0);
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at) : "memory");
}
extern "C" __global__ void mbarrier_counts_plain(const unsigned*, unsigned* out) {
  const unsigned expected[] = {0, 1, 5, 0, 4, 0, 2, 0, 1, 1, 1, 0, 4, 0, 1, 0, 0, 0, 1, 0, 1, 4, 0, 1, 1, 0, 1, 1, 0};
  for (unsigned i = 0; i < sizeof expected / 4; ++i) out[i] = expected[i];
}
