// The kernels behind <kiln/algorithms.hpp>, <kiln/cumath.hpp> and <kiln/random.hpp>.
#pragma once

#include <kiln/detail/element_count.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/elementwise_kernel.hpp>
#include <kiln/export.hpp>
#include <kiln/memcpy.hpp>
#include <kiln/reduction_kernel.hpp>
#include <kiln/scan_kernel.hpp>
#include <kiln/type_name.hpp>

#include <complex>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

// Of CUDA's headers, where a program has them.
struct __half;
struct __nv_bfloat16;

namespace kiln::detail {

/// With the same names in the library's table of texts, and in the kernels' names.
enum class Usual {
  all,
  any,
  arange,
  argmax,
  argmin,
  astype,
  count_nonzero,
  cumsum,
  dot,
  fill,
  if_positive,
  max,
  maximum,
  maximum_of_value,
  min,
  minimum,
  minimum_of_value,
  norm,
  put,
  sum,
  take,
  where,
  // Of cumath.
  acos,
  asin,
  atan,
  ceil,
  cos,
  cosh,
  exp,
  fabs,
  fabs_of_complex,
  floor,
  fmod,
  frexp,
  ldexp,
  log,
  log10,
  modf,
  sin,
  sinh,
  sqrt,
  tan,
  tanh,
  // Of random.
  log_normal,
  normal,
  poisson,
  uniform,
};

/// Of the vectors' elements and of the values that are computed, as CUDA C++ spells them.
using UsualTypes = std::vector<std::string>;

/// What an ElementwiseKernel is made of.
struct UsualElementwise {
  std::string arguments, operation;
  ElementwiseOptions options;
};
UsualElementwise usual_texts(Usual what, const UsualTypes& types);
KILN_EXPORT ElementwiseKernel make_usual_elementwise(Usual what, const UsualTypes& types);
KILN_EXPORT ReductionOptions usual_reduction_options(Usual what, const UsualTypes& types);
KILN_EXPORT ScanOptions usual_scan_options(Usual what, const UsualTypes& types);
KILN_EXPORT std::string usual_name(Usual what, const UsualTypes& types);

/// Made once in a process, when it is first needed. Never destroyed: threads may use it until the process ends.
template <Usual what, class... Types>
const ElementwiseKernel& usual_elementwise() {
  static const auto& kernel = *new ElementwiseKernel(make_usual_elementwise(what, {type_name<Types>()...}));
  return kernel;
}
template <Usual what, class Result, class... Types>
const ReductionKernel<Result>& usual_reduction() {
  static const auto& kernel = *new ReductionKernel<Result>(usual_reduction_options(what, {type_name<Types>()...}));
  return kernel;
}

/// What a launch has of an argument, as CCCL's function transform_launch_argument may change it.
template <class Vector>
using Transformed = std::decay_t<decltype(transformed(launch_transform(CUstream(), std::declval<const Vector&>())))>;
template <class Vector>
struct VectorElement {
  using Address = typename Passed<Transformed<Vector>>::type;
  static_assert(std::is_pointer_v<Address> && !std::is_void_v<std::remove_pointer_t<Address>>,
                "the type of a vector's elements is not known: pass a kiln::DeviceBuffer, or a type whose "
                "kiln::DevicePointer gives a pointer to elements");
  using type = std::remove_cv_t<std::remove_pointer_t<Address>>;
};
template <class Vector>
using Element = typename VectorElement<Vector>::type;

/// As element_count, of what a launch has of the argument.
template <class Vector>
std::size_t vector_count(const Vector& vector) {
  if constexpr (is_transformed<Vector>)
    return element_count<Transformed<Vector>>(transformed(launch_transform(CUstream(), vector)));
  else
    return element_count(vector);
}

template <class T>
inline constexpr bool is_half = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;
template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;
template <class T>
inline constexpr bool is_real = (std::is_arithmetic_v<T> && !std::is_same_v<T, long double>) || is_half<T>;

/// What NumPy adds integers in; halves are added as floats.
template <class T>
using Accumulator = std::conditional_t<
    is_half<T>, float,
    std::conditional_t<!std::is_integral_v<T> || (sizeof(T) >= sizeof(long)), T,
                       std::conditional_t<std::is_unsigned_v<T> && !std::is_same_v<T, bool>, unsigned long, long>>>;
/// What functions of real numbers are computed in.
template <class T>
using Computed = std::conditional_t<is_half<T>, float, T>;
template <class T>
struct NormOf {
  using type = std::conditional_t<std::is_integral_v<T>, double, Computed<T>>;
};
template <class T>
struct NormOf<std::complex<T>> {
  using type = T;
};

template <class... Vectors>
constexpr void check_real() {
  static_assert((is_real<Element<Vectors>> && ...), "this function takes vectors of integers or real numbers");
}
template <class... Vectors>
constexpr void check_floating() {
  static_assert(((std::is_floating_point_v<Element<Vectors>> || is_half<Element<Vectors>>)&&...),
                "this function takes vectors of float, double, __half or __nv_bfloat16");
}
template <class... Vectors>
constexpr void check_alike() {
  static_assert((std::is_same_v<Element<Vectors>, std::common_type_t<Element<Vectors>...>> && ...),
                "the vectors must have elements of one type: kiln::astype converts");
}

/// y[i] = f(x[i]).
template <Usual what, class X, class Y>
void each_element(const X& x, const Y& y, const ElementwiseConfig& config) {
  using T = Element<X>;
  static_assert(std::is_floating_point_v<T> || is_half<T> || is_complex<T>,
                "this function takes vectors of float, double, __half, __nv_bfloat16 or std::complex");
  check_alike<X, Y>();
  usual_elementwise<what, T, Computed<T>>()(config, x, y);
}

/// The length; throws ArgumentError for pointers, which know none.
KILN_EXPORT std::size_t known_count(Usual what, std::size_t count);
/// Throws ArgumentError for a vector without elements, which has no least one.
KILN_EXPORT void refuse_empty(Usual what, std::size_t count);

/// A range over the blocks of 16 bytes of random bits in which a vector's numbers are. Throws ArgumentError for
/// pointers.
KILN_EXPORT ElementwiseConfig blocks_of_random(Usual what, std::size_t count, std::size_t size,
                                               unsigned long long offset, CUstream stream);
/// Throws ArgumentError for what kiln::random::poisson does not do.
KILN_EXPORT void check_poisson(std::size_t count, double mean, unsigned long long offset);

template <class Y>
constexpr void check_random_floating() {
  static_assert(std::is_same_v<Element<Y>, float> || std::is_same_v<Element<Y>, double>,
                "these random numbers are of float or double");
}
/// Random numbers that are made by blocks.
template <Usual what, class Y, class... Parameters>
void fill_random(const Y& y, unsigned long long seed, unsigned long long offset, CUstream stream,
                 const Parameters&... parameters) {
  using T = Element<Y>;
  const std::size_t count = vector_count(y);
  usual_elementwise<what, T>()(blocks_of_random(what, count, sizeof(T), offset, stream), y,
                               static_cast<unsigned long>(count), seed, offset, parameters...);
}

/// argmin and argmax are done by a kernel that gives the index beside the value.
template <class T>
struct Indexed {
  long index;
  T value;
};

template <class T>
const auto& norm_kernel() {
  using A = typename NormOf<T>::type;
  if constexpr (is_complex<T>)
    return usual_reduction<Usual::norm, A, T, A, bool>();
  else
    return usual_reduction<Usual::norm, A, T, A>();
}
/// Of min and max. Throws ArgumentError for a vector without elements.
template <Usual what, class X>
const auto& extreme_kernel(const X& x) {
  check_real<X>();
  refuse_empty(what, vector_count(x));
  return usual_reduction<what, Element<X>, Element<X>>();
}
/// Of argmin and argmax, likewise.
template <Usual what, class X>
const auto& extreme_place_kernel(const X& x) {
  check_real<X>();
  refuse_empty(what, vector_count(x));
  return usual_reduction<what, Indexed<Element<X>>, Element<X>>();
}

/// Of maximum and minimum: two vectors, or a vector and a number in either order.
template <Usual of_vectors, Usual of_value, class X, class Y, class Z>
void extreme_of_two(const X& x, const Y& y, const Z& z, const ElementwiseConfig& config) {
  static_assert(!is_real<X> || !is_real<Y>, "this function takes a vector beside a number");
  if constexpr (is_real<X>) {
    extreme_of_two<of_vectors, of_value>(y, x, z, config);
  } else {
    using T = Element<X>;
    check_real<X, Z>();
    check_alike<X, Z>();
    if constexpr (is_real<Y>) {
      usual_elementwise<of_value, T>()(config, x, static_cast<T>(y), z);
    } else {
      check_alike<X, Y>();
      usual_elementwise<of_vectors, T>()(config, x, y, z);
    }
  }
}

/// Whether an argument after the vectors is where a result goes.
template <class Out>
using if_place = std::enable_if_t<!std::is_same_v<Out, ReductionConfig>>;

/// Throws ArgumentError for null, and memory of other than one element, where that is known.
KILN_EXPORT void check_place(Usual what, const void* address, std::size_t count);

template <Usual what, class Result, class Out>
Result* place_of(const Out& out, CUstream stream) {
  static_assert(std::is_same_v<Element<Out>, Result>, "the result goes to memory of an element of its own type");
  Result* const address = Passed<Transformed<Out>>::pass(transformed(launch_transform(stream, out)));
  check_place(what, address, vector_count(out));
  return address;
}
template <Usual what, class Result, class Out, class... Vectors>
void reduce_into(const ReductionKernel<Result>& kernel, const Out& out, const ReductionConfig& config,
                 const Vectors&... vectors) {
  kernel.into(place_of<what, Result>(out, config.stream), config, vectors...);
}
/// The index alone. The memory for all is the stream's, or a captured graph's.
template <Usual what, class T, class Out, class Vector>
void reduce_first_into(const ReductionKernel<Indexed<T>>& kernel, const Out& out, const ReductionConfig& config,
                       const Vector& vector) {
  long* const address = place_of<what, long>(out, config.stream);
  const auto found = DeviceBuffer<Indexed<T>>::on_stream(1, SharedStream(config.stream));
  kernel.into(found.data(), config, vector);
  memcpy_dtod_async(reinterpret_cast<CUdeviceptr>(address), found.device_pointer(), sizeof(long), config.stream);
}

}  // namespace kiln::detail
