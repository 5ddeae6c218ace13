// Atomics and reductions on global and shared memory; results do not depend on the order of the threads.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// atomics32 <<<16, 256>>> in bits 4096 out 16 rows 16 exact
extern "C" __global__ void atomics32(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, a = in[i];
  atomicAdd(&out[0], a);
  atomicSub(&out[1], a >> 3);
  atomicMin(&out[2], a);
  atomicMax(&out[3], a);
  atomicMin(reinterpret_cast<int*>(&out[4]), int(a));
  atomicMax(reinterpret_cast<int*>(&out[5]), int(a));
  atomicAnd(&out[6], a | 0xFF00FF00u);
  atomicOr(&out[7], a & 0x00FF00FFu);
  atomicXor(&out[8], a);
  atomicInc(&out[9], 1000);
  atomicDec(&out[10], 1000);
  unsigned seen = out[11], expected;
  do {
    expected = seen;
    seen = atomicCAS(&out[11], expected, expected * 1u + (a & 0xFFFF));
  } while (seen != expected);
  atomicAdd(reinterpret_cast<float*>(&out[12]), float(a & 7));
  atomicAdd(&out[13], atomicExch(&out[14], 0) & 0);
  asm volatile("red.global.add.u32 [%0], %1;" ::"l"(&out[15]), "r"(a & 0xFF) : "memory");
}

// atomics64 <<<16, 256>>> in bits 8192 out 32 rows 16 exact
extern "C" __global__ void atomics64(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto a = reinterpret_cast<const unsigned long long*>(in)[i];
  auto* to = reinterpret_cast<unsigned long long*>(out);
  atomicAdd(&to[0], a);
  atomicMin(&to[1], a);
  atomicMax(&to[2], a);
  atomicMax(reinterpret_cast<long long*>(&to[3]), static_cast<long long>(a));
  atomicAnd(&to[4], a | 0xFFFF0000FFFF0000ull);
  atomicOr(&to[5], a & 0xF0F0F0F0ull);
  atomicXor(&to[6], a);
  atomicAdd(reinterpret_cast<double*>(&to[7]), double(a & 1023));
  unsigned long long seen = to[8], expected;
  do {
    expected = seen;
    seen = atomicCAS(&to[8], expected, expected ^ (a << 1));
  } while (seen != expected);
  atomicAdd(reinterpret_cast<__half2*>(&to[9]), __floats2half2_rn(float(a & 1) * 0.125F, 0.0F));
  atomicAdd(reinterpret_cast<__half*>(&to[10]), __float2half(float(a & 1) * 0.25F));
  atomicAdd(reinterpret_cast<__nv_bfloat16*>(&to[11]), __float2bfloat16(float((a & 31) == 0)));
  atomicCAS(reinterpret_cast<unsigned short*>(&to[12]) + 1, static_cast<unsigned short>(0), static_cast<unsigned short>(77));
  atomicAdd_system(reinterpret_cast<unsigned*>(&to[13]), 3u);
  atomicAdd_block(reinterpret_cast<unsigned*>(&to[14]), 0u);
  asm volatile("red.release.gpu.global.max.s64 [%0], %1;" ::"l"(&to[15]), "l"(a >> 1) : "memory");
}

// histogram <<<32, 256>>> in bits 8192 out 256 rows 1 exact
extern "C" __global__ void histogram(const unsigned* in, unsigned* out) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  const unsigned a = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int byte = 0; byte < 4; ++byte) atomicAdd(&bins[a >> (8 * byte) & 255], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

// shared_atomics <<<8, 256>>> in bits 2048 out 64 rows 8 exact
extern "C" __global__ void shared_atomics(const unsigned* in, unsigned* out) {
  __shared__ unsigned words[6];
  __shared__ unsigned long long wide;
  __shared__ float sum;
  if (threadIdx.x < 6) words[threadIdx.x] = threadIdx.x == 1 ? ~0u : 0;
  if (threadIdx.x == 0) wide = 0, sum = 0;
  __syncthreads();
  const unsigned a = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&words[0], a);
  atomicMin(&words[1], a);
  atomicMax(&words[2], a);
  atomicXor(&words[3], a);
  atomicInc(&words[4], 99);
  atomicAdd(&wide, static_cast<unsigned long long>(a) << 8);
  atomicAdd(&sum, float(a & 15));
  unsigned seen = words[5], expected;
  do {
    expected = seen;
    seen = atomicCAS(&words[5], expected, expected + (a & 3));
  } while (seen != expected);
  __syncthreads();
  if (threadIdx.x < 6) out[8 * blockIdx.x + threadIdx.x] = words[threadIdx.x];
  if (threadIdx.x == 6) out[8 * blockIdx.x + 6] = unsigned(wide ^ wide >> 32);
  if (threadIdx.x == 7) out[8 * blockIdx.x + 7] = __float_as_uint(sum);
}

// spin_locks <<<16, 64>>> in bits 1024 out 4 rows 1 exact
extern "C" __global__ void spin_locks(const unsigned* in, unsigned* out) {
  for (bool done = false; !done;) {
    if (atomicCAS(&out[0], 0u, 1u) == 0) {
      __threadfence();
      volatile unsigned* counter = &out[1];
      *counter = *counter + (in[blockIdx.x * blockDim.x + threadIdx.x] & 0xFF);
      __threadfence();
      atomicExch(&out[0], 0u);
      done = true;
    }
  }
  atomicAdd(&out[2], 1u);
}

// last_block <<<32, 128>>> in bits 4096 out 35 rows 1 exact
extern "C" __global__ void last_block(const unsigned* in, unsigned* out) {
  __shared__ unsigned sum;
  __shared__ bool last;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x] >> 4);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(&out[33], 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0)
    for (unsigned block = 0; block < gridDim.x; ++block)
      out[32] = out[32] * 31 + reinterpret_cast<volatile unsigned*>(out)[block];
}
