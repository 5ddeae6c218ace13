// pycuda::complex as PyCUDA's header of this name declares it. Its arithmetic is the plain formulas, without C's rules
// for infinite operands, as in PyCUDA; its functions are those of cuda::std::complex. Laid out as numpy's complex64 and
// complex128, aligned as float and double.
#ifndef PYCUDA_COMPLEX_HPP_SEEN
#define PYCUDA_COMPLEX_HPP_SEEN

extern "C++" {  // PyCUDA wraps sources in extern "C"

#include <cuda/std/complex>

namespace pycuda {

namespace kiln_detail {
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
}  // namespace kiln_detail

template <class T>
struct complex {
  typedef T value_type;

  T _M_re;
  T _M_im;

  __host__ __device__ constexpr complex(T re = T(), T im = T()) : _M_re(re), _M_im(im) {}
  template <class U, typename kiln_detail::only_if<kiln_detail::widens<U, T>::value>::type = 0>
  __host__ __device__ constexpr complex(const complex<U>& z) : _M_re(z._M_re), _M_im(z._M_im) {}
  template <class U, typename kiln_detail::only_if<!kiln_detail::widens<U, T>::value>::type = 0>
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

// Two complex numbers

template <class T>
__host__ __device__ constexpr complex<T> operator+(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a._M_re + b._M_re, a._M_im + b._M_im);
}
template <class T>
__host__ __device__ constexpr complex<T> operator-(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a._M_re - b._M_re, a._M_im - b._M_im);
}
template <class T>
__host__ __device__ constexpr complex<T> operator*(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a._M_re * b._M_re - a._M_im * b._M_im, a._M_re * b._M_im + a._M_im * b._M_re);
}
/// Smith's way: divided by the larger part first, so that no square overflows.
template <class T>
__host__ __device__ complex<T> operator/(const complex<T>& a, const complex<T>& b) {
  const T re = b._M_re < T(0) ? -b._M_re : b._M_re;
  const T im = b._M_im < T(0) ? -b._M_im : b._M_im;
  if (re < im) {
    const T ratio = b._M_re / b._M_im, whole = b._M_re * ratio + b._M_im;
    return complex<T>((a._M_re * ratio + a._M_im) / whole, (a._M_im * ratio - a._M_re) / whole);
  }
  const T ratio = b._M_im / b._M_re, whole = b._M_re + b._M_im * ratio;
  return complex<T>((a._M_re + a._M_im * ratio) / whole, (a._M_im - a._M_re * ratio) / whole);
}
template <class T>
__host__ __device__ complex<T> operator+(const volatile complex<T>& a, const volatile complex<T>& b) {
  return complex<T>(a._M_re, a._M_im) + complex<T>(b._M_re, b._M_im);
}
template <class T>
__host__ __device__ complex<T> operator*(const volatile complex<T>& a, const volatile complex<T>& b) {
  return complex<T>(a._M_re, a._M_im) * complex<T>(b._M_re, b._M_im);
}
template <class T>
__host__ __device__ constexpr bool operator==(const complex<T>& a, const complex<T>& b) {
  return a._M_re == b._M_re && a._M_im == b._M_im;
}
template <class T>
__host__ __device__ constexpr bool operator!=(const complex<T>& a, const complex<T>& b) {
  return !(a == b);
}
template <class T>
__host__ __device__ constexpr complex<T> operator+(const complex<T>& z) {
  return z;
}
template <class T>
__host__ __device__ constexpr complex<T> operator-(const complex<T>& z) {
  return complex<T>(-z._M_re, -z._M_im);
}

// One of each precision: the wider one

template <class T, class U>
__host__ __device__ complex<typename kiln_detail::mixed<T, U>::type> operator+(const complex<T>& a,
                                                                               const complex<U>& b) {
  return complex<typename kiln_detail::mixed<T, U>::type>(a) + complex<typename kiln_detail::mixed<T, U>::type>(b);
}
template <class T, class U>
__host__ __device__ complex<typename kiln_detail::mixed<T, U>::type> operator-(const complex<T>& a,
                                                                               const complex<U>& b) {
  return complex<typename kiln_detail::mixed<T, U>::type>(a) - complex<typename kiln_detail::mixed<T, U>::type>(b);
}
template <class T, class U>
__host__ __device__ complex<typename kiln_detail::mixed<T, U>::type> operator*(const complex<T>& a,
                                                                               const complex<U>& b) {
  return complex<typename kiln_detail::mixed<T, U>::type>(a) * complex<typename kiln_detail::mixed<T, U>::type>(b);
}
template <class T, class U>
__host__ __device__ complex<typename kiln_detail::mixed<T, U>::type> operator/(const complex<T>& a,
                                                                               const complex<U>& b) {
  return complex<typename kiln_detail::mixed<T, U>::type>(a) / complex<typename kiln_detail::mixed<T, U>::type>(b);
}

// A complex number and a real one, which becomes the complex one's type

