// A shared library opened at run time.
#pragma once

#include <string>

namespace kiln {

/// Owns nothing on purpose: a CUDA library that was opened stays open until the process ends, because its own exit
/// handlers and threads may run after any destructor of ours.
class SharedLibrary {
 public:
  /// dlopen(3), local symbols. Throws Error with the loader's own text.
  static SharedLibrary open(const std::string& name_or_path);
  /// Whether the library is in the process already, without bringing it in.
  static bool is_loaded(const std::string& name_or_path) noexcept;

  /// The symbol's address, or null.
  void* symbol(const char* name) const noexcept;
  /// The file that was mapped, or the name where the loader does not tell.
  std::string path() const;

 private:
  explicit SharedLibrary(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}
  void* handle_;
  std::string name_;
};

}  // namespace kiln
