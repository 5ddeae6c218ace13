// What Kiln throws. Every error's text says what was tried, on what, and what to do.
#pragma once

#include <kiln/export.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace kiln {

/// The root of Kiln's errors. Errors are values: copying one is safe from any thread. What others wrote can be part of
/// what(), so control characters, other than the end of a line and the tab, are '?' there.
class KILN_EXPORT Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message);  ///< made with the text of what()
  Error(const Error&) = default;
  Error& operator=(const Error&) = default;
  ~Error() override;
};

/// The compiler refused the source. what() holds the summary, the numbered source lines around the main error,
/// what to do, the first errors of the compiler's log and the user's options; long ones are cut. Counterpart:
/// pycuda.driver.CompileError.
class KILN_EXPORT CompileError : public Error {
 public:
  /// Made with the compiler's log and its options.
  CompileError(const std::string& message, std::string log, std::vector<std::string> options);
  CompileError(const CompileError&) = default;
  CompileError& operator=(const CompileError&) = default;
  ~CompileError() override;

  /// The compiler's own text, unchanged; empty where it said nothing.
  const std::string& log() const noexcept { return log_; }
  /// The options exactly as NVRTC or libnvvm received them; the whole command, program included, of nvcc.
  const std::vector<std::string>& options() const noexcept { return options_; }

 private:
  std::string log_;
  std::vector<std::string> options_;
};

/// The compile was ended before it was done: CompileOptions::timeout or cancel. No CompileError, since nothing is wrong
/// with the source. Nothing was stored; the same request may be made again.
class KILN_EXPORT CompileStopped : public Error {
 public:
  CompileStopped(const std::string& message, bool timed_out);  ///< made by a timeout, or by cancel()
  CompileStopped(const CompileStopped&) = default;
  CompileStopped& operator=(const CompileStopped&) = default;
  ~CompileStopped() override;

  /// By its timeout, and not by cancel().
  bool timed_out() const noexcept { return timed_out_; }

 private:
  bool timed_out_;
};

/// A request would have to be compiled or linked, which CacheOptions::require_hit or KILN_REQUIRE_CACHED forbids.
/// what() says why the cache does not have it, and how to fill it. No compiler was started.
class KILN_EXPORT NotCached : public Error {
 public:
  /// Made with what the members return.
  NotCached(const std::string& message, std::string name, std::string arch, std::vector<std::string> reasons);
  NotCached(const NotCached&) = default;
  NotCached& operator=(const NotCached&) = default;
  ~NotCached() override;

  const std::string& name() const noexcept { return name_; }  ///< of the source or of the linked code
  /// What the code would be for, such as "sm_90"; empty where the compiler would decide it.
  const std::string& arch() const noexcept { return arch_; }
  /// Why the cache does not have it, as KILN_LOG=info explains a miss.
  const std::vector<std::string>& reasons() const noexcept { return reasons_; }

 private:
  std::string name_;
  std::string arch_;
  std::vector<std::string> reasons_;
};

/// Inputs could not be linked. what() names the inputs at fault, what is missing in them or twice there, the linker and
/// its options; long texts are cut. Counterpart: pycuda.driver.Error of cuLinkComplete, with the linker's logs.
class KILN_EXPORT LinkError : public Error {
 public:
  /// Made with the linker's logs and its options.
  LinkError(const std::string& message, std::string error_log, std::string info_log, std::vector<std::string> options);
  LinkError(const LinkError&) = default;
  LinkError& operator=(const LinkError&) = default;
  ~LinkError() override;

  /// The linker's own text, unchanged; empty where it said nothing.
  const std::string& error_log() const noexcept { return error_log_; }
  const std::string& info_log() const noexcept { return info_log_; }  ///< likewise, what it said that is no error
  /// The options as the linker received them.
  const std::vector<std::string>& options() const noexcept { return options_; }

 private:
  std::string error_log_;
  std::string info_log_;
  std::vector<std::string> options_;
};

