// Makes NVRTC see a source as nvcc with its host compiler does, and finds what remains different.
#pragma once

#include "compile/request/request.hpp"
#include "worker/nvrtc/host_uses.hpp"

#include <kiln/error.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// Given to a request before its first attempt: the macros that the host compiler predefines, 128-bit integers where
/// the source mentions them, int64_t as `long` unless libcu++ is read, and the names of nvcc's own headers that the
/// source tests.
class HostLikeness {
 public:
  explicit HostLikeness(Request& request) : request_(request) {}

  void give();
  /// The difference in the source and its in-memory headers, as HostUses::difference().
  std::string difference() const;
  /// Whether they test for NVRTC itself: then NVRTC compiles them, and a difference is a warning.
  bool knows_nvrtc() const { return uses_.tests_for_nvrtc; }
  /// After a refusal: gives int64_t as `long long`, once. False if that cannot be the cause.
  bool give_long_long(const CompileError& refusal);
  /// After a refusal: removes the names that give() gave because the source tests them. False if there were none.
  bool take_back_names();
  /// After a refusal: what the source, or the file of the first error, uses that only nvcc takes, in words for a
  /// message: as gnu_extension(), or a macro of the host compiler. Empty if there is nothing.
  std::string extension(const CompileError& refusal) const;
  /// The error to report if no attempt succeeded.
  const CompileError& original_error(const CompileError& latest) const { return refused_ ? *refused_ : latest; }

 private:
  void give_macros();
  void give_int128();
  void give_names();

  Request& request_;
  HostUses uses_;
  bool gave_names_ = false;
  std::optional<CompileError> refused_;  // before give_long_long
};

/// What an attempt of the request was given.
GivenToNvrtc given_to_nvrtc(const Request& request);

/// Where NVRTC compiles in spite of a difference: a warning, also in the code's log, so that later processes have it,
/// too.
void warn_of_difference(const std::string& name, const std::string& difference, std::string& code_log);

/// Why nvcc compiles the source.
std::string difference_reason(const std::string& difference);

}  // namespace kiln
