// What the classes around NVIDIA's compiler libraries have in common: fetching outputs, and texts of failures.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kiln {

/// An output that a library gives in two calls, for its size and for its bytes. `check` is called with each result and
/// throws for a failure.
template <class Size, class Get, class Handle, class Check>
std::string sized_output(const Size& size, const Get& get, Handle handle, const Check& check) {
  std::size_t bytes = 0;
  check(size(handle, &bytes));
  std::string output(bytes, '\0');
  if (bytes != 0) check(get(handle, output.data()));
  return output;
}

/// A text without the zeros at its end that libraries count with it.
std::string without_zeros(std::string text);
/// Likewise without the ends of its last line.
std::string as_log(std::string text);

/// The options as C has them. They live as long as the argument.
std::vector<const char*> option_pointers(const std::vector<std::string>& options);

/// A call that failed, for the text of an error.
struct FailedCall {
  /// Such as "nvrtcCompileProgram", "NVRTC 13.0", "NVRTC_ERROR_COMPILATION".
  const char* call = "";
  std::string library;
  std::string result;
  /// What it was about, such as the name of a source; may be empty.
  std::string subject = {};
  std::string log = {};
  std::vector<std::string> options = {};
};
/// A line, the log, and a line with the options; those that are empty are left out.
std::string call_text(const FailedCall& failed);

}  // namespace kiln
