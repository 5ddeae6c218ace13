// InclusiveScanKernel and ExclusiveScanKernel: all sums up to each element, for any associative operation.
#pragma once

#include <kiln/compile_options.hpp>
#include <kiln/detail/element_count.hpp>
#include <kiln/detail/launch_transform.hpp>
#include <kiln/detail/scan.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/type_name.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace kiln {

/// The options of a scan kernel beside its expression. PyCUDA's arguments keep their names.
struct ScanOptions {
  std::string type = {};                  ///< T as the source spells it; empty: type_name<T>()
  std::string name = "scan";              ///< of the kernel, in errors and profilers; PyCUDA's name_prefix
  bool keep = false;                      ///< as CompileOptions::keep
  std::vector<std::string> options = {};  ///< for the compiler, after those of `compile`
  std::string preamble = {};              ///< stands before the kernel: includes, functions, types
  CompileOptions compile = {};            ///< further options of the compile
};

/// Where a scan is done. A plain value.
struct ScanConfig {
  /// A kiln::Stream, CUstream or cudaStream_t; null is the legacy default stream. The stream decides the device.
  CUstream stream = nullptr;
};

/// The calls of InclusiveScanKernel and ExclusiveScanKernel.
template <class T>
class ScanKernel {
  static_assert(std::is_trivially_copyable_v<T>, "values are moved as bytes: T must be trivially copyable");

 public:
  /// Submits the kernel and returns: in place with one vector, else from the first to the second. Throws ArgumentError
  /// where the lengths differ or are not known, or vectors overlap, DriverError where the driver refuses. Counterpart:
  /// InclusiveScanKernel.__call__, ExclusiveScanKernel.__call__.
  /// @{
  template <class Data>
  void operator()(const Data& data) const {
    (*this)(ScanConfig(), data);
  }
  template <class In, class Out, class = std::enable_if_t<!std::is_same_v<In, ScanConfig>>>
  void operator()(const In& input, const Out& output) const {
    (*this)(ScanConfig(), input, output);
  }
  template <class Data>
  void operator()(const ScanConfig& config, const Data& data) const {
    submit_in_place(config, detail::transformed(detail::launch_transform(config.stream, data)));
  }
  template <class In, class Out>
  void operator()(const ScanConfig& config, const In& input, const Out& output) const {
    submit(config, detail::transformed(detail::launch_transform(config.stream, input)),
           detail::transformed(detail::launch_transform(config.stream, output)));
  }
  /// @}

  /// What is compiled. Lives as long as a copy of this object.
  const std::string& source() const noexcept { return scan_.source(); }

 protected:
  /// For those two.
  ScanKernel(std::string_view scan_expr, const std::string* neutral, const ScanOptions& options)
      : scan_(scan_expr, neutral, options, options.type.empty() ? type_name<T>() : options.type, sizeof(T)) {}

 private:
  template <class Data>
  void submit_in_place(const ScanConfig& config, const Data& data) const {
    submit(config, data, data);
  }
  template <class In, class Out>
  void submit(const ScanConfig& config, const In& input, const Out& output) const {
    static_assert(!detail::is_host_argument<In> && !detail::is_host_argument<Out>,
                  "a scan takes device memory: use a DeviceBuffer");
    static_assert(std::is_convertible_v<typename detail::Passed<In>::type, const T*> &&
                      std::is_convertible_v<typename detail::Passed<Out>::type, T*>,
                  "a scan takes device memory with elements of its T");
    const T* const from = detail::Passed<In>::pass(input);
    T* const to = detail::Passed<Out>::pass(output);
    scan_.launch(config.stream, from, detail::element_count(input), to, detail::element_count(output),
                 detail::signature<const T*, T*, void*, void*, unsigned*, unsigned, long>);
  }

  detail::Scan scan_;
};

/// Element i becomes what scan_expr, an expression of a and b, makes of the elements 0 to i, in their order:
///
///   kiln::InclusiveScanKernel<int> cumsum("a + b");
///   cumsum(x);        // in place
///   cumsum(x, y);     // into y
///
/// scan_expr must be associative; it need not be commutative. T is trivially copyable. One kernel reads and writes each
/// element once. In what order neighbouring elements are put together is not said and may differ from run to run: sums
/// of floats may differ in their last digits. Vectors are device memory that knows its size, and as long as each other;
/// input and output are the same or do not overlap. The source is compiled, or found in the cache, by the constructor.
/// Copies share the code. Thread safety as Function's. Counterpart: pycuda.scan.InclusiveScanKernel.
template <class T>
class InclusiveScanKernel : public ScanKernel<T> {
 public:
  /// Throws ArgumentError where the texts make no sense, CompileError where they do not compile, and what SourceModule
  /// throws else.
  explicit InclusiveScanKernel(std::string_view scan_expr, const ScanOptions& options = {})
      : ScanKernel<T>(scan_expr, nullptr, options) {}
};

/// The same of the elements before i, after `neutral`, which is what element 0 becomes:
/// kiln::ExclusiveScanKernel<int> offsets("a + b", "0"). Counterpart: pycuda.scan.ExclusiveScanKernel.
template <class T>
class ExclusiveScanKernel : public ScanKernel<T> {
 public:
  /// As InclusiveScanKernel's. `neutral` is a T that changes nothing, as a text.
  ExclusiveScanKernel(std::string_view scan_expr, const std::string& neutral, const ScanOptions& options = {})
      : ScanKernel<T>(scan_expr, &neutral, options) {}
};

}  // namespace kiln
