// Copies and barriers that run beside the threads.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

// pipeline_copies <<<4, 128>>> in bits 4096 out 2048 rows 1 exact
extern "C" __global__ void pipeline_copies(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned stage[2][512];
  const unsigned t = threadIdx.x;
  const auto fetch = [&](unsigned s) {
    __pipeline_memcpy_async(&stage[s & 1][4 * t], &in[(blockIdx.x * 2 + s) * 512 + 4 * t], 16, s == 1 ? 4 : 0);
    __pipeline_commit();
  };
  fetch(0);
  fetch(1);
  __pipeline_wait_prior(1);
  __syncthreads();
  unsigned sum = stage[0][t] + stage[0][511 - t];
  __pipeline_wait_prior(0);
  __syncthreads();
  for (unsigned i = 0; i < 4; ++i) out[blockIdx.x * 512 + 4 * t + i] = sum * (i + 1) + stage[1][(4 * t + i) ^ 5];
}

// memory_barriers <<<4, 128>>> in bits 512 out 512 rows 1 exact
extern "C" __global__ void memory_barriers(const unsigned* in, unsigned* out) {
  __shared__ unsigned word[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, 128);
  __syncthreads();
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  unsigned value = in[i];
  for (int round = 0; round < 4; ++round) {
    word[threadIdx.x] = value;
    auto token = barrier.arrive();
    barrier.wait(cuda::std::move(token));
    value = value * 3 + word[(threadIdx.x + 37 * unsigned(round + 1)) % 128];
    barrier.arrive_and_wait();
  }
  out[i] = value;
}

// group_copies <<<4, 128>>> in bits 512 out 512 rows 1 exact
extern "C" __global__ void group_copies(const unsigned* in, unsigned* out) {
  namespace cg = cooperative_groups;
  __shared__ __align__(16) unsigned word[128];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, word, in + blockIdx.x * 128, sizeof(word));
  cg::wait(block);
  out[blockIdx.x * 128 + threadIdx.x] = word[127 - threadIdx.x] + 1;
}

// ring_of_blocks <<<24, 64>>> in bits 24 out 72 rows 1 exact
extern "C" __global__ void ring_of_blocks(const unsigned* in, unsigned* out) {
  volatile unsigned* ready = out + 24;  // block b waits for block b - 1
  if (threadIdx.x == 0) {
    unsigned before = 7;
    if (blockIdx.x > 0) {
      while (ready[blockIdx.x - 1] == 0) {
      }
      __threadfence();
      before = *reinterpret_cast<volatile unsigned*>(out + blockIdx.x - 1);
    }
    out[blockIdx.x] = before * 31 + in[blockIdx.x];
    __threadfence();
    ready[blockIdx.x] = 1;
  }
}
