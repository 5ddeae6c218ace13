// Random numbers in device memory.
#pragma once

#include <kiln/detail/built_in_kernels.hpp>

#include <cstddef>
#include <type_traits>

// The generator is Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, 2011), of
// Kiln's own: a number depends on the seed and on its position alone, not on device, grid, or how a sequence is cut
// into calls. Uniform and normal numbers are those that curand_uniform and curand_normal (of doubles
// curand_uniform2_double and curand_normal2_double) give of a curandStatePhilox4_32_10_t with that seed and subsequence
// 0; cuRAND's headers are not needed. Two calls with the same seed and positions give the same numbers: go on with
// offset + y.size(). What <kiln/algorithms.hpp> says of vectors, threads and errors holds here. Counterpart:
// pycuda.curandom.
namespace kiln::random {

/// y[i] becomes the number offset + i of the sequence, above 0 and up to 1, of float or double; of integers any value
/// of their type, each as likely. 32-bit integers are those that curand() gives. Throws ArgumentError for a y that does
/// not know its length, and for positions beyond 2^64. Counterpart: pycuda.curandom.rand, fill_uniform; curand_uniform.
template <class Y>
void uniform(const Y& y, unsigned long long seed, unsigned long long offset = 0, CUstream stream = nullptr) {
  using T = detail::Element<Y>;
  static_assert(
      (std::is_integral_v<T> && !std::is_same_v<T, bool>) || std::is_same_v<T, float> || std::is_same_v<T, double>,
      "uniform random numbers are of float, double or an integer type");
  detail::fill_random<detail::Usual::uniform>(y, seed, offset, stream);
}
/// The same of the normal distribution with mean 0 and deviation 1, by Box and Muller's transform. Sines and cosines
/// are those of full accuracy, so that floats may differ from cuRAND's in their last digits. Counterpart:
/// pycuda.curandom.fill_normal; curand_normal.
template <class Y>
void normal(const Y& y, unsigned long long seed, unsigned long long offset = 0, CUstream stream = nullptr) {
  detail::check_random_floating<Y>();
  detail::fill_random<detail::Usual::normal>(y, seed, offset, stream);
}
/// The exponential function of a normal number with this mean and deviation: they are those of the logarithm.
/// Counterpart: pycuda.curandom.fill_log_normal; curand_log_normal.
template <class Y>
void log_normal(const Y& y, const detail::Element<Y>& mean, const detail::Element<Y>& deviation,
                unsigned long long seed, unsigned long long offset = 0, CUstream stream = nullptr) {
  detail::check_random_floating<Y>();
  detail::fill_random<detail::Usual::log_normal>(y, seed, offset, stream, mean, deviation);
}
/// Counts of the Poisson distribution with this mean, from 0 to 2^30, as integers of 32 or 64 bits, float or double.
/// Each position has random bits of its own, which the other functions do not use: means below 10 by inversion, others
/// by transformed rejection (Hoermann 1993), computed in double. The numbers are not cuRAND's. Throws ArgumentError for
/// another mean, and as uniform. Counterpart: pycuda.curandom.fill_poisson; curand_poisson.
template <class Y>
void poisson(const Y& y, double mean, unsigned long long seed, unsigned long long offset = 0,
             CUstream stream = nullptr) {
  using T = detail::Element<Y>;
  static_assert((std::is_integral_v<T> && sizeof(T) >= 4) || std::is_same_v<T, float> || std::is_same_v<T, double>,
                "Poisson numbers are integers of 32 or 64 bits, float or double");
  detail::check_poisson(detail::vector_count(y), mean, offset);
  detail::usual_elementwise<detail::Usual::poisson, T>()({{}, {}, stream}, y, mean, seed, offset);
}

}  // namespace kiln::random
