// What the complex classes and their functions need to say about types.
#ifndef KILN_COMPLEX_TYPES_H
#define KILN_COMPLEX_TYPES_H

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
