// In-memory headers that a callback gives.
#pragma once

#include <kiln/compile_options.hpp>

#include <optional>
#include <string_view>

namespace kiln {

/// The options with what their callback gives for the source among their headers, and without the callback, which is
/// asked for nothing more. Nothing where they have none, or where the source is none of CUDA C++. Throws what the
/// callback throws, and ArgumentError for headers that never end.
std::optional<CompileOptions> with_called_headers(std::string_view source, const CompileOptions& options);

/// A request's options, with the headers that their callback gives. The reference is the caller's, or what is held
/// here.
class CalledOptions {
 public:
  CalledOptions(std::string_view source, const CompileOptions& options)
      : own_(with_called_headers(source, options)), options_(own_ ? *own_ : options) {}
  CalledOptions(const CalledOptions&) = delete;
  CalledOptions& operator=(const CalledOptions&) = delete;

  const CompileOptions& get() const noexcept { return options_; }

 private:
  std::optional<CompileOptions> own_;
  const CompileOptions& options_;
};

}  // namespace kiln
