// Texts of compiles by nvcc that failed.
#pragma once

#include "compile/compiler/compiler_job.hpp"
#include "compile/compiler/compiler_log.hpp"
#include "compile/compiler/ptx_place.hpp"
#include "worker/nvcc/nvcc_command.hpp"
#include "worker/nvcc/process_runner.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// One run of nvcc, as far as the error needs it.
struct NvccRun {
  const CompilerJob& job;
  const NvccCommand& command;
  const ProcessResult& result;
  std::string folder;                      // that it worked in
  std::string log;                         // nvcc_log of the result
  std::string fault;                       // of its output, where there is one
  std::string advice = {};                 // what to do, where more than the source is at fault; whole lines
  std::optional<PtxPlace> ptx_place = {};  // as FailedCompile has it
};

/// What is wrong with a compiler's output, such as "it is no cubin"; empty for complete code of that kind. A compiler
/// may be killed or fail on a full disk and still end with success.
std::string fault_of_code(std::string_view code, Target target);

/// Both streams, without what nvcc says of its own working, and with the source under its own name.
std::string nvcc_log(const CompilerJob& job, const ProcessResult& result);

/// CompileError: the main error with numbered lines, or what became of nvcc; what to do; both streams; the
/// command.
[[noreturn]] void throw_nvcc_failure(const NvccRun& run);

/// About the host compiler, the folder for temporary files (`folder` is in it), LD_PRELOAD, files of options that the
/// command names, and the architectures that nvcc, the command's first word, knows, which are queried. `said` is its
/// main error, nothing where it said nothing of one. Whole sentences, each on its line; empty where there is nothing to
/// say.
std::string nvcc_advice(const std::optional<Diagnostic>& said, const std::vector<std::string>& command,
                        const std::string& folder, ProcessRunner& runner);

}  // namespace kiln
