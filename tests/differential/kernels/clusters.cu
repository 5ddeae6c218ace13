// Clusters: distributed shared memory, their barrier, asynchronous stores, copies between blocks. Each NAME_plain makes
// the same by one thread and without any of that.
#include "hopper.cuh"

// cluster_histogram <<<16, 128>>> in bits 8192 out 1024 rows 2 exact sm_90a plain
extern "C" __global__ void __cluster_dims__(8, 1, 1) cluster_histogram(const unsigned* in, unsigned* out) {
  __shared__ unsigned bins[64];
  const unsigned t = threadIdx.x, cluster = blockIdx.x / 8, rank = rank_in_cluster();
  if (t < 64) bins[t] = 0;
  cluster_sync();
  for (unsigned i = rank * 128 + t; i < 4096; i += 8 * 128) {
    const unsigned bin = in[cluster * 4096 + i] * 2654435761u >> 23;
    const unsigned there = in_block(shared_address(bins + bin % 64), bin / 64);
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(there) : "memory");
  }
  cluster_sync();
  if (t < 64) out[cluster * 512 + rank * 64 + t] = bins[t];
}
extern "C" __global__ void cluster_histogram_plain(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 8192; ++i) ++out[i / 4096 * 512 + (in[i] * 2654435761u >> 23)];
}

// Words go to another block each round; what does not need them is done between arriving and waiting.
// cluster_rounds <<<12, 128>>> in bits 1536 out 1536 rows 3 exact sm_90a plain
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_rounds(const unsigned* in, unsigned* out) {
  __shared__ unsigned box[2][128];
  const unsigned t = threadIdx.x, i = blockIdx.x * 128 + t, rank = rank_in_cluster();
  unsigned mine = in[i];
  cluster_sync();
  for (unsigned round = 0; round < 7; ++round) {
    const unsigned there = in_block(shared_address(&box[round & 1][(t + round * 7) % 128]), (rank + 1 + round) % 4);
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(mine) : "memory");
    cluster_arrive();
    const unsigned kept = mixed(mine, round);
    cluster_wait();
    mine = kept + box[round & 1][t];
  }
  out[i] = mine;
}
extern "C" __global__ void cluster_rounds_plain(const unsigned* in, unsigned* out) {
  unsigned mine[512], box[512];
  for (unsigned cluster = 0; cluster < 3; ++cluster) {
    for (unsigned i = 0; i < 512; ++i) mine[i] = in[cluster * 512 + i];
    for (unsigned round = 0; round < 7; ++round) {
      for (unsigned i = 0; i < 512; ++i) box[(i / 128 + 1 + round) % 4 * 128 + (i + round * 7) % 128] = mine[i];
      for (unsigned i = 0; i < 512; ++i) mine[i] = mixed(mine[i], round) + box[i];
    }
    for (unsigned i = 0; i < 512; ++i) out[cluster * 512 + i] = mine[i];
  }
}

