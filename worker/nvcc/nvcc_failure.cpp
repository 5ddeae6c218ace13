#include "worker/nvcc/nvcc_failure.hpp"

#include "base/bounded_text.hpp"
#include "base/escaped_text.hpp"
#include "base/text_parts.hpp"
#include "compile/compiler/compile_message.hpp"
#include "compile/headers/late_defines.hpp"
#include "compile/nvjitlink/link_input.hpp"
#include "compile/options/misspelt_option.hpp"
#include "compile/options/target_name.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/image/elf_view.hpp"
#include "toolkit/image/fatbin_view.hpp"
#include "worker/nvrtc/shell_text.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace kiln {

namespace {

constexpr std::size_t longest_command = std::size_t{16} << 10;

/// What became of nvcc where it says nothing of the source.
std::string end_of(const NvccRun& run) {
  const ExitStatus& exit = run.result.exit;
  if (exit.signal != 0) return "it was ended by " + signal_text(exit.signal);
  if (exit.code != 0)
    return "it ended with status " + std::to_string(exit.code) + (run.log.empty() ? " and said nothing" : "");
  if (!run.fault.empty()) return "it ended with success, but of its output " + run.fault;
  return "it made no output" + std::string(run.log.empty() ? " and said nothing" : "");
}

std::string command_text(const NvccRun& run) {
  std::string text = "command: " + bounded(shell_text(run.command.words), longest_command);
  if (const auto options = run.command.files.find("options"); options != run.command.files.end()) {
    std::string words = options->second;
    std::replace(words.begin(), words.end(), '\n', ' ');
    text += "\nwhere @options has: " + bounded(words, longest_command);
  }
  text += "\nin the working folder " + run.folder +
          (run.job.keep ? ", which was kept" : ", which is kept where CompileOptions::keep is set");
  return text;
}

constexpr std::uint16_t em_cuda = 190;

/// Throws Error where it is damaged.
bool is_code(std::string_view code, Target target) {
  switch (target) {
    case Target::cubin:
      return code_kind(code) == CodeKind::cubin && ElfView(code).machine() == em_cuda && !read_cubin(code).arch.empty();
    case Target::ptx:
      return code_kind(code) == CodeKind::ptx;
    case Target::fatbin:
      return code_kind(code) == CodeKind::fatbin && !fatbin_entries(code).empty();
    case Target::ltoir:
    case Target::optixir:  // in the same container
      return ltoir_header(code).has_value();
  }
  return false;
}

}  // namespace

std::string fault_of_code(std::string_view code, Target target) try {
  return is_code(code, target) ? std::string() : "it is no " + target_name(target);
} catch (const Error& error) {
  return error.what();
}

std::string nvcc_log(const CompilerJob& job, const ProcessResult& result) {
  std::string log = result.errors;
  if (!log.empty() && log.back() != '\n') log += '\n';
  log += result.output;
  if (result.truncated) log += "\n(more was written, and dropped)\n";
  // Diagnostics have the source's own name; a summary has the file's.
  log = with_name(std::move(log), line_name(nvcc_source), line_name(job.name));
  log = with_name(std::move(log), job.line_file, job.name);
  std::string kept;
  for (std::string_view rest = log; !rest.empty();) {
    const std::string_view row = next_line(rest);
    if (row != "kernel.cu") kept.append(row) += '\n';
  }
  while (!kept.empty() && kept.back() == '\n') kept.pop_back();
  return kept;
}

void throw_nvcc_failure(const NvccRun& run) {
  FailedCompile failed{"nvcc",
                       run.job.name,
                       run.job.source,
                       &run.job.headers,
                       run.log,
                       run.command.words,
                       late_define_text(run.job),
                       &run.job.name_expressions,
                       {},
                       end_of(run),
                       run.ptx_place};
  std::string message = failure_headline(failed) + run.advice;
  if (const std::string misspelt = misspelt_option(run.job.arguments, run.log); !misspelt.empty())
    message += misspelt + "\n";
  message += log_part("log", run.log) + command_text(run) + late_defines_line(failed);
  throw CompileError(message, run.log, run.command.words);
}

}  // namespace kiln
