// Kernels that launch kernels. Each NAME_plain makes the same by one thread and without a launch.
#include "hopper.cuh"

// Streams of each thread: a chain of launches, fills and copies in each. Fills are of zeros: CUDA 13.0's device runtime
// fills with zeros on an H100, whatever value it is given.
__global__ void step(unsigned* words, unsigned round) { words[threadIdx.x] = mixed(words[threadIdx.x], round); }
// launched_streams <<<2, 8>>> in bits 512 out 1024 rows 2 exact sm_90a dynamic plain
extern "C" __global__ void launched_streams(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * 8 + threadIdx.x;
  unsigned *const words = out + 32 * i, *const copy = out + 512 + 32 * i;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemcpyAsync(words, in + 32 * i, 128, cudaMemcpyDeviceToDevice, stream);
  for (unsigned round = 0; round < 5; ++round) step<<<1, 32, 0, stream>>>(words, round);
  cudaMemsetAsync(words + 28, 0, 8, stream);
  cudaMemcpyAsync(copy, words, 128, cudaMemcpyDeviceToDevice, stream);
  step<<<1, 16, 0, stream>>>(words, i);
  cudaStreamDestroy(stream);
}
extern "C" __global__ void launched_streams_plain(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 512; ++i) {
    unsigned word = in[i];
    for (unsigned round = 0; round < 5; ++round) word = mixed(word, round);
    if (i % 32 == 28 || i % 32 == 29) word = 0;
    out[512 + i] = word;
    out[i] = i % 32 < 16 ? mixed(word, i / 32) : word;
  }
}

// An event lets one stream wait for another.
__global__ void add_to(unsigned* to, const unsigned* from) { to[threadIdx.x] += mixed(from[threadIdx.x], 1); }
// launched_events <<<1, 1>>> in bits 64 out 192 rows 3 exact sm_90a dynamic plain
extern "C" __global__ void launched_events(const unsigned* in, unsigned* out) {
  cudaStream_t stream[3];
  for (cudaStream_t& each : stream) cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking);
  for (unsigned round = 0; round < 6; ++round) {
    const unsigned to = round % 3, from = (round + 2) % 3;
    add_to<<<1, 64, 0, stream[to]>>>(out + 64 * to, round == 0 ? in : out + 64 * from);
    cudaEvent_t done;
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaEventRecord(done, stream[to]);
    cudaStreamWaitEvent(stream[(to + 1) % 3], done, 0);
    cudaEventDestroy(done);
  }
  for (cudaStream_t& each : stream) cudaStreamDestroy(each);
}
extern "C" __global__ void launched_events_plain(const unsigned* in, unsigned* out) {
  for (unsigned round = 0; round < 6; ++round)
    for (unsigned i = 0; i < 64; ++i)
      out[64 * (round % 3) + i] += mixed(round == 0 ? in[i] : out[64 * ((round + 2) % 3) + i], 1);
}

// Tail launches, which come in order behind all else; one of them launches more of both kinds.
__global__ void note(unsigned* list, unsigned value) {
  const unsigned place = atomicAdd(list, 1) + 1;
  list[place] = value;
}
__global__ void note_more(unsigned* list, unsigned value) {
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(list, value + 3);
  note<<<1, 1>>>(list, value + 1);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(list, value + 4);
  note<<<1, 1>>>(list, value + 2);
}
// launched_tails <<<1, 1>>> in bits 16 out 32 rows 1 exact sm_90a dynamic plain
extern "C" __global__ void launched_tails(const unsigned* in, unsigned* out) {
  note_more<<<1, 1, 0, cudaStreamTailLaunch>>>(out, in[0]);
  note<<<1, 1>>>(out, in[1]);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(out, in[2]);
  note_more<<<1, 1>>>(out, in[3]);
  note<<<1, 1>>>(out, in[4]);
  note_more<<<1, 1, 0, cudaStreamTailLaunch>>>(out, in[5]);
}
extern "C" __global__ void launched_tails_plain(const unsigned* in, unsigned* out) {
  const auto add = [=](unsigned value) { out[++out[0]] = value; };
  const auto add_more = [=](unsigned value) {
    for (unsigned i = 1; i < 5; ++i) add(value + i);
  };
  add(in[1]), add_more(in[3]), add(in[4]), add_more(in[0]), add(in[2]), add_more(in[5]);
}

// A kernel that launches itself behind itself: a cellular automaton over two buffers.
__global__ void generation(unsigned* now, unsigned* next, unsigned left) {
  const unsigned i = threadIdx.x, before = now[(i + 255) % 256], behind = now[(i + 1) % 256];
  next[i] = mixed(now[i] + before, behind);
  if (i == 0 && left > 1) generation<<<1, 256, 0, cudaStreamTailLaunch>>>(next, now, left - 1);
}
// launched_generations <<<1, 256>>> in bits 256 out 512 rows 2 exact sm_90a dynamic plain
extern "C" __global__ void launched_generations(const unsigned* in, unsigned* out) {
  out[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 0) generation<<<1, 256, 0, cudaStreamTailLaunch>>>(out, out + 256, 33);
}
extern "C" __global__ void launched_generations_plain(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 256; ++i) out[i] = in[i];
  for (unsigned round = 0; round < 33; ++round) {
    unsigned *const now = out + 256 * (round & 1), *const next = out + 256 * (~round & 1);
    for (unsigned i = 0; i < 256; ++i) next[i] = mixed(now[i] + now[(i + 255) % 256], now[(i + 1) % 256]);
  }
}

