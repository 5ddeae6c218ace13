// What blocks of a cluster send to each other asynchronously: stores, reductions, bulk copies. Each NAME_plain makes the
// same by one thread and without any of that.
#include "hopper.cuh"

// Asynchronous stores and reductions into the next block.
// cluster_async <<<8, 128>>> in bits 8192 out 14336 rows 8 exact sm_90a plain
constexpr unsigned async_words = 16 * 128;
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_async(const unsigned* in, unsigned* out) {
  __shared__ alignas(16) unsigned words[async_words];
  __shared__ unsigned sums[16];
  __shared__ unsigned long long wide;
  __shared__ Barrier barrier;
  const unsigned t = threadIdx.x, block = blockIdx.x, next = (rank_in_cluster() + 1) % 4;
  for (unsigned i = t; i < async_words; i += 128) words[i] = 7;
  if (t < 16) sums[t] = 1000 + t;
  if (t == 0) {
    wide = 1ull << 40;
    init(&barrier, 1);
    publish_barriers();
    // 4 + 8 + 8 + 16 + 16 bytes of stores, 12 words and a wide one of reductions
    arrive_and_expect(&barrier, 128 * (52 + 12 * 4 + 8));
  }
  cluster_sync();
  const unsigned* const own = in + block * 1024 + t * 8;
  const unsigned bar = in_block(shared_address(&barrier), next), to = in_block(shared_address(words), next);
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %2, [%1];" ::"r"(to + 4 * t),
               "r"(bar), "r"(own[0])
               : "memory");
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.s64 [%0], %2, [%1];" ::"r"(to + 512 + 8 * t),
               "r"(bar), "l"(own[1] | static_cast<unsigned long long>(own[2]) << 32)
               : "memory");
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%2, %3}, [%1];" ::"r"(
                   to + 1536 + 8 * t),
               "r"(bar), "r"(own[3]), "r"(own[4])
               : "memory");
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%2, %3, %4, %5}, [%1];" ::"r"(
                   to + 2560 + 16 * t),
               "r"(bar), "r"(own[5]), "r"(own[6]), "r"(own[7]), "r"(own[0])
               : "memory");
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u64 [%0], {%2, %3}, [%1];" ::"r"(
                   to + 4608 + 16 * t),
               "r"(bar), "l"(own[1] * 3ull), "l"(own[2] * 5ull)
               : "memory");
#define REDUCE(operation, number, value)                                                           \
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." operation \
               " [%0], %1, [%2];" ::"r"(in_block(shared_address(sums + number), next)),            \
               "r"(value), "r"(bar)                                                                \
               : "memory")
  REDUCE("add.u32", 0, own[0]);
  REDUCE("add.s32", 1, own[1]);
  REDUCE("min.u32", 2, own[2] | 512);
  REDUCE("max.u32", 3, own[3]);
  REDUCE("min.s32", 4, own[4]);
  REDUCE("max.s32", 5, own[5]);
  REDUCE("and.b32", 6, own[6] | 960);
  REDUCE("or.b32", 7, own[7] & 0x11111);
  REDUCE("xor.b32", 8, own[0]);
  REDUCE("inc.u32", 9, 0xFFFFFFFFu);
  REDUCE("dec.u32", 10, 0xFFFFFFFFu);
  REDUCE("inc.u32", 11, 5u);
#undef REDUCE
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%0], %1, [%2];" ::"r"(
                   in_block(shared_address(&wide), next)),
               "l"(own[3] * 7ull), "r"(bar)
               : "memory");
  wait_for_cluster(&barrier, 0);
  __syncthreads();
  for (unsigned i = t; i < 1664; i += 128) out[block * 1792 + i] = words[i];
  if (t < 16) out[block * 1792 + 1664 + t] = sums[t];
  if (t == 0) out[block * 1792 + 1680] = static_cast<unsigned>(wide), out[block * 1792 + 1681] = wide >> 32;
  cluster_sync();
}
extern "C" __global__ void cluster_async_plain(const unsigned* in, unsigned* out) {
  for (unsigned block = 0; block < 8; ++block) {
    const unsigned next = block / 4 * 4 + (block + 1) % 4;
    unsigned* const words = out + next * 1792;
    unsigned* const sums = words + 1664;
    for (unsigned i = 0; i < 16; ++i) sums[i] = 1000 + i;
    unsigned long long wide = 1ull << 40;
    for (unsigned i = 0; i < 1664; ++i) words[i] = 7;
    for (unsigned t = 0; t < 128; ++t) {
      const unsigned* const own = in + block * 1024 + t * 8;
      words[t] = own[0];
      words[128 + 2 * t] = own[1], words[129 + 2 * t] = own[2];
      words[384 + 2 * t] = own[3], words[385 + 2 * t] = own[4];
      for (unsigned i = 0; i < 4; ++i) words[640 + 4 * t + i] = own[i == 3 ? 0 : 5 + i];
      const unsigned long long three = own[1] * 3ull, five = own[2] * 5ull;
      words[1152 + 4 * t] = three, words[1153 + 4 * t] = three >> 32;
      words[1154 + 4 * t] = five, words[1155 + 4 * t] = five >> 32;
      sums[0] += own[0], sums[1] += own[1];
      sums[2] = min(sums[2], own[2] | 512), sums[3] = max(sums[3], own[3]);
      sums[4] = min(int(sums[4]), int(own[4])), sums[5] = max(int(sums[5]), int(own[5]));
      sums[6] &= own[6] | 960, sums[7] |= own[7] & 0x11111, sums[8] ^= own[0];
      ++sums[9], --sums[10];
      sums[11] = sums[11] >= 5 ? 0 : sums[11] + 1;
      wide += own[3] * 7ull;
    }
    sums[16] = wide, sums[17] = wide >> 32;
  }
}