/// A launch, a look-up or a typed function does not fit the kernel. Counterpart: PyCUDA's TypeError and ValueError.
class KILN_EXPORT ArgumentError : public Error {
 public:
  /// What index() is where the error is about no parameter.
  static constexpr std::size_t no_index = static_cast<std::size_t>(-1);

  /// Made with what the members return.
  ArgumentError(const std::string& message, std::string kernel, std::size_t index, std::string expected,
                std::string given);
  ArgumentError(const ArgumentError&) = default;
  ArgumentError& operator=(const ArgumentError&) = default;
  ~ArgumentError() override;

  /// The kernel's name as the user knows it; empty where no kernel is involved.
  const std::string& kernel() const noexcept { return kernel_; }
  /// The parameter, counted from 0, or no_index where the error is not about one parameter.
  std::size_t index() const noexcept { return index_; }
  const std::string& expected() const noexcept { return expected_; }  ///< what would have been right, in words
  const std::string& given() const noexcept { return given_; }        ///< what was given instead, in words

 private:
  std::string kernel_;
  std::size_t index_;
  std::string expected_;
  std::string given_;
};

/// A CUDA driver call failed. Counterpart: pycuda.driver.Error and its children.
class KILN_EXPORT DriverError : public Error {
 public:
  /// Made with the CUresult, its name, and the function that gave it.
  DriverError(const std::string& message, int result, std::string result_name, std::string call);
  DriverError(const DriverError&) = default;
  DriverError& operator=(const DriverError&) = default;
  ~DriverError() override;

  /// The CUresult as an integer. In a forked child whose parent uses the driver CUDA_ERROR_NOT_INITIALIZED, as the
  /// driver's own answer is there; Kiln does not ask it.
  int result() const noexcept { return result_; }
  /// Such as "CUDA_ERROR_INVALID_VALUE".
  const std::string& result_name() const noexcept { return result_name_; }
  /// The driver function, such as "cuLaunchKernel".
  const std::string& call() const noexcept { return call_; }

 private:
  int result_;
  std::string result_name_;
  std::string call_;
};

/// The device can run none of the code: it is for other architectures, or it is machine code and the driver library
/// takes PTX only, as the emulator does. Counterparts: CUDA_ERROR_NO_BINARY_FOR_GPU, cudaErrorNoKernelImageForDevice.
class KILN_EXPORT NoKernelImageError : public Error {
 public:
  /// Made with what the members return.
  NoKernelImageError(const std::string& message, std::string code_arch, std::string device_arch);
  NoKernelImageError(const NoKernelImageError&) = default;
  NoKernelImageError& operator=(const NoKernelImageError&) = default;
  ~NoKernelImageError() override;

  /// What the code is for, such as "sm_90" or "compute_90", several separated by commas; empty for a fatbin that Kiln
  /// did not make.
  const std::string& code_arch() const noexcept { return code_arch_; }
  /// What the device is, such as "sm_80".
  const std::string& device_arch() const noexcept { return device_arch_; }

 private:
  std::string code_arch_;
  std::string device_arch_;
};

/// A component is missing or too old: the toolkit, a compiler library, the driver. what() lists what was searched, in
/// order, and how to install it.
class KILN_EXPORT ToolkitError : public Error {
 public:
  /// Made with the places that were searched.
  ToolkitError(const std::string& message, std::vector<std::string> searched);
  ToolkitError(const ToolkitError&) = default;
  ToolkitError& operator=(const ToolkitError&) = default;
  ~ToolkitError() override;

  /// The places that were searched, in order.
  const std::vector<std::string>& searched() const noexcept { return searched_; }

 private:
  std::vector<std::string> searched_;
};

/// No process can be started now, and what is asked for needs one: compilers and linkers work in kiln-worker. Code that
/// a cache, a bundle or the program itself (`kiln embed`) has needs none. Also thrown where KILN_WORKER names no
/// program.
class KILN_EXPORT WorkerError : public ToolkitError {
 public:
  using ToolkitError::ToolkitError;
  WorkerError(const WorkerError&) = default;
  WorkerError& operator=(const WorkerError&) = default;
  ~WorkerError() override;
};

}  // namespace kiln
