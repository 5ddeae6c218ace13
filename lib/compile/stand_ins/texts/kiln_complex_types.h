// What the complex classes and their functions need to say about types.
#ifndef KILN_COMPLEX_TYPES_H
#define KILN_COMPLEX_TYPES_H

// The functions are libcu++'s, and CUDA 13's is C++17.
#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ >= 13 && __cplusplus < 201703L && \
    !defined(CCCL_IGNORE_DEPRECATED_CPP_DIALECT)
#error "complex numbers (cupy/complex.cuh, pycuda-complex.hpp) need C++17 with CUDA 13: leave the option -std out, or write -std=c++17"
#endif

extern "C++" {

namespace kiln_complex {
template <class T>
struct same {
  typedef T type;
};
template <bool condition>
struct only_if {};
template <>
struct only_if<true> {
  typedef int type;
};
template <class From, class To>
struct widens {
  static constexpr bool value = false;
};
template <>
struct widens<float, double> {
  static constexpr bool value = true;
};
template <class T, class U>
struct mixed {};
template <>
struct mixed<float, double> {
  typedef double type;
};
template <>
struct mixed<double, float> {
  typedef double type;
};
/// The vector type by which CUDA's own functions (cuComplex.h, cuFFT) know complex numbers of such parts.
template <class V>
struct is_vector_of {
  typedef void part;
};
template <>
struct is_vector_of<float2> {
  typedef float part;
};
template <>
struct is_vector_of<double2> {
  typedef double part;
};
template <class T, class U>
struct is_same {
  static constexpr bool value = false;
};
template <class T>
struct is_same<T, T> {
  static constexpr bool value = true;
};
}  // namespace kiln_complex

}  // extern "C++"

#endif