// Fire and forget: any order, sums that are the same in each; and a tail launch that sees them all.
__global__ void add_words(const unsigned* in, unsigned* sums, unsigned depth) {
  atomicAdd(sums + threadIdx.x % 16, mixed(in[threadIdx.x], depth));
  if (depth > 0 && threadIdx.x < 2)
    add_words<<<1, 32, 0, cudaStreamFireAndForget>>>(in + 32 * threadIdx.x, sums, depth - 1);
}
__global__ void finish(unsigned* sums) { sums[32 + threadIdx.x] = mixed(sums[threadIdx.x], 5); }
// launched_sums <<<1, 4>>> in bits 512 out 64 rows 1 exact sm_90a dynamic plain
extern "C" __global__ void launched_sums(const unsigned* in, unsigned* out) {
  if (threadIdx.x == 0) finish<<<1, 16, 0, cudaStreamTailLaunch>>>(out);
  add_words<<<1, 32, 0, cudaStreamFireAndForget>>>(in + 32 * threadIdx.x, out, 4);
}
__device__ void add_words_plainly(const unsigned* in, unsigned* sums, unsigned depth) {
  for (unsigned i = 0; i < 32; ++i) sums[i % 16] += mixed(in[i], depth);
  if (depth == 0) return;
  add_words_plainly(in, sums, depth - 1);
  add_words_plainly(in + 32, sums, depth - 1);
}
extern "C" __global__ void launched_sums_plain(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 4; ++i) add_words_plainly(in + 32 * i, out, 4);
  for (unsigned i = 0; i < 16; ++i) out[32 + i] = mixed(out[i], 5);
}

// Quicksort: a kernel parts its words, and launches itself for both parts; few are sorted by hand.
__global__ void quicksort(unsigned* words, int count) {
  if (count <= 8) {
    for (int i = 1; i < count; ++i)
      for (int k = i; k > 0 && words[k - 1] > words[k]; --k) {
        const unsigned word = words[k];
        words[k] = words[k - 1];
        words[k - 1] = word;
      }
    return;
  }
  const unsigned pivot = words[count / 2];
  int low = 0, high = count - 1;
  while (low <= high) {
    while (words[low] < pivot) ++low;
    while (words[high] > pivot) --high;
    if (low > high) break;
    const unsigned word = words[low];
    words[low++] = words[high];
    words[high--] = word;
  }
  cudaStream_t side;
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  quicksort<<<1, 1, 0, side>>>(words, high + 1);
  cudaStreamDestroy(side);
  quicksort<<<1, 1>>>(words + low, count - low);
}
// launched_quicksort <<<1, 1>>> in bits 512 out 512 rows 1 exact sm_90a dynamic plain
extern "C" __global__ void launched_quicksort(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 512; ++i) out[i] = in[i];
  quicksort<<<1, 1>>>(out, 512);
}
extern "C" __global__ void launched_quicksort_plain(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 512; ++i) {
    unsigned place = i;
    for (; place > 0 && out[place - 1] > in[i]; --place) out[place] = out[place - 1];
    out[place] = in[i];
  }
}

// Squares that are filled where a rule holds for all of their cells, and else quartered, down to single cells.
__device__ bool is_even(const unsigned* in, unsigned x, unsigned y, unsigned size) {
  const unsigned first = in[y * 32 + x] >> 31;
  for (unsigned i = 0; i < size * size; ++i)
    if (in[(y + i / size) * 32 + x + i % size] >> 31 != first) return false;
  return true;
}
__global__ void quarter(const unsigned* in, unsigned* out, unsigned x, unsigned y, unsigned size) {
  x += blockIdx.x * size;
  y += blockIdx.y * size;
  if (is_even(in, x, y, size)) {
    for (unsigned i = threadIdx.x; i < size * size; i += blockDim.x) out[(y + i / size) * 32 + x + i % size] = size;
  } else if (threadIdx.x == 0) {
    quarter<<<dim3(2, 2), 32, 0, cudaStreamFireAndForget>>>(in, out, x, y, size / 2);
  }
}
// launched_quarters <<<1, 1>>> in bits 1024 out 1024 rows 1 exact sm_90a dynamic plain
extern "C" __global__ void launched_quarters(const unsigned* in, unsigned* out) {
  quarter<<<1, 32>>>(in, out, 0, 0, 32);
}
__device__ void quarter_plainly(const unsigned* in, unsigned* out, unsigned x, unsigned y, unsigned size) {
  if (is_even(in, x, y, size)) {
    for (unsigned i = 0; i < size * size; ++i) out[(y + i / size) * 32 + x + i % size] = size;
    return;
  }
  for (unsigned i = 0; i < 4; ++i) quarter_plainly(in, out, x + i % 2 * (size / 2), y + i / 2 * (size / 2), size / 2);
}
extern "C" __global__ void launched_quarters_plain(const unsigned* in, unsigned* out) {
  quarter_plainly(in, out, 0, 0, 32);
}
