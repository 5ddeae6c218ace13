// The headers that make sources with texture and surface references compile, which CUDA 12 removed.
#pragma once

#include "compile/request/request.hpp"
#include "worker/nvrtc/diagnosis.hpp"

#include <kiln/error.hpp>

#include <optional>
#include <string>

namespace kiln {

/// Gives them to a request: before the first attempt where the source's own text declares such references, else after a
/// refusal that asks for them. A source that makes another use of those names gets another attempt without.
class ReferenceHeaders {
 public:
  explicit ReferenceHeaders(Request& request) : request_(request) {}

  void give_declared();
  /// False where the refusal asks for nothing, or for what was given.
  bool give_missing(const Diagnosis& diagnosis);
  /// For NVRTC, which takes no parameter of such a type otherwise. False where that does not help.
  bool leave_out_annotation(const Diagnosis& diagnosis);
  /// Takes back what give_declared() gave, once; false where there is nothing.
  bool take_back(const CompileError& refusal);
  /// The error for the user: that from before take_back(), where the source needs the headers after all.
  const CompileError& original_error(const CompileError& latest, const Diagnosis& diagnosis) const;

 private:
  /// For a source where the words must keep their other meanings: its declarations get their `__constant__` in the
  /// text, and the headers make class templates of the words, not macros.
  void annotate();
  bool give(const char* header);
  bool is_given(const char* header) const;

  Request& request_;
  bool declared_ = false;
  std::optional<std::string> plain_source_;  // as it was before annotate()
  std::optional<CompileError> before_taking_back_;
};

}  // namespace kiln
