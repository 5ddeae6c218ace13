// Loads and stores of every space and shape.
struct Mixed {
  char c;
  short s;
  int i;
  double d;
  float3 f;
  unsigned char bytes[7];
};
__constant__ unsigned primes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
__constant__ Mixed fixed_one = {'x', -7, 123456, 2.5, {1, 2, 3}, {9, 8, 7, 6, 5, 4, 3}};
__device__ unsigned counter = 5;
__device__ const unsigned* place = &primes[3];
__device__ unsigned matrix[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
__managed__ unsigned managed_word = 17;

// vectors <<<4, 128>>> in bits 8192 out 8192 rows 1 exact
extern "C" __global__ void vectors(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const uint4 a = reinterpret_cast<const uint4*>(in)[i];
  const ulonglong2 b = reinterpret_cast<const ulonglong2*>(in)[512 + i];
  const ushort4 c = __ldg(reinterpret_cast<const ushort4*>(in) + i);
  const uchar4 d = reinterpret_cast<const uchar4*>(in)[i];
  reinterpret_cast<uint4*>(out)[i] = make_uint4(a.w, a.z ^ unsigned(b.x), a.y + unsigned(b.y >> 40), a.x);
  reinterpret_cast<ushort4*>(out)[1024 + i] = make_ushort4(c.y, c.x, c.w, c.z);
  reinterpret_cast<uchar4*>(out)[3072 + i] = make_uchar4(d.w, d.z, d.y, d.x);
  reinterpret_cast<volatile signed char*>(out)[4 * 4096 + i] = static_cast<signed char>(d.x);
  __stcs(out + 5120 + i, __ldcs(in + i));
  __stwt(out + 6144 + i, __ldcg(in + i) + __ldca(in + i + 1));
}

// spaces <<<4, 128>>> in bits 512 out 2048 rows 4 exact
extern "C" __global__ void spaces(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x, a = in[i];
  unsigned local[24];
  for (int k = 0; k < 24; ++k) local[k] = a * unsigned(k);
  for (int k = 0; k < 24; ++k) local[(a >> (k & 15)) % 24] += local[k];
  out[i] = local[a % 24];
  out[512 + i] = primes[a & 15] + place[a & 7] + matrix[a % 3][a >> 4 & 3] + unsigned(fixed_one.i) + fixed_one.bytes[a % 7] +
                 unsigned(fixed_one.f.z) + managed_word;
  Mixed mixed = fixed_one;
  mixed.bytes[a % 7] = static_cast<unsigned char>(a);
  mixed.d *= double(a & 7);
  Mixed copies[3] = {mixed, fixed_one, mixed};
  const Mixed& one = copies[a % 3];
  out[1024 + i] = unsigned(one.d) + one.bytes[2] + unsigned(int(one.s)) + unsigned(one.c);
  __shared__ unsigned word[128];
  unsigned* generic = a & 1 ? &word[threadIdx.x] : &local[a % 24];
  *generic = a ^ 77;
  out[1536 + i] = *generic + unsigned(__isShared(generic)) + 2 * unsigned(__isLocal(generic)) + 4 * unsigned(__isGlobal(out)) +
                  8 * unsigned(__isConstant(&primes[1]));
}

// by_value <<<4, 128>>> in bits 512 out 512 rows 1 exact
extern "C" __global__ void by_value(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  unsigned char bytes[64];
  memcpy(bytes, in + (i & ~15u), 64);
  for (int k = 0; k < 32; ++k) {
    const unsigned char b = bytes[k];
    bytes[k] = bytes[63 - k];
    bytes[63 - k] = b;
  }
  for (int k = 42; k >= 3; --k) bytes[k] = bytes[k - 3];
  memset(bytes + 50, int(i), 5);
  unsigned r = 0;
  for (int k = 0; k < 64; ++k) r = r * 31 + bytes[k];
  out[i] = r;
}

// heap <<<4, 64>>> in bits 256 out 256 rows 1 exact
extern "C" __global__ void heap(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x, count = 1 + (in[i] & 31);
  auto* words = static_cast<unsigned*>(malloc(count * sizeof(unsigned)));
  unsigned r = 0;
  if (words != nullptr) {
    for (unsigned k = 0; k < count; ++k) words[k] = in[(i + k) & 255];
    for (unsigned k = 0; k < count; ++k) r = r * 7 + words[count - 1 - k];
    free(words);
  }
  struct Node {
    Node* next;
    unsigned value;
  };
  Node* head = nullptr;
  for (unsigned k = 0; k < 5; ++k) head = new Node{head, in[i] >> k};
  while (head != nullptr) {
    r ^= head->value * 3;
    Node* const next = head->next;
    delete head;
    head = next;
  }
  out[i] = r;
}

// special_registers <<<(2, 3, 2), (8, 4, 2)>>> in bits 4 out 768 rows 1 exact
extern "C" __global__ void special_registers(const unsigned*, unsigned* out) {
  const unsigned t = threadIdx.x + 8 * (threadIdx.y + 4 * threadIdx.z), b = blockIdx.x + 2 * (blockIdx.y + 3 * blockIdx.z);
  unsigned lane, warps, below, above;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%warpid;" : "=r"(warps));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(above));
  const long long start = clock64();
  out[64 * b + t] = blockDim.x + 10 * blockDim.y + 100 * blockDim.z + 1000 * gridDim.x + 5000 * gridDim.y + 20000 * gridDim.z +
                    lane * 7 + (below ^ above) + unsigned(clock64() >= start) + 0 * warps;
}
