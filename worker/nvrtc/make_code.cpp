#include "worker/nvrtc/make_code.hpp"

#include "base/log.hpp"
#include "base/path_text.hpp"
#include "compile/compiler/compile_message.hpp"
#include "compile/compiler/inform.hpp"
#include "compile/headers/late_defines.hpp"
#include "compile/options/target_name.hpp"
#include "compile/request/ptx_driver_code.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "worker/folders/work_folder.hpp"
#include "worker/nvrtc/nvrtc_compile.hpp"
#include "worker/nvrtc/shell_text.hpp"

#include <kiln/error.hpp>

#include <string>
#include <utility>
#include <vector>

namespace kiln {

namespace {

/// What CompileOptions::keep keeps of a compile by NVRTC, which itself leaves nothing behind: the source, the in-memory
/// headers, the options, the log and the code (empty where there is none), in a new folder below TMPDIR, or /tmp; its
/// path. Throws Error where it cannot.
std::string keep_attempt(const CompilerJob& job, const std::vector<std::string>& options, const std::string& log,
                         std::string_view code) {
  const WorkFolder folder("nvrtc", true);
  folder.write(file_name_of(job.name), job.prologue + with_own_lines(job, job.source) + job.epilogue);
  // Names may lead out of the folder, so they are written into the files, and not used as paths.
  int number = 0;
  for (const auto& [name, text] : job.headers)
    folder.write("headers/" + std::to_string(++number), std::string("// ").append(name).append("\n").append(text));
  folder.write("options", shell_text(options) + "\n");
  folder.write("log", log);
  if (!code.empty()) folder.write("kernel." + target_name(job.target), code);
  return folder.path();
}

CompilerOutput attempt_and_keep(Request& request, PrecompiledHeaders* pch) {
  const CompilerJob& job = request.job;
  if (!job.keep) return compile_by_attempts(request, pch);
  try {
    CompilerOutput output = compile_by_attempts(request, pch);
    if (output.nvcc_needed) return output;  // nvcc will keep more
    output.kept_folder = keep_attempt(job, output.options, output.log, output.code);
    return output;
  } catch (const CompileError& error) {
    const std::string folder = keep_attempt(job, error.options(), error.log(), {});
    throw CompileError(std::string(error.what()) + "\nkept in " + folder, error.log(), error.options());
  }
}

/// What the code is for, where the compiler chose.
std::string arch_of(const Request& request, const CodeData& code) {
  if (!request.job.code.empty()) return request.job.code;
  if (!request.job.arch.empty()) return request.job.arch;
  return facts_of(code.target).is_plain ? code.info().arch : request.listed_archs;
}

}  // namespace

void log_options(const Request& request, const std::string& compiler, const CompilerOutput& output) {
  if (!log_enabled(LogLevel::debug)) return;
  log_message(LogLevel::debug, request.job.name + ": compiled by " + compiler + " with" + option_text(output.options));
}

CompilerOutput run_nvrtc(Request& request, PrecompiledHeaders* pch) {
  const NvrtcLibrary& nvrtc = NvrtcLibrary::get();
  const std::string title = nvrtc.title();
  choose_arch(request, nvrtc.supported_archs(), title);
  if (!request.explicit_arch && request.context.device_arch.empty())
    inform(request.job.name,
           "no device and no arch given: compiling for " + request.job.arch + ", the lowest that " + title + " makes");
  CompilerOutput output = attempt_and_keep(request, pch);
  if (output.nvcc_needed) return output;
  log_options(request, title, output);
  return output;
}

MadeCode make_code(Request& request, const RunCompiler& run) {
  CompilerOutput output = run(request);
  if (output.nvcc_needed) return {nullptr, {}, std::move(output.nvcc_needed)};
  if (!output.kept_folder.empty())
    log_message(LogLevel::warn, request.job.name + ": the compiler's working folder is kept: " + output.kept_folder);
  MadeCode made;
  made.code = std::make_shared<CodeData>();
  made.code->target = request.job.target;
  if (request.job.target == Target::ptx && is_for_ptx_driver(request.context, Target::ptx))
    output.code = with_source_text(std::move(output.code), request.job, request.search.working_folder);
  made.code->own(std::move(output.code));
  made.code->parameter_kinds = std::move(output.parameter_kinds);
  made.code->ptx = std::move(output.ptx);
  made.code->effective_options = std::move(output.options);
  made.code->arch = arch_of(request, *made.code);
  made.code->backend = request.compiler.backend;
  made.code->log = std::move(output.log);
  made.code->lowered_names = std::move(output.lowered_names);
  made.times = std::move(output.times);
  return made;
}

}  // namespace kiln
