// The built-in kernels on vectors in device memory: sums, extremes, conversions, choices.
#pragma once

#include <kiln/detail/built_in_kernels.hpp>

#include <cstddef>
#include <type_traits>

// Free functions over vectors: device memory that knows its size, such as a DeviceBuffer. Elements are integers,
// float, double, __half, __nv_bfloat16 and, but for what needs an order, std::complex of float and double. Each
// function is a kernel (kiln_sum_float) that is compiled, or found in the cache, when the process first asks for it;
// then a call costs what a call of an ElementwiseKernel, a ReductionKernel or a scan costs. A config, which comes
// last, has the stream; of elementwise functions also a range or a slice. They return before the work is done, are
// safe in any thread, and throw what those classes throw: ArgumentError where lengths differ or are not known.
//
// Those that give a ReductionResult also take a place for it after the vectors: sum(x, out, {.stream = stream}). `out`
// is device memory for one element: a DeviceBuffer of length 1, a device pointer. A stream that is captured needs one,
// and takes only functions and types that were used before, as it compiles and loads nothing. Counterpart: out.
namespace kiln {

/// The sum of all elements; 0 of none. Integers are added as long or unsigned long, as NumPy does it, __half and
/// __nv_bfloat16 as float, the others as what they are: sum<double>(x) adds, and gives, doubles. Counterpart:
/// pycuda.gpuarray.sum, whose dtype is the template argument, and whose integers are added as they are.
/// @{
template <class A, class X>
ReductionResult<A> sum(const X& x, const ReductionConfig& config = {}) {
  return detail::usual_reduction<detail::Usual::sum, A, detail::Element<X>, A>()(config, x);
}
template <class X>
auto sum(const X& x, const ReductionConfig& config = {}) {
  return sum<detail::Accumulator<detail::Element<X>>>(x, config);
}
/// Added in the type of *out.
template <class X, class Out, class = detail::if_place<Out>>
void sum(const X& x, const Out& out, const ReductionConfig& config = {}) {
  using A = detail::Element<Out>;
  detail::reduce_into<detail::Usual::sum>(detail::usual_reduction<detail::Usual::sum, A, detail::Element<X>, A>(), out,
                                          config, x);
}
/// @}

/// The sum of x[i] * y[i], in the types of sum; complex numbers are not conjugated. Counterpart: pycuda.gpuarray.dot.
/// @{
template <class A, class X, class Y>
ReductionResult<A> dot(const X& x, const Y& y, const ReductionConfig& config = {}) {
  detail::check_alike<X, Y>();
  return detail::usual_reduction<detail::Usual::dot, A, detail::Element<X>, A>()(config, x, y);
}
template <class X, class Y, class = std::enable_if_t<!std::is_same_v<Y, ReductionConfig>>>
auto dot(const X& x, const Y& y, const ReductionConfig& config = {}) {
  return dot<detail::Accumulator<detail::Element<X>>>(x, y, config);
}
template <class X, class Y, class Out, class = detail::if_place<Out>>
void dot(const X& x, const Y& y, const Out& out, const ReductionConfig& config = {}) {
  using A = detail::Element<Out>;
  detail::check_alike<X, Y>();
  detail::reduce_into<detail::Usual::dot>(detail::usual_reduction<detail::Usual::dot, A, detail::Element<X>, A>(), out,
                                          config, x, y);
}
/// @}

/// The Euclidean norm: the root of the sum of squares. Of integers a double, of __half and __nv_bfloat16 a float, of
/// complex numbers a real one. Squares may overflow where the norm would not. Counterpart: numpy.linalg.norm.
/// @{
template <class X>
auto norm(const X& x, const ReductionConfig& config = {}) {
  return detail::norm_kernel<detail::Element<X>>()(config, x);
}
template <class X, class Out, class = detail::if_place<Out>>
void norm(const X& x, const Out& out, const ReductionConfig& config = {}) {
  detail::reduce_into<detail::Usual::norm>(detail::norm_kernel<detail::Element<X>>(), out, config, x);
}
/// @}

/// The least element. NaN where there is one, as NumPy has it, which PyCUDA leaves out. Throws ArgumentError for no
/// elements. Counterpart: pycuda.gpuarray.min.
/// @{
template <class X>
auto min(const X& x, const ReductionConfig& config = {}) -> ReductionResult<detail::Element<X>> {
  return detail::extreme_kernel<detail::Usual::min>(x)(config, x);
}
template <class X, class Out, class = detail::if_place<Out>>
void min(const X& x, const Out& out, const ReductionConfig& config = {}) {
  detail::reduce_into<detail::Usual::min>(detail::extreme_kernel<detail::Usual::min>(x), out, config, x);
}
/// @}
/// The greatest element, likewise. Counterpart: pycuda.gpuarray.max.
/// @{
template <class X>
auto max(const X& x, const ReductionConfig& config = {}) -> ReductionResult<detail::Element<X>> {
  return detail::extreme_kernel<detail::Usual::max>(x)(config, x);
}
template <class X, class Out, class = detail::if_place<Out>>
void max(const X& x, const Out& out, const ReductionConfig& config = {}) {
  detail::reduce_into<detail::Usual::max>(detail::extreme_kernel<detail::Usual::max>(x), out, config, x);
}
/// @}
/// The first index of min(x), of a NaN where there is one. Throws ArgumentError for no elements. Counterpart:
/// numpy.argmin.
/// @{
template <class X>
ReductionResult<long> argmin(const X& x, const ReductionConfig& config = {}) {
  return detail::extreme_place_kernel<detail::Usual::argmin>(x)(config, x).template first<long>();
}
template <class X, class Out, class = detail::if_place<Out>>
void argmin(const X& x, const Out& out, const ReductionConfig& config = {}) {
  detail::reduce_first_into<detail::Usual::argmin>(detail::extreme_place_kernel<detail::Usual::argmin>(x), out, config,
                                                   x);
}
/// @}
/// The first index of max(x), likewise. Counterpart: numpy.argmax.
/// @{
template <class X>
ReductionResult<long> argmax(const X& x, const ReductionConfig& config = {}) {
  return detail::extreme_place_kernel<detail::Usual::argmax>(x)(config, x).template first<long>();
}
template <class X, class Out, class = detail::if_place<Out>>
void argmax(const X& x, const Out& out, const ReductionConfig& config = {}) {
  detail::reduce_first_into<detail::Usual::argmax>(detail::extreme_place_kernel<detail::Usual::argmax>(x), out, config,
                                                   x);
}
/// @}

/// Whether any element is other than 0; NaN is. Of no elements false. Counterpart: GPUArray.any.
/// @{
template <class X>
ReductionResult<bool> any(const X& x, const ReductionConfig& config = {}) {
  return detail::usual_reduction<detail::Usual::any, bool, detail::Element<X>>()(config, x);
}
template <class X, class Out, class = detail::if_place<Out>>
void any(const X& x, const Out& out, const ReductionConfig& config = {}) {
  detail::reduce_into<detail::Usual::any>(detail::usual_reduction<detail::Usual::any, bool, detail::Element<X>>(), out,
                                          config, x);
}
/// @}
/// Whether all are; of no elements true. Counterpart: GPUArray.all.
/// @{
template <class X>
ReductionResult<bool> all(const X& x, const ReductionConfig& config = {}) {
  return detail::usual_reduction<detail::Usual::all, bool, detail::Element<X>>()(config, x);
}
template <class X, class Out, class = detail::if_place<Out>>
void all(const X& x, const Out& out, const ReductionConfig& config = {}) {
  detail::reduce_into<detail::Usual::all>(detail::usual_reduction<detail::Usual::all, bool, detail::Element<X>>(), out,
                                          config, x);
}
/// @}
/// How many are. Counterpart: numpy.count_nonzero.
/// @{
template <class X>
ReductionResult<long> count_nonzero(const X& x, const ReductionConfig& config = {}) {
  return detail::usual_reduction<detail::Usual::count_nonzero, long, detail::Element<X>>()(config, x);
}
template <class X, class Out, class = detail::if_place<Out>>
void count_nonzero(const X& x, const Out& out, const ReductionConfig& config = {}) {
  detail::reduce_into<detail::Usual::count_nonzero>(
      detail::usual_reduction<detail::Usual::count_nonzero, long, detail::Element<X>>(), out, config, x);
}
/// @}

/// y[i] becomes the sum of x[0] to x[i]; with one vector in place. Elements are added as what they are. The order in
/// which floats are added may differ from run to run. Counterpart: numpy.cumsum, InclusiveScanKernel.
/// @{
template <class X, class Y>
auto cumsum(const X& x, const Y& y, const ScanConfig& config = {}) -> std::enable_if_t<!std::is_same_v<Y, ScanConfig>> {
  using T = detail::Element<X>;
  detail::check_alike<X, Y>();
  static const auto& kernel =
      *new InclusiveScanKernel<T>("a + b", detail::usual_scan_options(detail::Usual::cumsum, {type_name<T>()}));
  kernel(config, x, y);
}
template <class X>
void cumsum(const X& x, const ScanConfig& config = {}) {
  cumsum(x, x, config);
}
/// @}

/// All elements become `value`; with a slice, those. Counterpart: GPUArray.fill.
template <class Y>
void fill(const Y& y, const detail::Element<Y>& value, const ElementwiseConfig& config = {}) {
  detail::usual_elementwise<detail::Usual::fill, detail::Element<Y>>()(config, value, y);
}

/// y[i] becomes start + i * step, in float for __half and __nv_bfloat16. Counterpart: pycuda.gpuarray.arange.
template <class Y>
void arange(const Y& y, const detail::Element<Y>& start = detail::Element<Y>(0),
            const detail::Element<Y>& step = detail::Element<Y>(1), const ElementwiseConfig& config = {}) {
  using T = detail::Element<Y>;
  static_assert(detail::is_real<T> || detail::is_complex<T>, "this function takes vectors of numbers");
  detail::usual_elementwise<detail::Usual::arange, T, detail::Computed<T>>()(config, start, step, y);
}

/// y[i] becomes x[i], in y's type, as a cast in CUDA C++ has it: fractions are cut, and what a type cannot hold is its
/// nearest value (from floating numbers) or loses its upper bits (from integers). A complex number does not become a
/// real one. Counterpart: GPUArray.astype.
template <class X, class Y>
void astype(const X& x, const Y& y, const ElementwiseConfig& config = {}) {
  using S = detail::Element<X>;
  using T = detail::Element<Y>;
  static_assert(!detail::is_complex<S> || detail::is_complex<T>, "a complex number has no real value");
  // A half has conversions to all numbers, of which none is the best: through float.
  detail::usual_elementwise<detail::Usual::astype, S, detail::Computed<S>,
                            std::conditional_t<detail::is_half<T> && !std::is_integral_v<S>, float, T>, T>()(config, x,
                                                                                                             y);
}

/// z[i] becomes x[i] where condition[i] is other than 0, else y[i]. Both are read. Counterpart: pycuda.gpuarray.where.
template <class C, class X, class Y, class Z>
void where(const C& condition, const X& x, const Y& y, const Z& z, const ElementwiseConfig& config = {}) {
  detail::check_alike<X, Y, Z>();
  detail::usual_elementwise<detail::Usual::where, detail::Element<C>, detail::Element<X>>()(config, condition, x, y, z);
}
/// The same where criterion[i] > 0. Counterpart: pycuda.gpuarray.if_positive.
template <class C, class X, class Y, class Z>
void if_positive(const C& criterion, const X& x, const Y& y, const Z& z, const ElementwiseConfig& config = {}) {
  detail::check_real<C>();
  detail::check_alike<X, Y, Z>();
  detail::usual_elementwise<detail::Usual::if_positive, detail::Element<C>, detail::Element<X>>()(config, criterion, x,
                                                                                                  y, z);
}

/// y[i] becomes x[indices[i]]. Indices are integers of any type. One out of range ends the kernel by a trap, which the
/// next call that waits throws as a DriverError. Counterpart: pycuda.gpuarray.take, which does not check.
template <class X, class Indices, class Y>
void take(const X& x, const Indices& indices, const Y& y, const ElementwiseConfig& config = {}) {
  static_assert(std::is_integral_v<detail::Element<Indices>>, "indices are integers");
  detail::check_alike<X, Y>();
  const auto count = static_cast<long>(detail::known_count(detail::Usual::take, detail::vector_count(x)));
  detail::usual_elementwise<detail::Usual::take, detail::Element<X>, detail::Element<Indices>>()(config, x, count,
                                                                                                 indices, y);
}
/// y[indices[i]] becomes x[i]; where an index is there twice, one of the two. Indices as in take. Counterpart:
/// pycuda.gpuarray.multi_put.
template <class X, class Indices, class Y>
void put(const X& x, const Indices& indices, const Y& y, const ElementwiseConfig& config = {}) {
  static_assert(std::is_integral_v<detail::Element<Indices>>, "indices are integers");
  detail::check_alike<X, Y>();
  const auto count = static_cast<long>(detail::known_count(detail::Usual::put, detail::vector_count(y)));
  detail::usual_elementwise<detail::Usual::put, detail::Element<X>, detail::Element<Indices>>()(config, x, indices,
                                                                                                count, y);
}

/// z[i] becomes the greater one of x[i] and y[i], where x or y may also be one number; NaN where one of them is.
/// Counterpart: pycuda.gpuarray.maximum, which leaves NaN out.
template <class X, class Y, class Z>
void maximum(const X& x, const Y& y, const Z& z, const ElementwiseConfig& config = {}) {
  detail::extreme_of_two<detail::Usual::maximum, detail::Usual::maximum_of_value>(x, y, z, config);
}
/// The lesser one, likewise. Counterpart: pycuda.gpuarray.minimum.
template <class X, class Y, class Z>
void minimum(const X& x, const Y& y, const Z& z, const ElementwiseConfig& config = {}) {
  detail::extreme_of_two<detail::Usual::minimum, detail::Usual::minimum_of_value>(x, y, z, config);
}

}  // namespace kiln
