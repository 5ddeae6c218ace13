#include "worker/nvrtc/nvrtc_compile.hpp"

#include "base/path_text.hpp"
#include "base/word_list.hpp"
#include "compile/compiler/compile_message.hpp"
#include "compile/compiler/large_stack.hpp"
#include "compile/compiler/misspelt_name.hpp"
#include "compile/compiler/stopped.hpp"
#include "compile/headers/late_defines.hpp"
#include "compile/options/misspelt_option.hpp"
#include "compile/options/option_files.hpp"
#include "compile/options/target_name.hpp"
#include "toolkit/image/unused_constants.hpp"
#include "toolkit/libraries/nvrtc_program.hpp"
#include "toolkit/libraries/nvrtc_use.hpp"
#include "toolkit/locate/toolkit.hpp"
#include "worker/nvrtc/nvrtc_text.hpp"
#include "worker/nvrtc/nvrtc_times.hpp"
#include "worker/nvrtc/option_versions.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace kiln {

namespace {

constexpr nvrtcResult cancelled = static_cast<nvrtcResult>(16);  // NVRTC_ERROR_CANCELLED, which older headers lack

void watch(const NvrtcProgram& program, const Stop& stop) {
  if (!program.library().set_flow_callback) return;
  const auto is_due = [](void* payload, void*) {
    return NvrtcUse::is_waited_for() || static_cast<const Stop*>(payload)->is_due() ? 1 : 0;
  };
  program.set_flow_callback(is_due, const_cast<Stop*>(&stop));
}

std::string code_of(const NvrtcProgram& program, Target target) {
  if (target == Target::cubin) return program.cubin();
  if (target == Target::ptx) return program.ptx();
  if (target == Target::ltoir) return program.ltoir();
  if (target == Target::optixir) return program.optixir();
  throw ToolkitError("NVRTC makes no " + target_name(target), {});
}

std::vector<std::string> options_of(const CompilerJob& job) {
  std::vector<std::string> options;
  if (!job.header_folder.empty()) options.push_back("-I" + job.header_folder);  // before all that is on disk
  options.insert(options.end(), job.arguments.begin(), job.arguments.end());
  options.push_back("-arch=" + job.arch);
  const char* const option = facts_of(job.target).nvrtc_option;
  if (option != nullptr && *option != '\0') options.emplace_back(option);
  options.emplace_back("--no-cache");
  options.emplace_back("--modify-stack-limit=false");
  return options;
}

std::vector<std::string> with(std::vector<std::string> options, const std::optional<std::string>& one_more) {
  if (one_more) options.push_back(*one_more);
  return options;
}

/// Leaves out the option of Kiln's own, behind the user's, that an older NVRTC refused; false where it refused another.
bool drop_refused(std::vector<std::string>& options, std::size_t users, const std::string& log) {
  for (const std::string_view own : {"--no-cache", "--modify-stack-limit"}) {
    if (log.find(own) == std::string::npos) continue;
    const auto is_own = [own](const std::string& option) { return option.starts_with(own); };
    const auto found = std::find_if(options.begin() + static_cast<std::ptrdiff_t>(users), options.end(), is_own);
    if (found == options.end()) continue;
    options.erase(found);
    return true;
  }
  return false;
}

/// The user's, and the architecture.
std::vector<std::string> shown_options(const CompilerJob& job) {
  std::vector<std::string> options = job.users_arguments;
  options.push_back("-arch=" + job.arch);
  return options;
}

/// NVRTC 12 refuses the option where it stands already.
std::vector<std::string> with_line_information(const std::vector<std::string>& options) {
  const bool has = std::any_of(options.begin(), options.end(), [](const std::string& option) {
    return has_word("-lineinfo --generate-line-info -G --device-debug", option);
  });
  return has ? options : with(options, "-lineinfo");
}

/// Of ptxas' first error about inline PTX, by another compile with line information; nothing where there is none.
std::optional<PtxPlace> ptx_place_of(const NvrtcLibrary& nvrtc, const CompilerJob& job, const NvrtcText& text,
                                     const std::string& log, const std::vector<std::string>& options) try {
  const auto ptx_line = [&job](const std::string& said) {
    const auto error = main_error(errors_of(said), job.name);
    return error ? error->ptx_line : 0;
  };
  if (ptx_line(log) == 0) return std::nullopt;
  const NvrtcProgram program(nvrtc, text.source, text.name, text.headers);
  watch(program, job.stop);
  for (const std::string& expression : job.name_expressions) program.add_name_expression(expression);
  if (program.compile(with_line_information(options)) != NVRTC_ERROR_COMPILATION) return std::nullopt;
  auto place = place_of_ptx_line(program.ptx(), ptx_line(program.log()));
  if (!place) return place;
  place->file = place->file == job.line_file ? job.name : requested_name(place->file, job.name, working_folder());
  return place;
} catch (const Error&) {
  return std::nullopt;
}

[[noreturn]] void throw_failure(const NvrtcLibrary& nvrtc, const CompilerJob& job, const NvrtcText& text,
                                nvrtcResult result, const std::string& log, const std::vector<std::string>& options) {
  const std::string title = nvrtc.title();
  if (result == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    throw ToolkitError(title + " could not load its builtins library, which belongs beside " + nvrtc.path + ": " + log +
                           ". " + installation_advice(),
                       {nvrtc.path});
  FailedCompile failed{
      title, job.name, job.source, &job.headers, log, shown_options(job), late_define_text(job), &job.name_expressions};
  if (log.empty()) failed.end = nvrtc.get_error_string(result);
  if (result == NVRTC_ERROR_COMPILATION) {
    failed.ptx_place = ptx_place_of(nvrtc, job, text, log, options);
  } else {
    failed.advice = options_of_newer_nvrtc(options, nvrtc.version_number());
    if (const std::string misspelt = misspelt_option(options, log); !misspelt.empty())
      failed.advice += (failed.advice.empty() ? "" : "\n") + misspelt;
  }
  if (const auto error = main_error(errors_of(log), job.name); error && error->file.empty() && failed.advice.empty())
    failed.advice = option_file_advice(error->text, quoted_words(error->text), options, working_folder());
  throw CompileError(compile_message(failed), log, options);
}

std::vector<std::string> symbols_of(const std::vector<std::pair<std::string, std::string>>& lowered_names) {
  std::vector<std::string> symbols;
  symbols.reserve(lowered_names.size());
  for (const auto& lowered : lowered_names) symbols.push_back(lowered.second);
  return symbols;
}

CompilerOutput compile_here(const NvrtcLibrary& nvrtc, const CompilerJob& job, PrecompiledHeaders* pch) {
  const auto start = Stop::Clock::now();
  const NvrtcText text(job);
  NvrtcTimes times(job);
  CompilerOutput output;
  output.options = options_of(job);
  std::optional<std::string> use_pch;
  for (;;) {
    if (job.stop.is_due()) throw_stopped(job.name, job.stop, Stop::Clock::now() - start);
    use_pch = pch != nullptr ? pch->option_for(nvrtc, job, text, output.options) : std::nullopt;
    const NvrtcProgram program(nvrtc, text.source, text.name, text.headers);
    watch(program, job.stop);
    for (const std::string& expression : job.name_expressions) program.add_name_expression(expression);
    const nvrtcResult result = program.compile(times.with_option(with(output.options, use_pch)));
    if (result == cancelled && !job.stop.is_due())
      throw ToolkitError("the process is ending: the compile of \"" + job.name + "\" was called off", {});
    if (result == cancelled) throw_stopped(job.name, job.stop, Stop::Clock::now() - start);
    output.log = with_name_expressions(with_name(program.log(), job.line_file, job.name));
    if (times.is_refused(result, output.log)) continue;
    if (result == NVRTC_ERROR_INVALID_OPTION && drop_refused(output.options, job.arguments.size(), output.log))
      continue;
    if (use_pch && !pch->accept(result, output.log)) {
      pch = nullptr;
      continue;
    }
    if (result != NVRTC_SUCCESS) throw_failure(nvrtc, job, text, result, output.log, output.options);
    output.code = code_of(program, job.target);
    for (const std::string& expression : job.name_expressions)
      output.lowered_names.emplace_back(expression, program.lowered_name(expression));
    if (job.target == Target::cubin) {
      std::string ptx = program.ptx();
      output.parameter_kinds = parameter_kinds_of_ptx(ptx);
      output.code = without_unused_constants(std::move(output.code), ptx, symbols_of(output.lowered_names));
      if (job.keep_ptx) output.ptx = std::move(ptx);
    }
    break;
  }
  output.times = times.take(nvrtc, text, output.options);
  if (output.times) output.times->precompiled_header = use_pch.has_value();
  if (output.code.empty())
    throw CompileError(nvrtc.title() + " made no code of the wanted kind from \"" + job.name +
                           "\": an option asks for another kind (use CompileOptions::target instead)",
                       output.log, output.options);
  return output;
}

}  // namespace

CompilerOutput compile_with_nvrtc(const NvrtcLibrary& nvrtc, const CompilerJob& job, PrecompiledHeaders* pch) {
  const NvrtcUse use;
  CompilerOutput output;
  run_on_large_stack([&] { output = compile_here(nvrtc, job, pch); });
  return output;
}

}  // namespace kiln
