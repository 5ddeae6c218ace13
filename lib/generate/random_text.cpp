#include "generate/random_text.hpp"

#define KILN_DEVICE_CODE(...) #__VA_ARGS__

namespace kiln {

namespace {

constexpr const char* philox_code =
#include "generate/philox_code.hpp"
    ;

// Numbers from bits as curand_uniform and curand_normal make them. A float is of 4 bytes of the block, a double of 8.
constexpr const char* number_code = R"cuda(
__device__ inline void kiln_uniforms(const kiln_words& bits, float (&to)[4]) {
  const unsigned words[4] = {bits.x, bits.y, bits.z, bits.w};
  for (int k = 0; k < 4; ++k) to[k] = words[k] * 0x1p-32f + 0x1p-33f;
}
__device__ inline double kiln_uniform_of(unsigned low, unsigned high) {
  return (low ^ ((unsigned long long)high << 21)) * 0x1p-53 + 0x1p-54;
}
__device__ inline void kiln_uniforms(const kiln_words& bits, double (&to)[2]) {
  to[0] = kiln_uniform_of(bits.x, bits.y);
  to[1] = kiln_uniform_of(bits.z, bits.w);
}
__device__ inline void kiln_normals(const kiln_words& bits, float (&to)[4]) {
  const unsigned words[4] = {bits.x, bits.y, bits.z, bits.w};
  for (int k = 0; k < 4; k += 2) {
    const float radius = sqrtf(-2 * logf(words[k] * 0x1p-32f + 0x1p-33f));
    sincospif(words[k + 1] * 0x1p-31f + 0x1p-32f, &to[k], &to[k + 1]);
    to[k] *= radius;
    to[k + 1] *= radius;
  }
}
__device__ inline void kiln_normals(const kiln_words& bits, double (&to)[2]) {
  const double radius = sqrt(-2 * log(kiln_uniform_of(bits.x, bits.y)));
  sincospi(2 * kiln_uniform_of(bits.z, bits.w), &to[0], &to[1]);
  to[0] *= radius;
  to[1] *= radius;
}
template <unsigned size, class T>
__device__ inline void kiln_store(T* y, unsigned long count, unsigned long long block, unsigned long long offset,
                                  const T (&numbers)[size]) {
  const unsigned long long first = block * size - offset;
  if (first < count && count - first >= size && (unsigned long long)(y + first) % 16 == 0) {
    union {
      uint4 word;
      T values[size];
    } all;
    for (unsigned k = 0; k < size; ++k) all.values[k] = numbers[k];
    *reinterpret_cast<uint4*>(y + first) = all.word;
    return;
  }
  // Of the first and the last block some numbers are not meant; those before the first one wrap.
  for (unsigned k = 0; k < size; ++k)
    if (first + k < count) y[first + k] = numbers[k];
}
template <class T>
__device__ inline void kiln_uniform(T* y, unsigned long count, unsigned long long block, unsigned long long seed,
                                    unsigned long long offset) {
  T numbers[16 / sizeof(T)];
  kiln_uniforms(kiln_block(seed, block), numbers);
  kiln_store<16 / sizeof(T)>(y, count, block, offset, numbers);
}
template <class T>
__device__ inline void kiln_normal(T* y, unsigned long count, unsigned long long block, unsigned long long seed,
                                   unsigned long long offset) {
  T numbers[16 / sizeof(T)];
  kiln_normals(kiln_block(seed, block), numbers);
  kiln_store<16 / sizeof(T)>(y, count, block, offset, numbers);
}
)cuda";

}  // namespace

std::string random_text() { return std::string(philox_code) + '\n' + number_code; }

}  // namespace kiln
