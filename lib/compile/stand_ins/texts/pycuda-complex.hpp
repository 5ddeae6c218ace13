// pycuda::complex as PyCUDA's header of this name declares it. Its arithmetic is the plain formulas, without C's rules
// for infinite operands, as in PyCUDA; its functions are those of cuda::std::complex. Laid out as numpy's complex64 and
// complex128, aligned as float and double.
#ifndef PYCUDA_COMPLEX_HPP_SEEN
#define PYCUDA_COMPLEX_HPP_SEEN

extern "C++" {  // PyCUDA wraps sources in extern "C"

#include <kiln_complex_types.h>
#include <cuda/std/complex>

namespace pycuda {

template <class T>
struct complex {
  typedef T value_type;

  T _M_re;
  T _M_im;

  __host__ __device__ constexpr complex(T re = T(), T im = T()) : _M_re(re), _M_im(im) {}
  template <class U, typename kiln_complex::only_if<kiln_complex::widens<U, T>::value>::type = 0>
  __host__ __device__ constexpr complex(const complex<U>& z) : _M_re(z._M_re), _M_im(z._M_im) {}
  template <class U, typename kiln_complex::only_if<!kiln_complex::widens<U, T>::value>::type = 0>
  __host__ __device__ explicit constexpr complex(const complex<U>& z) : _M_re(T(z._M_re)), _M_im(T(z._M_im)) {}
  __host__ __device__ explicit constexpr complex(const cuda::std::complex<T>& z) : _M_re(z.real()), _M_im(z.imag()) {}
  __host__ __device__ explicit constexpr operator cuda::std::complex<T>() const {
    return cuda::std::complex<T>(_M_re, _M_im);
  }

  template <class U>
  __host__ __device__ complex& operator=(const complex<U>& z) {
    _M_re = T(z._M_re);
    _M_im = T(z._M_im);
    return *this;
  }
  template <class U>
  __host__ __device__ void operator=(const complex<U>& z) volatile {
    _M_re = T(z._M_re);
    _M_im = T(z._M_im);
  }
  __host__ __device__ complex& operator=(const T& x) { return *this = complex(x); }
  __host__ __device__ void operator=(const T& x) volatile { *this = complex(x); }

  __host__ __device__ constexpr T real() const { return _M_re; }
  __host__ __device__ constexpr T imag() const { return _M_im; }

  __host__ __device__ complex& operator+=(const T& x) {
    _M_re += x;
    return *this;
  }
  __host__ __device__ complex& operator-=(const T& x) {
    _M_re -= x;
    return *this;
  }
  __host__ __device__ complex& operator*=(const T& x) {
    _M_re *= x;
    _M_im *= x;
    return *this;
  }
  __host__ __device__ complex& operator/=(const T& x) {
    _M_re /= x;
    _M_im /= x;
    return *this;
  }
  template <class U>
  __host__ __device__ complex& operator+=(const complex<U>& z) {
    return *this = *this + complex(z);
  }
  template <class U>
  __host__ __device__ complex& operator-=(const complex<U>& z) {
    return *this = *this - complex(z);
  }
  template <class U>
  __host__ __device__ complex& operator*=(const complex<U>& z) {
    return *this = *this * complex(z);
  }
  template <class U>
  __host__ __device__ complex& operator/=(const complex<U>& z) {
    return *this = *this / complex(z);
  }
};

#include <kiln_complex_functions.h>

template <class T>
__host__ __device__ complex<T> operator+(const volatile complex<T>& a, const volatile complex<T>& b) {
  return complex<T>(a._M_re, a._M_im) + complex<T>(b._M_re, b._M_im);
}
template <class T>
__host__ __device__ complex<T> operator*(const volatile complex<T>& a, const volatile complex<T>& b) {
  return complex<T>(a._M_re, a._M_im) * complex<T>(b._M_re, b._M_im);
}

}  // namespace pycuda

}  // extern "C++"

#endif