template <class T>
__host__ __device__ constexpr complex<T> operator+(const complex<T>& z, const typename kiln_detail::same<T>::type& x) {
  return complex<T>(z._M_re + x, z._M_im);
}
template <class T>
__host__ __device__ constexpr complex<T> operator+(const typename kiln_detail::same<T>::type& x, const complex<T>& z) {
  return complex<T>(x + z._M_re, z._M_im);
}
template <class T>
__host__ __device__ constexpr complex<T> operator-(const complex<T>& z, const typename kiln_detail::same<T>::type& x) {
  return complex<T>(z._M_re - x, z._M_im);
}
template <class T>
__host__ __device__ constexpr complex<T> operator-(const typename kiln_detail::same<T>::type& x, const complex<T>& z) {
  return complex<T>(x - z._M_re, -z._M_im);
}
template <class T>
__host__ __device__ constexpr complex<T> operator*(const complex<T>& z, const typename kiln_detail::same<T>::type& x) {
  return complex<T>(z._M_re * x, z._M_im * x);
}
template <class T>
__host__ __device__ constexpr complex<T> operator*(const typename kiln_detail::same<T>::type& x, const complex<T>& z) {
  return complex<T>(x * z._M_re, x * z._M_im);
}
template <class T>
__host__ __device__ constexpr complex<T> operator/(const complex<T>& z, const typename kiln_detail::same<T>::type& x) {
  return complex<T>(z._M_re / x, z._M_im / x);
}
template <class T>
__host__ __device__ complex<T> operator/(const typename kiln_detail::same<T>::type& x, const complex<T>& z) {
  return complex<T>(x) / z;
}
template <class T>
__host__ __device__ constexpr bool operator==(const complex<T>& z, const typename kiln_detail::same<T>::type& x) {
  return z._M_re == x && z._M_im == T(0);
}
template <class T>
__host__ __device__ constexpr bool operator==(const typename kiln_detail::same<T>::type& x, const complex<T>& z) {
  return z == x;
}
template <class T>
__host__ __device__ constexpr bool operator!=(const complex<T>& z, const typename kiln_detail::same<T>::type& x) {
  return !(z == x);
}
template <class T>
__host__ __device__ constexpr bool operator!=(const typename kiln_detail::same<T>::type& x, const complex<T>& z) {
  return !(z == x);
}

// Functions

template <class T>
__host__ __device__ constexpr T real(const complex<T>& z) {
  return z._M_re;
}
template <class T>
__host__ __device__ constexpr T imag(const complex<T>& z) {
  return z._M_im;
}
template <class T>
__host__ __device__ constexpr complex<T> conj(const complex<T>& z) {
  return complex<T>(z._M_re, -z._M_im);
}
template <class T>
__host__ __device__ constexpr T norm(const complex<T>& z) {
  return z._M_re * z._M_re + z._M_im * z._M_im;
}
template <class T>
__host__ __device__ T abs(const complex<T>& z) {
  return cuda::std::abs(cuda::std::complex<T>(z));
}
template <class T>
__host__ __device__ T arg(const complex<T>& z) {
  return cuda::std::arg(cuda::std::complex<T>(z));
}
template <class T>
__host__ __device__ complex<T> polar(const T& rho, const T& phi = T()) {
  return complex<T>(rho * cuda::std::cos(phi), rho * cuda::std::sin(phi));
}
template <class T>
__host__ __device__ complex<T> sqrt(const complex<T>& z) {
  return complex<T>(cuda::std::sqrt(cuda::std::complex<T>(z)));
}
template <class T>
__host__ __device__ complex<T> exp(const complex<T>& z) {
  return complex<T>(cuda::std::exp(cuda::std::complex<T>(z)));
}
template <class T>
__host__ __device__ complex<T> log(const complex<T>& z) {
  return complex<T>(cuda::std::log(cuda::std::complex<T>(z)));
}
template <class T>
__host__ __device__ complex<T> log10(const complex<T>& z) {
  return complex<T>(cuda::std::log10(cuda::std::complex<T>(z)));
}
template <class T>
__host__ __device__ complex<T> pow(const complex<T>& base, const complex<T>& exponent) {
  return complex<T>(cuda::std::pow(cuda::std::complex<T>(base), cuda::std::complex<T>(exponent)));
}
template <class T>
__host__ __device__ complex<T> pow(const complex<T>& base, const typename kiln_detail::same<T>::type& exponent) {
  return complex<T>(cuda::std::pow(cuda::std::complex<T>(base), exponent));
}
template <class T>
__host__ __device__ complex<T> pow(const typename kiln_detail::same<T>::type& base, const complex<T>& exponent) {
  return complex<T>(cuda::std::pow(base, cuda::std::complex<T>(exponent)));
}
template <class T>
__host__ __device__ complex<T> sin(const complex<T>& z) {
  return complex<T>(cuda::std::sin(cuda::std::complex<T>(z)));
}
template <class T>
__host__ __device__ complex<T> cos(const complex<T>& z) {
  return complex<T>(cuda::std::cos(cuda::std::complex<T>(z)));
}
template <class T>
__host__ __device__ complex<T> tan(const complex<T>& z) {
  return complex<T>(cuda::std::tan(cuda::std::complex<T>(z)));
}
template <class T>
__host__ __device__ complex<T> sinh(const complex<T>& z) {
  return complex<T>(cuda::std::sinh(cuda::std::complex<T>(z)));
}
template <class T>
__host__ __device__ complex<T> cosh(const complex<T>& z) {
  return complex<T>(cuda::std::cosh(cuda::std::complex<T>(z)));
}
template <class T>
__host__ __device__ complex<T> tanh(const complex<T>& z) {
  return complex<T>(cuda::std::tanh(cuda::std::complex<T>(z)));
}

}  // namespace pycuda

}  // extern "C++"

#endif
