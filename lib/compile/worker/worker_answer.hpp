// What a worker answers: a result, an error of Kiln's, or that it is not the right worker.
#pragma once

#include "compile/worker/wire.hpp"

#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace kiln {

/// Thrown by read_failure: this worker cannot do the job, because it has opened another library, and a new one can.
struct WorkerUnfit {};

/// The first byte of an answer is its kind.
inline constexpr char result_mark = 'r';
inline constexpr char failure_mark = 'f';

template <class Result>
std::string encode_result(const Result& result) {
  WireWriter out;
  out(result);
  return result_mark + out.take();
}

/// Keeps the class of Kiln's errors and all that they know; anything else becomes an Error.
std::string encode_failure(const std::exception_ptr& failure);

/// Throws the error in the bytes; returns where they hold none.
void throw_failure(std::string_view bytes);

/// Fills the result in; throws the error where that was the answer; false for bytes of another form.
template <class Result>
bool decode_answer(std::string_view bytes, Result& result) {
  if (bytes.empty()) return false;
  if (bytes.front() == failure_mark) throw_failure(bytes.substr(1));
  WireReader in(bytes.substr(1));
  in(result);
  return bytes.front() == result_mark && in.is_whole();
}

}  // namespace kiln
