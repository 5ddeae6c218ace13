// The functions of CUDA's math library on all elements of a vector.
#pragma once

#include <kiln/detail/built_in_kernels.hpp>

#include <type_traits>

// exp(x, y) makes y[i] the function of x[i]; y may be x: exp(x, x). Vectors are of float, double, __half or
// __nv_bfloat16, all of one type; halves are computed in float. Accuracy is that of CUDA's function of the name, in
// that type. std::complex of float and double has those functions that say so: they are cuda::std's, of CCCL's header
// cuda/std/complex, which a toolkit has; near poles, zeros and branch points some have no correct digit;
// docs/generators.md lists the errors. What <kiln/algorithms.hpp> says of vectors, configs, threads and errors holds
// here. Counterpart: pycuda.cumath, whose results are new arrays.
namespace kiln::cumath {

/// The absolute value; of complex numbers too, into a vector of float or double. Counterpart: pycuda.cumath.fabs.
template <class X, class Y>
void fabs(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  if constexpr (detail::is_complex<T>) {
    static_assert(std::is_same_v<typename T::value_type, detail::Element<Y>>,
                  "the absolute value of a complex number is a real one: of std::complex<float> a float");
    detail::usual_elementwise<detail::Usual::fabs_of_complex, T, detail::Element<Y>>()(config, x, y);
  } else {
    detail::each_element<detail::Usual::fabs>(x, y, config);
  }
}
/// The least integer not below. Counterpart: pycuda.cumath.ceil.
template <class X, class Y>
void ceil(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  detail::check_floating<X>();
  detail::each_element<detail::Usual::ceil>(x, y, config);
}
/// The greatest integer not above. Counterpart: pycuda.cumath.floor.
template <class X, class Y>
void floor(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  detail::check_floating<X>();
  detail::each_element<detail::Usual::floor>(x, y, config);
}
/// E to the power; complex too. Counterpart: pycuda.cumath.exp.
template <class X, class Y>
void exp(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  detail::each_element<detail::Usual::exp>(x, y, config);
}
/// The natural logarithm; complex too. Counterpart: pycuda.cumath.log.
template <class X, class Y>
void log(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  detail::each_element<detail::Usual::log>(x, y, config);
}
/// The logarithm to base 10; complex too. Counterpart: pycuda.cumath.log10.
template <class X, class Y>
void log10(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  detail::each_element<detail::Usual::log10>(x, y, config);
}
/// The square root; complex too. Counterpart: pycuda.cumath.sqrt.
template <class X, class Y>
void sqrt(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  detail::each_element<detail::Usual::sqrt>(x, y, config);
}
/// The sine of radians; complex too. Counterpart: pycuda.cumath.sin.
template <class X, class Y>
void sin(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  detail::each_element<detail::Usual::sin>(x, y, config);
}
/// The cosine of radians; complex too. Counterpart: pycuda.cumath.cos.
template <class X, class Y>
void cos(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  detail::each_element<detail::Usual::cos>(x, y, config);
}
/// The tangent of radians; complex too. Counterpart: pycuda.cumath.tan.
template <class X, class Y>
void tan(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  detail::each_element<detail::Usual::tan>(x, y, config);
}
/// The arc sine, in radians; complex too. Counterpart: pycuda.cumath.asin.
template <class X, class Y>
void asin(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  detail::each_element<detail::Usual::asin>(x, y, config);
}
/// The arc cosine, in radians; complex too. Counterpart: pycuda.cumath.acos.
template <class X, class Y>
void acos(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  detail::each_element<detail::Usual::acos>(x, y, config);
}
/// The arc tangent, in radians; complex too. Counterpart: pycuda.cumath.atan.
template <class X, class Y>
void atan(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  detail::each_element<detail::Usual::atan>(x, y, config);
}
/// The hyperbolic sine; complex too. Counterpart: pycuda.cumath.sinh.
template <class X, class Y>
void sinh(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  detail::each_element<detail::Usual::sinh>(x, y, config);
}
/// The hyperbolic cosine; complex too. Counterpart: pycuda.cumath.cosh.
template <class X, class Y>
void cosh(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  detail::each_element<detail::Usual::cosh>(x, y, config);
}
/// The hyperbolic tangent; complex too. Counterpart: pycuda.cumath.tanh.
template <class X, class Y>
void tanh(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  detail::each_element<detail::Usual::tanh>(x, y, config);
}

/// z[i] becomes what is left of x[i] when it is divided by y[i], with the sign of x[i]. Counterpart:
/// pycuda.cumath.fmod.
template <class X, class Y, class Z>
void fmod(const X& x, const Y& y, const Z& z, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y, Z>();
  detail::usual_elementwise<detail::Usual::fmod, T, detail::Computed<T>>()(config, x, y, z);
}
/// x[i] is significand[i] * 2^exponent[i], with a significand from 0.5 to 1 (or 0). Exponents are int. Counterpart:
/// pycuda.cumath.frexp, whose exponents are floats.
template <class X, class Significand, class Exponent>
void frexp(const X& x, const Significand& significand, const Exponent& exponent, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Significand>();
  static_assert(std::is_same_v<detail::Element<Exponent>, int>, "exponents are int");
  detail::usual_elementwise<detail::Usual::frexp, T, detail::Computed<T>>()(config, x, significand, exponent);
}
/// y[i] becomes significand[i] * 2^exponent[i]. Exponents are int. Counterpart: pycuda.cumath.ldexp.
template <class Significand, class Exponent, class Y>
void ldexp(const Significand& significand, const Exponent& exponent, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<Significand>;
  detail::check_floating<Significand>();
  detail::check_alike<Significand, Y>();
  static_assert(std::is_same_v<detail::Element<Exponent>, int>, "exponents are int");
  detail::usual_elementwise<detail::Usual::ldexp, T, detail::Computed<T>>()(config, significand, exponent, y);
}
/// x[i] is fraction[i] + whole[i], both with its sign. Counterpart: pycuda.cumath.modf.
template <class X, class Fraction, class Whole>
void modf(const X& x, const Fraction& fraction, const Whole& whole, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Fraction, Whole>();
  detail::usual_elementwise<detail::Usual::modf, T, detail::Computed<T>>()(config, x, fraction, whole);
}

}  // namespace kiln::cumath
