#include "compile/make_code.hpp"

#include "base/log.hpp"
#include "compile/file_recording.hpp"
#include "compile/kept_attempt.hpp"
#include "compile/nvcc_wanted.hpp"
#include "compile/nvrtc_attempts.hpp"
#include "compile/nvrtc_compile.hpp"
#include "compile/option_files.hpp"
#include "compile/places.hpp"
#include "compile/ptx_driver_code.hpp"
#include "compile/read_dependencies.hpp"
#include "toolkit/nvcc.hpp"
#include "toolkit/nvrtc_library.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

namespace {

CompilerOutput attempt_and_keep(Request& request) {
  const CompilerJob& job = request.job;
  if (!job.keep) return compile_by_attempts(request);
  try {
    CompilerOutput output = compile_by_attempts(request);
    output.kept_folder = keep_attempt(job, output.options, output.log, output.code);
    return output;
  } catch (const NvccWanted&) {
    throw;  // nvcc will keep more
  } catch (const CompileError& error) {
    if (dynamic_cast<const CompileStopped*>(&error) != nullptr) throw;
    const std::string folder = keep_attempt(job, error.options(), error.log(), {});
    throw CompileError(std::string(error.what()) + "\nkept in " + folder, error.log(), error.options());
  }
}

/// The source, and what options define.
std::string own_text(const Request& request) {
  std::string text = request.job.source;
  for (const std::string& argument : request.job.arguments)
    if (!argument.starts_with("-I")) text.append("\n").append(argument);
  return text;
}

/// Files whose content the request's key has. A shell reads the compiler where that is a script.
std::set<std::string> files_in_key(const Request& request) {
  std::set<std::string> files;
  for (const FileDependency& file : request.option_files) files.insert(file.path.path);
  if (request.compiler.backend == Backend::nvcc)
    for (std::string& part : nvcc_parts(request.compiler.nvcc, request.job.arguments)) files.insert(std::move(part));
  return files;
}

std::string any_path(const Dependencies& found, const Roots& roots) {
  if (!found.files.empty()) return found.files[0].path.resolve(roots);
  if (!found.absent.empty()) return found.absent[0].resolve(roots);
  if (!found.obstacles.empty()) return found.obstacles[0].path.resolve(roots);
  return found.folders.empty() ? std::string() : found.folders[0].path.resolve(roots);
}

HeaderReport report_of(const Request& request, FileRecord record, std::int64_t start_ns) {
  std::erase_if(record.questions, [in_key = files_in_key(request)](const FileQuestion& question) {
    return in_key.count(settled_path(question.path)) != 0;
  });
  HeaderReport report = find_dependencies(FileSystem::real(), request.search, own_text(request), record,
                                          request.strict_headers, start_ns);
  // Of a source that names no file none is looked at.
  const std::string path = any_path(report.dependencies, request.search.roots);
  if (!request.may_include && !path.empty())
    report.refusal.add(Counter::refused_unknown_headers,
                       "it asks for files in a way that its text does not show, such as " + settled_path(path));
  return report;
}

/// What the code is for, where the compiler chose.
std::string arch_of(const Request& request, const CodeData& code) {
  if (!request.job.code.empty()) return request.job.code;
  if (!request.job.arch.empty()) return request.job.arch;
  return code.target == Target::cubin || code.target == Target::ptx ? code.info().arch : std::string();
}

}  // namespace

void inform(const Request& request, const std::string& what) {
  if (log_enabled(LogLevel::info)) log_message(LogLevel::info, request.job.name + ": " + what);
}

void log_options(const Request& request, const std::string& compiler, const CompilerOutput& output) {
  if (!log_enabled(LogLevel::debug)) return;
  std::string options;
  for (const std::string& option : output.options) options += " " + option;
  log_message(LogLevel::debug, request.job.name + ": compiled by " + compiler + " with" + options);
}

CompilerOutput run_nvrtc(Request& request) {
  const NvrtcLibrary& nvrtc = NvrtcLibrary::get();
  const std::string title = nvrtc.title();
  choose_arch(request, nvrtc.supported_archs(), title);
  if (!request.explicit_arch && request.wish.device_arch.empty())
    inform(request,
           "no device and no arch given: compiling for " + request.job.arch + ", the lowest that " + title + " makes");
  // Of all attempts: what an earlier one did not find is why the last one was made.
  std::optional<FileRecording> recording;
  if (request.job.records) recording.emplace();
  CompilerOutput output = attempt_and_keep(request);
  if (recording) output.record = recording->take();
  log_options(request, title, output);
  return output;
}

MadeCode make_code(Request& request, bool keep, RunCompiler run) {
  const std::int64_t start_ns = FileSystem::real().now_ns();
  request.job.records = keep;
  CompilerOutput output = run(request);
  if (!output.kept_folder.empty())
    log_message(LogLevel::warn, request.job.name + ": the compiler's working folder is kept: " + output.kept_folder);
  MadeCode made;
  made.code = std::make_shared<CodeData>();
  made.code->target = request.job.target;
  if (request.job.target == Target::ptx && is_for_ptx_driver(request.wish, Target::ptx))
    output.code = with_source_text(std::move(output.code), request.job, request.search.working_folder);
  made.code->own(std::move(output.code));
  made.code->parameter_kinds = std::move(output.parameter_kinds);
  made.code->arch = arch_of(request, *made.code);
  made.code->backend = request.compiler.backend;
  made.code->log = std::move(output.log);
  made.code->lowered_names = std::move(output.lowered_names);
  if (keep) made.headers = report_of(request, std::move(output.record), start_ns);
  if (keep && request.may_include) {
    const std::string placeless = request.moves_places ? without_places(made.code->bytes, request.search) : "";
    note_places(made.headers, request.search, request.job.target,
                request.moves_places ? std::string_view(placeless) : made.code->bytes);
  }
  if (keep && have_changed(request.option_files))
    made.headers.refusal.add(Counter::refused_young_header, "a file that an option names changed during the compile");
  return made;
}

}  // namespace kiln
