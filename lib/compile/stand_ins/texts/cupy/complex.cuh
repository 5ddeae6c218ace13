// complex and its functions as CuPy's header of this name offers them: of namespace thrust, and by using in the global
// one. Arithmetic and functions are those of pycuda-complex.hpp here. Aligned as float2 and double2, to which and from
// which it converts, so that the functions of cuComplex.h take and give it.
#ifndef KILN_CUPY_COMPLEX_CUH
#define KILN_CUPY_COMPLEX_CUH

extern "C++" {

#include <kiln_complex_types.h>
#include <cuda/std/complex>

namespace thrust {

template <class T>
struct alignas(2 * sizeof(T)) complex {
  typedef T value_type;

  complex() = default;
  __host__ __device__ constexpr complex(const T& re, const T& im = T()) : re_(re), im_(im) {}
  template <class U>
  __host__ __device__ constexpr complex(const complex<U>& z) : re_(T(z.real())), im_(T(z.imag())) {}
  __host__ __device__ explicit constexpr complex(const cuda::std::complex<T>& z) : re_(z.real()), im_(z.imag()) {}
  template <class V, typename kiln_complex::only_if<
                         kiln_complex::is_same<typename kiln_complex::is_vector_of<V>::part, T>::value>::type = 0>
  __host__ __device__ constexpr complex(const V& v) : re_(v.x), im_(v.y) {}

  __host__ __device__ explicit constexpr operator cuda::std::complex<T>() const {
    return cuda::std::complex<T>(re_, im_);
  }
  template <class V, typename kiln_complex::only_if<
                         kiln_complex::is_same<typename kiln_complex::is_vector_of<V>::part, T>::value>::type = 0>
  __host__ __device__ constexpr operator V() const {
    return V{re_, im_};
  }

  __host__ __device__ complex& operator=(const T& x) { return *this = complex(x); }
  template <class U>
  __host__ __device__ complex& operator=(const complex<U>& z) {
    return *this = complex(z);
  }
  __host__ __device__ complex& operator+=(const complex& z) { return *this = *this + z; }
  __host__ __device__ complex& operator-=(const complex& z) { return *this = *this - z; }
  __host__ __device__ complex& operator*=(const complex& z) { return *this = *this * z; }
  __host__ __device__ complex& operator/=(const complex& z) { return *this = *this / z; }

  __host__ __device__ constexpr T real() const { return re_; }
  __host__ __device__ constexpr T imag() const { return im_; }
  __host__ __device__ T real() const volatile { return re_; }
  __host__ __device__ T imag() const volatile { return im_; }
  __host__ __device__ void real(T re) { re_ = re; }
  __host__ __device__ void imag(T im) { im_ = im; }
  __host__ __device__ void real(T re) volatile { re_ = re; }
  __host__ __device__ void imag(T im) volatile { im_ = im; }

 private:
  T re_;
  T im_;
};

#include <kiln_complex_functions.h>

}  // namespace thrust

using thrust::acos;
using thrust::acosh;
using thrust::arg;
using thrust::asin;
using thrust::asinh;
using thrust::atan;
using thrust::atanh;
using thrust::complex;
using thrust::conj;
using thrust::cos;
using thrust::cosh;
using thrust::exp;
using thrust::imag;
using thrust::log;
using thrust::log10;
using thrust::real;
using thrust::sin;
using thrust::sinh;
using thrust::tan;
using thrust::tanh;

template <class T>
__host__ __device__ bool isnan(complex<T> z) {
  return isnan(z.real()) || isnan(z.imag());
}
template <class T>
__host__ __device__ bool isinf(complex<T> z) {
  return isinf(z.real()) || isinf(z.imag());
}
template <class T>
__host__ __device__ bool isfinite(complex<T> z) {
  return isfinite(z.real()) && isfinite(z.imag());
}
template <class T>
__host__ __device__ complex<T> expm1(complex<T> z) {
  return exp(z) - T(1);
}
template <class T>
__host__ __device__ complex<T> log1p(complex<T> z) {
  return log(z + T(1));
}
template <class T>
__host__ __device__ complex<T> log2(complex<T> z) {
  return log(z) / cuda::std::log(T(2));
}
template <class T>
__host__ __device__ complex<T> rint(complex<T> z) {
  return complex<T>(rint(z.real()), rint(z.imag()));
}

// As numpy orders complex numbers, by the real part first; but what is not a number is passed over.
namespace kiln_complex {
template <class T>
__host__ __device__ bool is_less(const complex<T>& a, const complex<T>& b) {
  return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
}
}  // namespace kiln_complex
template <class T>
__host__ __device__ complex<T> min(complex<T> a, complex<T> b) {
  if (isnan(a)) return b;
  return isnan(b) || !kiln_complex::is_less(b, a) ? a : b;
}
template <class T>
__host__ __device__ complex<T> max(complex<T> a, complex<T> b) {
  if (isnan(a)) return b;
  return isnan(b) || !kiln_complex::is_less(a, b) ? a : b;
}

}  // extern "C++"

#endif
