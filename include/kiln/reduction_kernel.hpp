// ReductionKernel: one value from all elements of some vectors.
#pragma once

#include <kiln/compile_options.hpp>
#include <kiln/detail/element_count.hpp>
#include <kiln/detail/launch_transform.hpp>
#include <kiln/detail/reduction.hpp>
#include <kiln/device_pointer.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/type_name.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

/// The texts of a ReductionKernel<T>, each CUDA C++, and compile options. PyCUDA's arguments keep their names.
struct ReductionOptions {
  std::string neutral = {};               ///< a T that changes nothing, such as "0"; "{0, 1}" for a struct
  std::string reduce_expr = {};           ///< of the values a and b, such as "a + b"
  std::string map_expr = {};              ///< what element i gives; empty: "in[i]"
  std::string arguments = {};             ///< a C parameter list; empty: "const T* in"
  std::string post_expr = {};             ///< what becomes of the result a, such as "sqrtf(a)"; empty: nothing
  std::string type = {};                  ///< T as the source spells it; empty: type_name<T>()
  std::string name = "reduce_kernel";     ///< of the kernel, in errors and profilers
  bool keep = false;                      ///< as CompileOptions::keep
  std::vector<std::string> options = {};  ///< for the compiler, after those of `compile`
  std::string preamble = {};              ///< stands before the kernel: includes, functions, types
  CompileOptions compile = {};            ///< further options of the compile
};

/// Where a reduction is done, and where its result goes. A plain value.
struct ReductionConfig {
  /// A kiln::Stream, CUstream or cudaStream_t; null is the legacy default stream. The stream decides the device.
  CUstream stream = nullptr;
};

/// A result in device memory, perhaps of a reduction that still runs. It is passed to kernels as a T*: in the stream of
/// the reduction, or one that waits for it. Movable, not copyable. Its memory is used again in that stream when the
/// object is destroyed, so the destructor does not wait. Not for two threads at once. Counterpart: the GPUArray that
/// ReductionKernel.__call__ returns.
template <class T>
class ReductionResult {
 public:
  using value_type = T;  ///< the result's type

  /// Waits for the reduction and copies its result. Throws DriverError where the kernel failed. Counterpart:
  /// GPUArray.get.
  T get() const {
    T value;
    detail::read_result(memory_, &value, sizeof(T));
    return value;
  }
  /// A device address.
  T* data() const noexcept { return reinterpret_cast<T*>(memory_.address); }
  /// Of a result, 1.
  std::size_t size() const noexcept { return 1; }

  /// For Kiln itself.
  explicit ReductionResult(detail::ResultMemory memory) : memory_(std::move(memory)) {}
  /// For Kiln itself: the first member of a struct, alone.
  template <class Member>
  ReductionResult<Member> first() && {
    return ReductionResult<Member>(std::move(memory_));
  }

 private:
  detail::ResultMemory memory_;
};

/// A kernel takes the address of the result.
template <class T>
struct DevicePointer<ReductionResult<T>> {
  /// Where it is.
  static T* get(const ReductionResult<T>& result) noexcept { return result.data(); }
};

/// All of map_expr for 0 <= i < n, and neutral, put together by reduce_expr, by one kernel in one pass:
///
///   kiln::ReductionKernel<float> dot({.neutral = "0", .reduce_expr = "a + b", .map_expr = "x[i] * y[i]",
///                                     .arguments = "const float* x, const float* y"});
///   float result = dot(x, y).get();
///
/// T is trivially copyable; a struct has several results at once. reduce_expr must be associative and commutative: the
/// values are not put together in the order of i, but in one that n, the kernel and the device alone decide (and
/// whether all vectors begin at a multiple of 16 bytes), so that a sum of floats is the same each time. What n and i
/// are, and what vectors may be, ElementwiseKernel says. With no element the result is neutral. The source is compiled,
/// or found in the cache, by the constructor. Copies share the code. Thread safety as Function's. Counterpart:
/// pycuda.reduction.ReductionKernel.
template <class T>
class ReductionKernel {
  static_assert(std::is_trivially_copyable_v<T>, "a result is copied from the device: T must be trivially copyable");

 public:
  /// Throws ArgumentError where the texts make no sense, CompileError where they do not compile, and what SourceModule
  /// throws else.
  explicit ReductionKernel(const ReductionOptions& options)
      : kernel_(options, options.type.empty() ? type_name<T>() : options.type, sizeof(T)) {}

  /// Submits the kernel to the null stream and returns. Throws ArgumentError where count, types or lengths do not fit,
  /// or no vector knows its length, DriverError where the driver refuses. A stream that is captured needs a place for
  /// the result: into(). Counterpart: ReductionKernel.__call__.
  template <class... Args>
  auto operator()(const Args&... args) const
      -> std::enable_if_t<(!std::is_same_v<Args, ReductionConfig> && ...), ReductionResult<T>> {
    return (*this)(ReductionConfig{}, args...);
  }
  /// The same on a stream: dot({.stream = stream}, x, y).
  template <class... Args>
  ReductionResult<T> operator()(const ReductionConfig& config, const Args&... args) const {
    return ReductionResult<T>(
        call(config, nullptr, detail::transformed(detail::launch_transform(config.stream, args))...));
  }
  /// The result goes to `out`, device memory for one T: a DeviceBuffer<T>, a part of one, a T*. Counterpart: out.
  template <class... Args>
  void into(T* out, const ReductionConfig& config, const Args&... args) const {
    kernel_.check_place(out);
    (void)call(config, out, detail::transformed(detail::launch_transform(config.stream, args))...);
  }

  /// What is compiled. Lives as long as a copy of this object.
  const std::string& source() const noexcept { return kernel_.source(); }

 private:
  template <class... Args>
  detail::ResultMemory call(const ReductionConfig& config, T* out, const Args&... args) const {
    const std::size_t counts[] = {detail::element_count(args)..., 0};
    return call_with<typename detail::Passed<Args>::type...>(config, out, counts, detail::Passed<Args>::pass(args)...);
  }
  template <class... Types, class... Values>
  detail::ResultMemory call_with(const ReductionConfig& config, T* out, const std::size_t* counts,
                                 Values&&... values) const {
    static_assert(detail::slot_count<Values...> == 0, "a reduction takes device memory: copy into a DeviceBuffer");
    detail::ReductionPlaces places = {out, nullptr, nullptr, 0};
    void* pointers[] = {detail::address_of(values)..., &places.out, &places.partials, &places.counter, &places.n};
    return kernel_.launch(
        config.stream, {pointers, counts, sizeof...(Values), &detail::signature<Types..., T*, T*, unsigned*, long>, {}},
        places);
  }

  detail::Reduction kernel_;
};

}  // namespace kiln
