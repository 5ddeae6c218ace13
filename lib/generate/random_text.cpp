#include "generate/random_text.hpp"

#define KILN_DEVICE_CODE(...) #__VA_ARGS__

namespace kiln {

namespace {

// Macros of KILN_DEFAULT_OPTIONS do not affect it.
constexpr const char* undefines =
    "#undef T\n#undef all\n#undef at\n#undef attempt\n#undef bits\n#undef block\n#undef counter\n#undef high\n"
    "#undef inverse_alpha\n#undef k\n#undef key_x\n#undef key_y\n#undef kiln_attempt\n#undef kiln_block\n"
    "#undef kiln_high\n#undef kiln_normals\n#undef kiln_philox\n#undef kiln_poisson_by_inversion\n"
    "#undef kiln_poisson_by_rejection\n#undef kiln_store\n#undef kiln_uniform_of\n#undef kiln_uniforms\n"
    "#undef kiln_words\n#undef log_mean\n#undef low\n#undef number\n#undef numbers\n#undef probability\n"
    "#undef quick\n#undef radius\n#undef round\n#undef size\n#undef sum\n#undef to\n#undef to_edge\n#undef u\n"
    "#undef uniform\n#undef v\n#undef values\n#undef w\n#undef word\n#undef words\n";

constexpr const char* philox_code =
#include "generate/philox_code.hpp"
    ;

// A double above 0 and up to 1, as curand_uniform_double makes it.
constexpr const char* double_code = R"cuda(
__device__ inline double kiln_uniform_of(unsigned low, unsigned high) {
  return (low ^ ((unsigned long long)high << 21)) * 0x1p-53 + 0x1p-54;
}
)cuda";

// Numbers from bits as curand_uniform and curand_normal make them. A float is of 4 bytes of the block, a double of 8.
constexpr const char* number_code = R"cuda(
__device__ inline void kiln_uniforms(const kiln_words& bits, float (&to)[4]) {
  const unsigned words[4] = {bits.x, bits.y, bits.z, bits.w};
  for (int k = 0; k < 4; ++k) to[k] = words[k] * 0x1p-32f + 0x1p-33f;
}
__device__ inline void kiln_uniforms(const kiln_words& bits, double (&to)[2]) {
  to[0] = kiln_uniform_of(bits.x, bits.y);
  to[1] = kiln_uniform_of(bits.z, bits.w);
}
// Integers: the bits as they are.
template <class T, unsigned size>
__device__ inline void kiln_uniforms(const kiln_words& bits, T (&to)[size]) {
  const unsigned words[4] = {bits.x, bits.y, bits.z, bits.w};
  for (unsigned k = 0; k < size; ++k) {
    const unsigned at = k * sizeof(T) / 4;
    if (sizeof(T) == 8)
      to[k] = (T)(words[at] | (unsigned long long)words[at + 1] << 32);
    else
      to[k] = (T)(words[at] >> (8 * (k * sizeof(T) % 4)));
  }
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
template <class T>
__device__ inline void kiln_log_normal(T* y, unsigned long count, unsigned long long block, unsigned long long seed,
                                       unsigned long long offset, T mean, T deviation) {
  T numbers[16 / sizeof(T)];
  kiln_normals(kiln_block(seed, block), numbers);
  for (T& number : numbers) number = exp(mean + deviation * number);
  kiln_store<16 / sizeof(T)>(y, count, block, offset, numbers);
}
)cuda";

// Each position and attempt has a block of its own: the counter's last word is never that of the code above.
constexpr const char* poisson_code = R"cuda(
__device__ inline kiln_words kiln_attempt(unsigned long long seed, unsigned long long at, unsigned attempt) {
  return kiln_philox(kiln_words{(unsigned)at, (unsigned)(at >> 32), attempt, 1}, (unsigned)seed,
                     (unsigned)(seed >> 32));
}
// The first number up to which the probabilities add to more than a uniform one, or to all that a double can add.
__device__ inline double kiln_poisson_by_inversion(double mean, unsigned long long seed, unsigned long long at) {
  const kiln_words bits = kiln_attempt(seed, at, 0);
  const double uniform = kiln_uniform_of(bits.x, bits.y);
  double number = 0, probability = exp(-mean), sum = probability;
  while (uniform > sum) {
    probability *= mean / (number + 1);
    if (sum + probability == sum) break;
    sum += probability;
    ++number;
  }
  return number;
}
// W. Hoermann, The transformed rejection method for generating Poisson random variables, 1993: algorithm PTRS.
__device__ inline double kiln_poisson_by_rejection(double mean, unsigned long long seed, unsigned long long at) {
  const double log_mean = log(mean), b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), quick = 0.9277 - 3.6224 / (b - 2);
  for (unsigned attempt = 0;; ++attempt) {
    const kiln_words bits = kiln_attempt(seed, at, attempt);
    const double u = kiln_uniform_of(bits.x, bits.y) - 0.5, v = kiln_uniform_of(bits.z, bits.w);
    const double to_edge = 0.5 - fabs(u);
    if (to_edge <= 0) continue;
    const double number = floor((2 * a / to_edge + b) * u + mean + 0.43);
    if (to_edge >= 0.07 && v <= quick) return number;
    if (number < 0 || (to_edge < 0.013 && v > to_edge)) continue;
    if (log(v * inverse_alpha / (a / (to_edge * to_edge) + b)) <= number * log_mean - mean - lgamma(number + 1))
      return number;
  }
}
__device__ inline double kiln_poisson(double mean, unsigned long long seed, unsigned long long at) {
  return mean < 10 ? kiln_poisson_by_inversion(mean, seed, at) : kiln_poisson_by_rejection(mean, seed, at);
}
)cuda";

}  // namespace

std::string random_text() { return undefines + std::string(philox_code) + '\n' + double_code + number_code; }
std::string poisson_text() { return undefines + std::string(philox_code) + '\n' + double_code + poisson_code; }

}  // namespace kiln
