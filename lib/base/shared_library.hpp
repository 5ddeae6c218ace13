// A shared library opened at run time.
#pragma once

#include <atomic>
#include <string>

namespace kiln {

/// Owns nothing on purpose: a CUDA library that was opened stays open until the process ends, because its own exit
/// handlers and threads may run after any destructor of ours.
class SharedLibrary {
 public:
  /// dlopen(3), local symbols. Throws Error: the name, a colon, and the loader's own reason.
  static SharedLibrary open(const std::string& name_or_path);
  /// Whether the library is in the process already, without bringing it in.
  static bool is_loaded(const std::string& name_or_path) noexcept;

  /// The symbol's address, or null.
  void* symbol(const char* name) const noexcept;
  /// The file that was mapped, or the name where the loader does not report it.
  std::string path() const;

 private:
  explicit SharedLibrary(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}
  void* handle_;
  std::string name_;
};

/// A symbol's address, for the members of tables: becomes a pointer to any function.
struct FunctionAddress {
  void* address;
  template <class Function>
  operator Function*() const noexcept {  // NOLINT(google-explicit-constructor)
    return reinterpret_cast<Function*>(address);
  }
};

/// The file of the library that Kiln's own code is in, as the loader names it: from the working folder, where the name
/// that it was opened by was so. Empty where Kiln is in the program itself.
std::string own_library();

/// Keeps Kiln's own code in the process where a plugin that holds it is unloaded: a thread of Kiln's may sleep, or
/// there is something to do at exit.
void keep_own_code_loaded();

/// For repeated checks whether a library is in the process: a "no" is kept, and costs no search, as long as the
/// loader has added nothing. Thread-safe, also in a child of fork.
class LibraryWatch {
 public:
  explicit constexpr LibraryWatch(const char* name_or_path) noexcept : name_(name_or_path) {}
  bool is_loaded() noexcept;

 private:
  const char* name_;
  std::atomic<unsigned long long> objects_without_{0};  // the loader's count at the last "no"
};

}  // namespace kiln
