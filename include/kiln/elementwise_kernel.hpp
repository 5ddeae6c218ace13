// ElementwiseKernel: a kernel from one statement about element i of some vectors.
#pragma once

#include <kiln/compile_options.hpp>
#include <kiln/detail/element_count.hpp>
#include <kiln/detail/launch_transform.hpp>
#include <kiln/detail/typed_argument.hpp>
#include <kiln/detail/vector_call.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>
#include <kiln/slice.hpp>
#include <kiln/texture_reference.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace kiln {

/// The options of an ElementwiseKernel beside its arguments and its operation. PyCUDA's keywords keep their names.
struct ElementwiseOptions {
  std::string name = "elementwise_kernel";  ///< of the kernel, in errors and profilers
  bool keep = false;                        ///< as CompileOptions::keep
  std::vector<std::string> options = {};    ///< for the compiler, after those of `compile`
  std::string preamble = {};                ///< stands before the kernel: includes, functions, texture references
  std::string loop_prep = {};               ///< statements of each thread before its loop over elements
  std::string after_loop = {};              ///< and after it
  CompileOptions compile = {};              ///< further options of the compile
};

/// Which elements, and where. A plain value.
struct ElementwiseConfig {
  /// These values of i, as they are: a vector that is used at i alone must have them all. Counterpart: range.
  std::optional<Slice> range = {};
  /// These of the vectors' elements, clipped to their length; not beside a range. Counterpart: slice.
  std::optional<Slice> slice = {};
  /// A kiln::Stream, CUstream or cudaStream_t; null is the legacy default stream. The stream decides the device.
  CUstream stream = nullptr;
};

template <class Signature>
class TypedElementwiseKernel;

namespace detail {

struct ElementwiseCall {
  VectorCall arguments;         // of a kernel that takes them, and n
  const Signature* with_range;  // and start, count, step
  long* index;                  // n, start, count, step
};

}  // namespace detail

/// `operation` is a statement, or several, in CUDA C++, done for each i of 0 <= i < n in any order and at once:
///
///   kiln::ElementwiseKernel axpy("float a, const float* x, float* y", "y[i] = a * x[i] + y[i]");
///   axpy(2.0f, x, y);
///
/// `arguments` is a C parameter list. What is a pointer is a vector; n is the length that all vectors have which the
/// operation uses at `[i]` alone, and else that of the first vector that knows its length. `i` is an unsigned, beyond
/// 2^31 elements an unsigned long; where a range or a slice is given a long. `n` is a long. Vectors that are used at
/// [i] alone are read and written 16 bytes at a time where they begin at a multiple of 16; no vector needs to. A vector
/// that is written may be given twice, or overlap another one: each element is then read and written in the operation's
/// own order, and which of two elements comes first is not said.
///
/// A vector may be an mdspan of any strides: i then goes over its elements in C order, the last index fastest, and is a
/// long. All such views of a call have the same extents, and vectors without dimensions as many elements; there is no
/// broadcasting. The kernel for strided views is compiled when it is first needed.
///
/// The source is compiled, or found in the cache, by the constructor, as SourceModule does it. Copies share the code.
/// Thread safety as Function's. Counterpart: pycuda.elementwise.ElementwiseKernel.
class KILN_EXPORT ElementwiseKernel {
 public:
  /// Throws ArgumentError where the texts make no sense, CompileError where they do not compile, and what SourceModule
  /// throws else.
  ElementwiseKernel(std::string_view arguments, std::string_view operation, const ElementwiseOptions& options = {});