// cluster_places <<<(4, 6, 2), (2, 2, 2)>>> in bits 16 out 1536 rows 1 exact sm_90a plain
extern "C" __global__ void __cluster_dims__(2, 3, 1) cluster_places(const unsigned*, unsigned* out) {
  if (threadIdx.x + threadIdx.y + threadIdx.z != 3) return;
  unsigned* const own = out + 32 * (blockIdx.x + 4 * (blockIdx.y + 6 * blockIdx.z));
#define PLACE(number, name) asm volatile("mov.u32 %0, %%" name ";" : "=r"(own[number]))
  PLACE(0, "cluster_ctaid.x");
  PLACE(1, "cluster_ctaid.y");
  PLACE(2, "cluster_ctaid.z");
  PLACE(3, "cluster_nctaid.x");
  PLACE(4, "cluster_nctaid.y");
  PLACE(5, "cluster_nctaid.z");
  PLACE(6, "clusterid.x");
  PLACE(7, "clusterid.y");
  PLACE(8, "clusterid.z");
  PLACE(9, "nclusterid.x");
  PLACE(10, "nclusterid.y");
  PLACE(11, "nclusterid.z");
  PLACE(12, "cluster_ctarank");
  PLACE(13, "cluster_nctarank");
#undef PLACE
  asm volatile("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(own[14]));
}
extern "C" __global__ void cluster_places_plain(const unsigned*, unsigned* out) {
  for (unsigned block = 0; block < 48; ++block) {
    const unsigned x = block % 4, y = block / 4 % 6, z = block / 24;
    const unsigned values[15] = {x % 2, y % 3, 0, 2, 3, 1, x / 2, y / 3, z, 2, 2, 2, x % 2 + 2 * (y % 3), 6, 1};
    for (unsigned i = 0; i < 15; ++i) out[32 * block + i] = values[i];
  }
}

// Loads from, stores to and atomic operations on other blocks' shared memory, in all widths.
// cluster_memory <<<8, 128>>> in bits 8192 out 24576 rows 3 exact sm_90a plain
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_memory(const unsigned* in, unsigned* out) {
  __shared__ alignas(16) unsigned words[512], written[512], counters[512];
  const unsigned t = threadIdx.x, block = blockIdx.x, rank = rank_in_cluster(), other = (rank + 1 + t % 3) % 4;
  for (unsigned i = t; i < 512; i += 128) {
    words[i] = in[block * 1024 + i];
    counters[i] = in[block * 1024 + 512 + i];
    written[i] = 7;
  }
  cluster_sync();
  unsigned* const read = out + (block * 128 + t) * 8;
  const unsigned there = in_block(shared_address(words), other);
  asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(read[0]), "=r"(read[1]), "=r"(read[2]), "=r"(read[3])
               : "r"(there + 16 * t)
               : "memory");
  asm volatile("ld.shared::cluster.s8 %0, [%1];" : "=r"(read[4]) : "r"(there + 3 * t) : "memory");
  asm volatile("ld.shared::cluster.u16 %0, [%1];" : "=r"(read[5]) : "r"(there + 6 * t) : "memory");
  const unsigned* generic;
  unsigned from, spaces;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(generic) : "l"(words + 511 - t), "r"(other));
  read[6] = *generic;
  asm volatile("getctarank.u64 %0, %1;" : "=r"(from) : "l"(generic));
  asm volatile(
      "{ .reg .pred p, q, r; .reg .u32 a, b; isspacep.shared::cluster p, %1; isspacep.shared::cta q, %1; "
      "isspacep.global r, %1; selp.u32 b, 1, 0, p; selp.u32 a, 2, 0, q; or.b32 b, b, a; selp.u32 a, 4, 0, r; "
      "or.b32 %0, b, a; }"
      : "=r"(spaces)
      : "l"(generic));
  read[7] = from * 16 + spaces;

  const unsigned next = (rank + 1) % 4, value = words[4 * t + 3], to = in_block(shared_address(written), next);
  asm volatile("st.shared::cluster.v2.u32 [%0], {%1, %2};" ::"r"(to + 8 * t), "r"(value), "r"(~value) : "memory");
  asm volatile("st.shared::cluster.u16 [%0], %1;" ::"r"(to + 1024 + 4 * t), "h"(static_cast<unsigned short>(value))
               : "memory");
  asm volatile("st.shared::cluster.u8 [%0], %1;" ::"r"(to + 1024 + 4 * t + 3), "r"(value >> 8) : "memory");
  const unsigned counter = in_block(shared_address(counters + 4 * t), next);
  unsigned* const old = out + 8192 + (block * 128 + t) * 4;
#define ATOMIC(number, operation)                                                     \
  asm volatile("atom.relaxed.cluster.shared::cluster." operation ".u32 %0, [%1], %2;" \
               : "=r"(old[number])                                                    \
               : "r"(counter + 4 * number), "r"(value)                                \
               : "memory")
  if (t % 2 == 0) {
    ATOMIC(0, "add");
    ATOMIC(1, "min");
    ATOMIC(2, "max");
    ATOMIC(3, "inc");
  } else {
    asm volatile("atom.relaxed.cluster.shared::cluster.exch.b32 %0, [%1], %2;"
                 : "=r"(old[0])
                 : "r"(counter), "r"(value)
                 : "memory");
    asm volatile("atom.relaxed.cluster.shared::cluster.and.b32 %0, [%1], %2;"
                 : "=r"(old[1])
                 : "r"(counter + 4), "r"(value)
                 : "memory");
    asm volatile("atom.relaxed.cluster.shared::cluster.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(old[2])
                 : "r"(counter + 8), "r"(0), "r"(value)
                 : "memory");
    ATOMIC(3, "dec");
  }
#undef ATOMIC
  cluster_sync();
  for (unsigned i = t; i < 512; i += 128) {
    out[12288 + block * 512 + i] = written[i];
    out[16384 + block * 512 + i] = counters[i];
  }
}
extern "C" __global__ void cluster_memory_plain(const unsigned* in, unsigned* out) {
  for (unsigned block = 0; block < 8; ++block) {
    const unsigned rank = block % 4, first = block - rank, next = first + (rank + 1) % 4;
    for (unsigned t = 0; t < 128; ++t) {
      const unsigned other = (rank + 1 + t % 3) % 4;
      const unsigned* const words = in + (first + other) * 1024;
      const signed char* const bytes = reinterpret_cast<const signed char*>(words);
      unsigned* const read = out + (block * 128 + t) * 8;
      for (unsigned i = 0; i < 4; ++i) read[i] = words[4 * t + i];
      read[4] = bytes[3 * t];
      read[5] = reinterpret_cast<const unsigned short*>(words)[3 * t];
      read[6] = words[511 - t];
      read[7] = other * 16 + 1;
      const unsigned value = in[block * 1024 + 4 * t + 3];
      unsigned* const written = out + 12288 + next * 512;
      written[2 * t] = value;
      written[2 * t + 1] = ~value;
      written[256 + t] = (value & 0xFFFF) | (value >> 8 & 0xFF) << 24;
      for (unsigned i = 384; i < 512; ++i) written[i] = 7;
      const unsigned* const old = in + next * 1024 + 512 + 4 * t;
      unsigned* const fresh = out + 16384 + next * 512 + 4 * t;
      for (unsigned i = 0; i < 4; ++i) out[8192 + (block * 128 + t) * 4 + i] = old[i];
      if (t % 2 == 0) {
        fresh[0] = old[0] + value;
        fresh[1] = min(old[1], value);
        fresh[2] = max(old[2], value);
        fresh[3] = old[3] >= value ? 0 : old[3] + 1;
      } else {
        fresh[0] = value;
        fresh[1] = old[1] & value;
        fresh[2] = old[2] == 0 ? value : old[2];
        fresh[3] = old[3] == 0 || old[3] > value ? value : old[3] - 1;
      }
    }
  }
}