// Each block has one piece copied to some blocks of its cluster: itself and others, or others alone.
// cluster_multicast <<<8, 128>>> in bits 2048 out 8192 rows 8 exact sm_90a plain
__device__ unsigned multicast_mask(unsigned rank) { return 0xAC3Fu >> (rank * 4) & 15u; }
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_multicast(const unsigned* in, unsigned* out) {
  __shared__ alignas(128) unsigned pieces[4][256];
  __shared__ Barrier barrier;
  const unsigned t = threadIdx.x, rank = rank_in_cluster();
  for (unsigned i = t; i < 1024; i += 128) pieces[0][i] = 7;
  fence_async();
  if (t == 0) {
    init(&barrier, 1);
    publish_barriers();
    unsigned senders = 0;
    for (unsigned i = 0; i < 4; ++i) senders += multicast_mask(i) >> rank & 1;
    arrive_and_expect(&barrier, senders * 1024);
  }
  cluster_sync();
  if (t == 0)
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 1024, [%2], "
        "%3;" ::"r"(shared_address(pieces[rank])),
        "l"(__cvta_generic_to_global(in + blockIdx.x * 256)), "r"(shared_address(&barrier)),
        "h"(static_cast<unsigned short>(multicast_mask(rank)))
        : "memory");
  wait_for_cluster(&barrier, 0);
  for (unsigned i = t; i < 1024; i += 128) out[blockIdx.x * 1024 + i] = pieces[0][i];
  cluster_sync();
}
extern "C" __global__ void cluster_multicast_plain(const unsigned* in, unsigned* out) {
  for (unsigned block = 0; block < 8; ++block)
    for (unsigned from = 0; from < 4; ++from)
      for (unsigned i = 0; i < 256; ++i)
        out[block * 1024 + from * 256 + i] =
            (multicast_mask(from) >> block % 4 & 1) != 0 ? in[(block / 4 * 4 + from) * 256 + i] : 7;
}

// Copies and reductions from one block's shared memory to that of others.
// cluster_copies <<<4, 128>>> in bits 2048 out 4096 rows 8 exact sm_90a plain
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_copies(const unsigned* in, unsigned* out) {
  __shared__ alignas(128) unsigned words[512], target[1024];
  __shared__ Barrier barrier;
  const unsigned t = threadIdx.x, next = (rank_in_cluster() + 1) % 4;
  for (unsigned i = t; i < 512; i += 128) words[i] = in[blockIdx.x * 512 + i];
  for (unsigned i = t; i < 1024; i += 128) target[i] = i * 0x01234567u;
  fence_async();
  if (t == 0) {
    init(&barrier, 1);
    publish_barriers();
    arrive_and_expect(&barrier, 512 + 16 + 10 * 256);
  }
  cluster_sync();
  const unsigned to = in_block(shared_address(target), next), bar = in_block(shared_address(&barrier), next);
  const unsigned from = shared_address(words);
#define COPY(place, first, bytes)                                                                                    \
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"( \
                   to + place),                                                                                      \
               "r"(from + first), "r"(bytes), "r"(bar)                                                               \
               : "memory")
#define REDUCE(operation, number)                                                                         \
  asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." operation \
               " [%0], [%1], 256, [%2];" ::"r"(to + 1024 + 256 * number),                                 \
               "r"(from + 160 * number), "r"(bar)                                                         \
               : "memory")
  if (t == 0) {
    COPY(0, 256, 512);
    COPY(528, 16, 16);
    REDUCE("add.u32", 0);
    REDUCE("add.s32", 1);
    REDUCE("min.u32", 2);
    REDUCE("max.s32", 3);
    REDUCE("inc.u32", 4);
    REDUCE("dec.u32", 5);
    REDUCE("and.b32", 6);
    REDUCE("or.b32", 7);
    REDUCE("xor.b32", 8);
    REDUCE("add.u64", 9);
  }
#undef COPY
#undef REDUCE
  wait_for_cluster(&barrier, 0);
  for (unsigned i = t; i < 1024; i += 128) out[blockIdx.x * 1024 + i] = target[i];
  cluster_sync();
}
extern "C" __global__ void cluster_copies_plain(const unsigned* in, unsigned* out) {
  for (unsigned block = 0; block < 4; ++block) {
    const unsigned* const words = in + block * 512;
    unsigned* const target = out + (block + 1) % 4 * 1024;
    for (unsigned i = 0; i < 1024; ++i) target[i] = i * 0x01234567u;
    for (unsigned i = 0; i < 128; ++i) target[i] = words[64 + i];
    for (unsigned i = 0; i < 4; ++i) target[132 + i] = words[4 + i];
    for (unsigned number = 0; number < 9; ++number)
      for (unsigned i = 0; i < 64; ++i) {
        const unsigned value = words[40 * number + i];
        unsigned& old = target[256 + 64 * number + i];
        switch (number) {
          case 2:
            old = min(old, value);
            break;
          case 3:
            old = max(int(old), int(value));
            break;
          case 4:
            old = old >= value ? 0 : old + 1;
            break;
          case 5:
            old = old == 0 || old > value ? value : old - 1;
            break;
          case 6:
            old &= value;
            break;
          case 7:
            old |= value;
            break;
          case 8:
            old ^= value;
            break;
          default:
            old += value;
        }
      }
    for (unsigned i = 0; i < 64; i += 2) {
      unsigned* const at = target + 256 + 64 * 9 + i;
      const unsigned long long sum = (at[0] | static_cast<unsigned long long>(at[1]) << 32) +
                                     (words[360 + i] | static_cast<unsigned long long>(words[361 + i]) << 32);
      at[0] = sum, at[1] = sum >> 32;
    }
  }
}
