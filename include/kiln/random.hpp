// Random numbers in device memory.
#pragma once

#include <kiln/detail/usual_kernels.hpp>

#include <cstddef>
#include <type_traits>

// The generator is Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, 2011), of
// Kiln's own: a number depends on the seed and on its position alone, not on device, grid, or how a sequence is cut
// into calls. They are the numbers that curand_uniform and curand_normal (of doubles curand_uniform2_double and
// curand_normal2_double) give of a curandStatePhilox4_32_10_t with that seed and subsequence 0, so that cuRAND's
// headers are not needed. What <kiln/algorithms.hpp> says of vectors, threads and errors holds here. Counterpart:
// pycuda.curandom.
namespace kiln::random {

/// y[i] becomes the number offset + i of the sequence, above 0 and up to 1, of float or double. Two calls with the same
/// seed and positions give the same numbers: go on with offset + y.size(). Counterpart: pycuda.curandom.rand,
/// fill_uniform; curand_uniform.
template <class Y>
void uniform(const Y& y, unsigned long long seed, unsigned long long offset = 0, CUstream stream = nullptr) {
  using T = detail::Element<Y>;
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "random numbers are of float or double");
  detail::usual_elementwise<detail::Usual::uniform, T>()(
      detail::blocks_of_random(detail::Usual::uniform, detail::element_count(y), sizeof(T), offset, stream), y,
      static_cast<unsigned long>(detail::element_count(y)), seed, offset);
}
/// The same of the normal distribution with mean 0 and deviation 1, by Box and Muller's transform. Sines and cosines
/// are those of full accuracy, so that floats may differ from cuRAND's in their last digits. Counterpart:
/// pycuda.curandom.fill_normal; curand_normal.
template <class Y>
void normal(const Y& y, unsigned long long seed, unsigned long long offset = 0, CUstream stream = nullptr) {
  using T = detail::Element<Y>;
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "random numbers are of float or double");
  detail::usual_elementwise<detail::Usual::normal, T>()(
      detail::blocks_of_random(detail::Usual::normal, detail::element_count(y), sizeof(T), offset, stream), y,
      static_cast<unsigned long>(detail::element_count(y)), seed, offset);
}

}  // namespace kiln::random
