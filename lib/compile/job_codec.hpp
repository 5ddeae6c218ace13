// What a process and its compile workers say to each other, as bytes: a job, and its answer.
#pragma once

#include "compile/compiler_job.hpp"

#include <exception>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

struct WorkerJob {
  CompilerJob job;           // its stop stays with who waits for the answer
  std::string nvrtc;         // the library to compile with: a path
  std::string identity;      // library_identity() of that file
  std::string trace_folder;  // a TraceFolder; empty where no headers are asked for, or it could not be made
};

std::string encode_job(const WorkerJob& job);
/// Nothing for bytes of another form, such as another version's.
std::optional<WorkerJob> decode_job(std::string_view bytes);

std::string encode_output(const CompilerOutput& output);
/// Keeps the class of Kiln's errors; anything else becomes an Error.
std::string encode_error(const std::exception_ptr& error);
/// The output; throws the error where that was the answer; nothing for bytes of another form.
std::optional<CompilerOutput> decode_answer(std::string_view bytes);

}  // namespace kiln
