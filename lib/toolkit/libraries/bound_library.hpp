// What opening one of NVIDIA's compiler libraries and binding its functions by name has in common.
#pragma once

#include "base/shared_library.hpp"

#include <string>
#include <utility>

namespace kiln {

[[noreturn]] void throw_function_of_newer_library(const std::string& library, const char* name, const char* since);

/// What LibraryBinder::newer() found.
struct NewerAddress {
  void* address = nullptr;
  std::string library = {};
  const char* name = "";
  const char* since = "";
};

/// A function that not every supported version of its library has. Calling one that is missing throws ToolkitError with
/// the version that brought it.
template <class Signature>
class NewerFunction;

template <class Result, class... Parameters>
class NewerFunction<Result(Parameters...)> {
 public:
  NewerFunction(NewerAddress found) : found_(std::move(found)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const noexcept { return found_.address != nullptr; }

  Result operator()(Parameters... arguments) const {
    if (found_.address == nullptr) throw_function_of_newer_library(found_.library, found_.name, found_.since);
    return reinterpret_cast<Result (*)(Parameters...)>(found_.address)(arguments...);
  }

 private:
  NewerAddress found_;
};

/// The functions of one opened library, by name.
class LibraryBinder {
 public:
  /// Opens the library. Its file is named as NVIDIA's libraries look for their neighbours: without links. `needed` says
  /// what Kiln needs, such as "NVRTC of CUDA 12.0 or newer", and `advice` how to get it, for error texts. Throws
  /// ToolkitError.
  LibraryBinder(const std::string& file, std::string needed, std::string advice);

  const std::string& path() const noexcept { return path_; }

  /// Throws ToolkitError where the library exports none of the names, which are spellings of one function.
  FunctionAddress require(const char* name, const std::string& other_spelling = {}) const;
  /// Likewise for a function that came with CUDA `since`; `library` is the name and version of this one.
  NewerAddress newer(const char* name, const char* since, const std::string& library,
                     const std::string& other_spelling = {}) const {
    return {find(name, other_spelling), library + " (" + path_ + ")", name, since};
  }
  /// The address, or null.
  void* find(const char* name, const std::string& other_spelling = {}) const noexcept;

 private:
  std::string path_;
  std::string needed_;
  std::string advice_;
  SharedLibrary library_;
};

}  // namespace kiln
