// What makes NVRTC see in a source what nvcc, with its host compiler, sees; and what remains different.
#pragma once

#include "compile/headers/host_questions.hpp"
#include "compile/request/request.hpp"

#include <kiln/error.hpp>

#include <optional>
#include <string>

namespace kiln {

/// Given to a request before its first attempt: the macros that the host compiler predefines, 128-bit integers where
/// the source mentions them, int64_t as `long` unless libcu++ is read, and the names of nvcc's own headers where the
/// source asks whether there is one.
class HostLikeness {
 public:
  explicit HostLikeness(Request& request) : request_(request) {}

  void give();
  /// What the source and its in-memory headers ask that has another answer, as HostQuestions::difference().
  std::string difference() const;
  /// Whether they ask for NVRTC itself somewhere: it is not taken from them, and a difference is a warning.
  bool knows_nvrtc() const { return questions_.asks_for_nvrtc; }
  /// After a refusal: int64_t as `long long`, once. False where that cannot be why.
  bool give_long_long(const CompileError& refusal);
  /// After a refusal: without the names that give() gave for the source's questions. False where it gave none.
  bool take_back_names();
  /// The refusal to show where nothing helped.
  const CompileError& original_error(const CompileError& latest) const { return refused_ ? *refused_ : latest; }

 private:
  void give_macros();
  void give_int128();
  void give_names();

  Request& request_;
  HostQuestions questions_;
  bool gave_names_ = false;
  std::optional<CompileError> refused_;  // before give_long_long
};

/// What an attempt of the request was given.
HostGifts host_gifts(const Request& request);

/// Where NVRTC compiles in spite of a difference: a warning, which the code's log has as well, so that it is there in
/// later processes too.
void warn_of_difference(const std::string& name, const std::string& difference, std::string& code_log);

/// Why nvcc is asked.
std::string difference_reason(const std::string& difference);

}  // namespace kiln
