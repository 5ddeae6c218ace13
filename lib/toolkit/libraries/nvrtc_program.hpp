// One program of NVRTC: a handle, destroyed with the object, and each call on it. No policy.
#pragma once

#include "toolkit/libraries/nvrtc_library.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

/// Every member throws CompileError where its call fails, unless it gives the result; ToolkitError where the library
/// lacks the function. The library must outlive the object. Not for two threads at once; the caller holds an NvrtcUse.
class NvrtcProgram {
 public:
  NvrtcProgram(const NvrtcLibrary& nvrtc, const std::string& source, const std::string& name,
               const std::map<std::string, std::string>& headers);
  /// Takes the handle over.
  NvrtcProgram(const NvrtcLibrary& nvrtc, nvrtcProgram handle) noexcept : nvrtc_(nvrtc), handle_(handle) {}
  ~NvrtcProgram() {
    if (handle_ != nullptr) nvrtc_.destroy_program(&handle_);
  }
  NvrtcProgram(const NvrtcProgram&) = delete;
  NvrtcProgram& operator=(const NvrtcProgram&) = delete;

  const NvrtcLibrary& library() const noexcept { return nvrtc_; }
  nvrtcProgram handle() const noexcept { return handle_; }
  /// The caller's from now on: no other member may be called.
  nvrtcProgram release() noexcept { return std::exchange(handle_, nullptr); }

  void add_name_expression(const std::string& expression) const;
  void set_flow_callback(int (*callback)(void* payload, void*), void* payload) const;
  /// Unchecked. Throws ArgumentError where the options name a trace file that cannot be written.
  nvrtcResult compile(const std::vector<std::string>& options) const;
  /// Without the end of its last line.
  std::string log() const;
  std::string lowered_name(const std::string& expression) const;
  /// Empty where the options requested another kind.
  std::string ptx() const;
  std::string cubin() const;
  std::string ltoir() const;
  std::string optixir() const;
  std::string tileir() const;
  /// Unchecked: each result has a meaning of its own.
  nvrtcResult pch_create_status() const;
  std::size_t pch_heap_size_required() const;

 private:
  template <class Size, class Get>
  std::string output(const Size& size, const Get& get, const char* call) const;
  void check(nvrtcResult result, const char* call) const;

  const NvrtcLibrary& nvrtc_;
  nvrtcProgram handle_ = nullptr;
};

}  // namespace kiln
