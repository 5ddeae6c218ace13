// Arithmetic and functions of a class template complex, in whose namespace this is included behind it, once: it has
// real() and imag(), and is made from both, from cuda::std::complex and from a complex number of the other precision.
// Arithmetic is the plain formulas, without C's rules for infinite operands; functions are those of cuda::std::complex.

// Two complex numbers

template <class T>
__host__ __device__ constexpr complex<T> operator+(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a.real() + b.real(), a.imag() + b.imag());
}
template <class T>
__host__ __device__ constexpr complex<T> operator-(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a.real() - b.real(), a.imag() - b.imag());
}
template <class T>
__host__ __device__ constexpr complex<T> operator*(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
}
/// Smith's way: divided by the larger part first, so that no square overflows.
template <class T>
__host__ __device__ complex<T> operator/(const complex<T>& a, const complex<T>& b) {
  const T re = b.real() < T(0) ? -b.real() : b.real();
  const T im = b.imag() < T(0) ? -b.imag() : b.imag();
  if (re < im) {
    const T ratio = b.real() / b.imag(), whole = b.real() * ratio + b.imag();
    return complex<T>((a.real() * ratio + a.imag()) / whole, (a.imag() * ratio - a.real()) / whole);
  }
  const T ratio = b.imag() / b.real(), whole = b.real() + b.imag() * ratio;
  return complex<T>((a.real() + a.imag() * ratio) / whole, (a.imag() - a.real() * ratio) / whole);
}
template <class T>
__host__ __device__ constexpr bool operator==(const complex<T>& a, const complex<T>& b) {
  return a.real() == b.real() && a.imag() == b.imag();
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
  return complex<T>(-z.real(), -z.imag());
}

// One of each precision: the wider one

template <class T, class U>
__host__ __device__ complex<typename kiln_complex::mixed<T, U>::type> operator+(const complex<T>& a,
                                                                                const complex<U>& b) {
  return complex<typename kiln_complex::mixed<T, U>::type>(a) + complex<typename kiln_complex::mixed<T, U>::type>(b);
}
template <class T, class U>
__host__ __device__ complex<typename kiln_complex::mixed<T, U>::type> operator-(const complex<T>& a,
                                                                                const complex<U>& b) {
  return complex<typename kiln_complex::mixed<T, U>::type>(a) - complex<typename kiln_complex::mixed<T, U>::type>(b);
}
template <class T, class U>
__host__ __device__ complex<typename kiln_complex::mixed<T, U>::type> operator*(const complex<T>& a,
                                                                                const complex<U>& b) {
  return complex<typename kiln_complex::mixed<T, U>::type>(a) * complex<typename kiln_complex::mixed<T, U>::type>(b);
}
template <class T, class U>
__host__ __device__ complex<typename kiln_complex::mixed<T, U>::type> operator/(const complex<T>& a,
                                                                                const complex<U>& b) {
  return complex<typename kiln_complex::mixed<T, U>::type>(a) / complex<typename kiln_complex::mixed<T, U>::type>(b);
}

template <class T, class U>
__host__ __device__ complex<typename kiln_complex::mixed<T, U>::type> pow(const complex<T>& base,
                                                                          const complex<U>& exponent) {
  typedef complex<typename kiln_complex::mixed<T, U>::type> Wide;
  return pow(Wide(base), Wide(exponent));
}

// A complex number and a real one, which becomes the complex one's type

template <class T>
__host__ __device__ constexpr complex<T> operator+(const complex<T>& z, const typename kiln_complex::same<T>::type& x) {
  return complex<T>(z.real() + x, z.imag());
}
template <class T>
__host__ __device__ constexpr complex<T> operator+(const typename kiln_complex::same<T>::type& x, const complex<T>& z) {
  return complex<T>(x + z.real(), z.imag());
}
template <class T>
__host__ __device__ constexpr complex<T> operator-(const complex<T>& z, const typename kiln_complex::same<T>::type& x) {
  return complex<T>(z.real() - x, z.imag());
}
template <class T>
__host__ __device__ constexpr complex<T> operator-(const typename kiln_complex::same<T>::type& x, const complex<T>& z) {
  return complex<T>(x - z.real(), -z.imag());
}
template <class T>
__host__ __device__ constexpr complex<T> operator*(const complex<T>& z, const typename kiln_complex::same<T>::type& x) {
  return complex<T>(z.real() * x, z.imag() * x);
}
template <class T>
__host__ __device__ constexpr complex<T> operator*(const typename kiln_complex::same<T>::type& x, const complex<T>& z) {
  return complex<T>(x * z.real(), x * z.imag());
}
template <class T>
__host__ __device__ constexpr complex<T> operator/(const complex<T>& z, const typename kiln_complex::same<T>::type& x) {
  return complex<T>(z.real() / x, z.imag() / x);
}
template <class T>
__host__ __device__ complex<T> operator/(const typename kiln_complex::same<T>::type& x, const complex<T>& z) {
  return complex<T>(x) / z;
}
template <class T>
__host__ __device__ constexpr bool operator==(const complex<T>& z, const typename kiln_complex::same<T>::type& x) {
  return z.real() == x && z.imag() == T(0);
}
template <class T>
__host__ __device__ constexpr bool operator==(const typename kiln_complex::same<T>::type& x, const complex<T>& z) {
  return z == x;
}
template <class T>
__host__ __device__ constexpr bool operator!=(const complex<T>& z, const typename kiln_complex::same<T>::type& x) {
  return !(z == x);
}
template <class T>
__host__ __device__ constexpr bool operator!=(const typename kiln_complex::same<T>::type& x, const complex<T>& z) {
  return !(z == x);
}

// Functions

template <class T>
__host__ __device__ constexpr T real(const complex<T>& z) {
  return z.real();
}
template <class T>
__host__ __device__ constexpr T imag(const complex<T>& z) {
  return z.imag();
}
template <class T>
__host__ __device__ constexpr complex<T> conj(const complex<T>& z) {
  return complex<T>(z.real(), -z.imag());
}
template <class T>
__host__ __device__ constexpr T norm(const complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
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
__host__ __device__ complex<T> pow(const complex<T>& base, const typename kiln_complex::same<T>::type& exponent) {
  return complex<T>(cuda::std::pow(cuda::std::complex<T>(base), exponent));
}
template <class T>
__host__ __device__ complex<T> pow(const typename kiln_complex::same<T>::type& base, const complex<T>& exponent) {
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
template <class T>
__host__ __device__ complex<T> asin(const complex<T>& z) {
  return complex<T>(cuda::std::asin(cuda::std::complex<T>(z)));
}
template <class T>
__host__ __device__ complex<T> acos(const complex<T>& z) {
  return complex<T>(cuda::std::acos(cuda::std::complex<T>(z)));
}
template <class T>
__host__ __device__ complex<T> atan(const complex<T>& z) {
  return complex<T>(cuda::std::atan(cuda::std::complex<T>(z)));
}
template <class T>
__host__ __device__ complex<T> asinh(const complex<T>& z) {
  return complex<T>(cuda::std::asinh(cuda::std::complex<T>(z)));
}
template <class T>
__host__ __device__ complex<T> acosh(const complex<T>& z) {
  return complex<T>(cuda::std::acosh(cuda::std::complex<T>(z)));
}
template <class T>
__host__ __device__ complex<T> atanh(const complex<T>& z) {
  return complex<T>(cuda::std::atanh(cuda::std::complex<T>(z)));
}
template <class T>
__host__ __device__ complex<T> proj(const complex<T>& z) {
  return complex<T>(cuda::std::proj(cuda::std::complex<T>(z)));
}
