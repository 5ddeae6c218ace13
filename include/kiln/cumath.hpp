// The functions of CUDA's math library on all elements of a vector.
#pragma once

#include <kiln/detail/usual_kernels.hpp>

#include <type_traits>

// exp(x, y) makes y[i] the function of x[i]; y may be x: exp(x, x). Vectors are of float, double, __half or
// __nv_bfloat16, all of one type; halves are computed in float. Accuracy is that of CUDA's function of the name, in
// that type. What <kiln/algorithms.hpp> says of vectors, configs, threads and errors holds here. Counterpart:
// pycuda.cumath, whose results are new arrays.
namespace kiln::cumath {

/// The absolute value. Counterpart: pycuda.cumath.fabs.
template <class X, class Y>
void fabs(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::fabs, T, detail::Computed<T>>()(config, x, y);
}
/// The least integer not below. Counterpart: pycuda.cumath.ceil.
template <class X, class Y>
void ceil(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::ceil, T, detail::Computed<T>>()(config, x, y);
}
/// The greatest integer not above. Counterpart: pycuda.cumath.floor.
template <class X, class Y>
void floor(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::floor, T, detail::Computed<T>>()(config, x, y);
}
/// E to the power. Counterpart: pycuda.cumath.exp.
template <class X, class Y>
void exp(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::exp, T, detail::Computed<T>>()(config, x, y);
}
/// The natural logarithm. Counterpart: pycuda.cumath.log.
template <class X, class Y>
void log(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::log, T, detail::Computed<T>>()(config, x, y);
}
/// The logarithm to base 10. Counterpart: pycuda.cumath.log10.
template <class X, class Y>
void log10(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::log10, T, detail::Computed<T>>()(config, x, y);
}
/// The square root. Counterpart: pycuda.cumath.sqrt.
template <class X, class Y>
void sqrt(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::sqrt, T, detail::Computed<T>>()(config, x, y);
}
/// The sine of radians. Counterpart: pycuda.cumath.sin.
template <class X, class Y>
void sin(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::sin, T, detail::Computed<T>>()(config, x, y);
}
/// The cosine of radians. Counterpart: pycuda.cumath.cos.
template <class X, class Y>
void cos(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::cos, T, detail::Computed<T>>()(config, x, y);
}
/// The tangent of radians. Counterpart: pycuda.cumath.tan.
template <class X, class Y>
void tan(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::tan, T, detail::Computed<T>>()(config, x, y);
}
/// The arc sine, in radians. Counterpart: pycuda.cumath.asin.
template <class X, class Y>
void asin(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::asin, T, detail::Computed<T>>()(config, x, y);
}
/// The arc cosine, in radians. Counterpart: pycuda.cumath.acos.
template <class X, class Y>
void acos(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::acos, T, detail::Computed<T>>()(config, x, y);
}
/// The arc tangent, in radians. Counterpart: pycuda.cumath.atan.
template <class X, class Y>
void atan(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::atan, T, detail::Computed<T>>()(config, x, y);
}
/// The hyperbolic sine. Counterpart: pycuda.cumath.sinh.
template <class X, class Y>
void sinh(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::sinh, T, detail::Computed<T>>()(config, x, y);
}
/// The hyperbolic cosine. Counterpart: pycuda.cumath.cosh.
template <class X, class Y>
void cosh(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::cosh, T, detail::Computed<T>>()(config, x, y);
}
/// The hyperbolic tangent. Counterpart: pycuda.cumath.tanh.
template <class X, class Y>
void tanh(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using T = detail::Element<X>;
  detail::check_floating<X>();
  detail::check_alike<X, Y>();
  detail::usual_elementwise<detail::Usual::tanh, T, detail::Computed<T>>()(config, x, y);
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