// Block 0 of each cluster gathers words of all, round by round, and says when they may send the next.
// cluster_barriers <<<8, 64>>> in bits 512 out 512 rows 2 exact sm_90a plain
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_barriers(const unsigned* in, unsigned* out) {
  __shared__ unsigned box[4][64];
  __shared__ Barrier full, go;
  const unsigned t = threadIdx.x, rank = rank_in_cluster();
  if (t == 0) {
    init(&full, 4 * 64);
    init(&go, 1);
    publish_barriers();
  }
  cluster_sync();
  unsigned mine = in[blockIdx.x * 64 + t];
  for (unsigned round = 0; round < 6; ++round) {
    const unsigned there = in_block(shared_address(&box[rank][t]), 0);
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(mine) : "memory");
    arrive_in_block(&full, 0);
    if (rank == 0) {
      wait_for_cluster(&full, round & 1);
      unsigned sum = 0;
      for (unsigned i = 0; i < 4; ++i) sum = mixed(sum, box[i][(t + i) % 64]);
      __syncthreads();
      for (unsigned i = 0; i < 4; ++i) {
        const unsigned back = in_block(shared_address(&box[3 - i][t]), i);
        if (i != 0) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(back), "r"(sum + i) : "memory");
      }
      mine = mixed(mine, sum);
      asm volatile("fence.acq_rel.cluster;" ::: "memory");
      __syncthreads();
      if (t < 4) arrive_in_block(&go, t);
    }
    wait_for_cluster(&go, round & 1);
    if (rank != 0) mine = mixed(mine, box[3 - rank][t]);
  }
  out[blockIdx.x * 64 + t] = mine;
  cluster_sync();
}
extern "C" __global__ void cluster_barriers_plain(const unsigned* in, unsigned* out) {
  unsigned mine[256], fresh[256];
  for (unsigned cluster = 0; cluster < 2; ++cluster) {
    for (unsigned i = 0; i < 256; ++i) mine[i] = in[cluster * 256 + i];
    for (unsigned round = 0; round < 6; ++round) {
      for (unsigned t = 0; t < 64; ++t) {
        unsigned sum = 0;
        for (unsigned i = 0; i < 4; ++i) sum = mixed(sum, mine[i * 64 + (t + i) % 64]);
        for (unsigned i = 0; i < 4; ++i) fresh[i * 64 + t] = mixed(mine[i * 64 + t], sum + i);
      }
      for (unsigned i = 0; i < 256; ++i) mine[i] = fresh[i];
    }
    for (unsigned i = 0; i < 256; ++i) out[cluster * 256 + i] = mine[i];
  }
}

// A bitonic network over the threads of a cluster.
// cluster_sort <<<16, 64>>> in bits 1024 out 1024 rows 2 exact sm_90a plain
extern "C" __global__ void __cluster_dims__(8, 1, 1) cluster_sort(const unsigned* in, unsigned* out) {
  __shared__ unsigned word[2][64];
  const unsigned t = threadIdx.x, place = rank_in_cluster() * 64 + t, i = blockIdx.x * 64 + t;
  unsigned mine = in[i], turn = 0;
  for (unsigned size = 2; size <= 512; size *= 2)
    for (unsigned step = size / 2; step > 0; step /= 2, turn ^= 1) {
      word[turn][t] = mine;
      cluster_sync();
      const unsigned partner = place ^ step, there = in_block(shared_address(&word[turn][partner % 64]), partner / 64);
      unsigned other;
      asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(other) : "r"(there) : "memory");
      const bool takes_less = ((place & size) == 0) == (place < partner);
      mine = takes_less ? min(mine, other) : max(mine, other);
    }
  out[i] = mine;
  cluster_sync();
}
extern "C" __global__ void cluster_sort_plain(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 1024; ++i) {
    unsigned place = i, first = i / 512 * 512;
    for (; place > first && out[place - 1] > in[i]; --place) out[place] = out[place - 1];
    out[place] = in[i];
  }
}