  /// Submits the kernel to the null stream and returns. Arguments go as a Function's; those of vectors are device
  /// memory, In, Out or InOut of the vector's element type. Without elements nothing is done. Throws ArgumentError
  /// if count, types, lengths or element sizes do not fit, or no vector knows its length, and DriverError if the driver
  /// refuses. Of a bare pointer neither length nor element size is checked. Counterpart: ElementwiseKernel.__call__.
  template <class... Args>
  auto operator()(const Args&... args) const -> std::enable_if_t<(!std::is_same_v<Args, ElementwiseConfig> && ...)> {
    (*this)(ElementwiseConfig{}, args...);
  }
  /// The same for some elements, or on a stream: axpy({.stream = stream}, 2.0f, x, y).
  template <class... Args>
  void operator()(const ElementwiseConfig& config, const Args&... args) const {
    detail::refuse_temporaries<Args...>();
    submit(config, detail::transformed(detail::launch_transform(config.stream, args))...);
  }
  /// With the types of the arguments, which are checked here, and to which every call converts:
  /// axpy.typed<void(float, const float*, float*)>(). Throws ArgumentError where the kernel takes others. Counterpart:
  /// Module::get_function<Signature>.
  template <class Signature>
  TypedElementwiseKernel<Signature> typed() const {
    return TypedElementwiseKernel<Signature>(*this);
  }

  /// A texture reference of the preamble. Counterpart: ElementwiseKernel.get_texref.
  TextureReference get_texref(std::string_view name) const;
  /// What is compiled. Lives as long as a copy of this object.
  const std::string& source() const noexcept;
  /// The name that was given.
  const std::string& name() const noexcept;

  struct Impl;

 private:
  template <class Signature>
  friend class TypedElementwiseKernel;

  template <class... Args>
  void submit(const ElementwiseConfig& config, const Args&... args) const {
    const std::size_t counts[] = {detail::shaped_count(args)..., 0};
    const detail::LayoutsOf<Args...> layouts(args...);
    call<typename detail::Passed<Args>::type...>(config, counts, layouts.get(), detail::Passed<Args>::pass(args)...);
  }
  template <class... Types, class... Values>
  void call(const ElementwiseConfig& config, const std::size_t* counts, const detail::ElementLayout* layouts,
            Values&&... values) const {
    long index[4] = {};
    void* pointers[] = {detail::address_of(values)..., index, index + 1, index + 2, index + 3};
    const detail::SlotList<detail::slot_count<Values...> + 1> slots(values...);
    const detail::HostSlots used = {detail::HostSlots(slots).slots, detail::slot_count<Values...>};
    launch(config, {{pointers, counts, sizeof...(Values), &detail::signature<Types..., long>, used, layouts},
                    &detail::signature<Types..., long, long, long, long>,
                    index});
  }
  void launch(const ElementwiseConfig& config, const detail::ElementwiseCall& call) const;
  void check_types(const detail::Signature& signature, std::size_t count) const;

  std::shared_ptr<const Impl> impl_;
};

/// An ElementwiseKernel whose argument types the program stated. Thread safety as Function's. PyCUDA has no
/// counterpart.
template <class... Params>
class TypedElementwiseKernel<void(Params...)> {
 public:
  /// Throws ArgumentError where the kernel takes something else.
  explicit TypedElementwiseKernel(ElementwiseKernel kernel) : kernel_(std::move(kernel)) {
    kernel_.check_types(detail::signature<Params..., long>, sizeof...(Params));
  }
  /// As ElementwiseKernel's, with the stated types.
  template <class... Args>
  auto operator()(const Args&... args) const -> std::enable_if_t<(!std::is_same_v<Args, ElementwiseConfig> && ...)> {
    (*this)(ElementwiseConfig{}, args...);
  }
  /// Likewise.
  template <class... Args>
  void operator()(const ElementwiseConfig& config, const Args&... args) const {
    static_assert(sizeof...(Args) == sizeof...(Params), "another number of arguments than was stated");
    detail::refuse_temporaries<Args...>();
    submit(config, detail::transformed(detail::launch_transform(config.stream, args))...);
  }

 private:
  template <class... Args>
  void submit(const ElementwiseConfig& config, const Args&... args) const {
    const std::size_t counts[] = {detail::shaped_count(args)..., 0};
    const detail::LayoutsOf<Args...> layouts(args...);
    kernel_.template call<Params...>(config, counts, layouts.get(), detail::as_parameter<Params>(args)...);
  }

  ElementwiseKernel kernel_;
};

}  // namespace kiln
