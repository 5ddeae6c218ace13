#include "compile/make_code.hpp"

#include "base/log.hpp"
#include "compile/give_stand_in.hpp"
#include "compile/kept_attempt.hpp"
#include "compile/nvcc_archs.hpp"
#include "compile/nvcc_compile.hpp"
#include "compile/nvcc_wanted.hpp"
#include "compile/nvrtc_attempts.hpp"
#include "compile/nvrtc_compile.hpp"
#include "compile/option_files.hpp"
#include "compile/places.hpp"
#include "compile/ptx_driver_code.hpp"
#include "compile/reference_headers.hpp"
#include "compile/stand_in_headers.hpp"
#include "compile/stopped.hpp"
#include "toolkit/nvrtc_library.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

namespace {

void log_options(const Request& request, const std::string& compiler, const CompilerOutput& output) {
  if (!log_enabled(LogLevel::debug)) return;
  std::string options;
  for (const std::string& option : output.options) options += " " + option;
  log_message(LogLevel::debug, request.job.name + ": compiled by " + compiler + " with" + options);
}

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

CompilerOutput run_nvrtc(Request& request) {
  const NvrtcLibrary& nvrtc = NvrtcLibrary::get();
  const std::string title = nvrtc.title();
  choose_arch(request, nvrtc.supported_archs(), title);
  if (!request.explicit_arch && request.wish.device_arch.empty())
    inform(request,
           "no device and no arch given: compiling for " + request.job.arch + ", the lowest that " + title + " makes");
  CompilerOutput output = attempt_and_keep(request);
  log_options(request, title, output);
  return output;
}

/// For functions of the host's library, such as std::get of a tuple; where nvcc's refusal names the option.
bool give_relaxed_constexpr(Request& request, const CompileError& refusal) {
  constexpr const char* option = "--expt-relaxed-constexpr";
  std::vector<std::string>& arguments = request.job.arguments;
  const bool is_given = std::find(arguments.begin(), arguments.end(), option) != arguments.end();
  if (request.wish.plain || is_given || refusal.log().find(option) == std::string::npos) return false;
  inform(request, std::string("compiled again with ") + option + ", for constexpr functions of the host");
  arguments.emplace_back(option);
  return true;
}

/// nvcc, with those of Kiln's own headers that the source or, as the log then says, a header of it includes or needs.
CompilerOutput compile_with_own_headers(Request& request) {
  give_stand_ins(request);
  ReferenceHeaders references(request);
  references.give_declared();
  for (;;) {
    try {
      return compile_with_nvcc(request.compiler.nvcc, request.job);
    } catch (const CompileStopped&) {
      throw;
    } catch (const CompileError& error) {
      bool given = false;
      for (const auto& header : stand_in_headers())
        if (error.log().find(" " + header.first + ": No such file") != std::string::npos)
          given |= give_stand_in(request, header.first);
      if (given || give_relaxed_constexpr(request, error)) continue;
      const Remedy remedy = read_reference_remedy(error.log());
      const CompileError& telling = references.telling(error, remedy);
      if (&telling != &error) throw CompileError(telling);
      if (!references.give_lacking(remedy) && !references.take_back(error)) throw;
    }
  }
}

CompilerOutput run_nvcc(Request& request) {
  const std::string& nvcc = request.compiler.nvcc;
  // Of an architecture that the user names nvcc itself is the judge.
  const bool ask = !request.explicit_arch && !request.wish.plain && !request.lists_archs;
  const auto archs = ask ? nvcc_archs(nvcc, request.job.stop) : std::vector<int>();
  if (request.job.stop.is_due()) throw_stopped(request.job.name, request.job.stop);
  choose_arch(request, archs, nvcc);
  CompilerOutput output = compile_with_own_headers(request);
  log_options(request, nvcc, output);
  return output;
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

MadeCode make_code(Request& request, bool keep) {
  FileSystem& files = FileSystem::real();
  const std::int64_t start_ns = files.now_ns();
  request.job.trace_headers = request.may_include && keep;
  const bool by_nvcc = request.compiler.backend == Backend::nvcc;
  CompilerOutput output = by_nvcc ? run_nvcc(request) : run_nvrtc(request);
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
  if (keep && request.may_include) {
    made.headers =
        find_dependencies(files, request.search, request.job.source, output.headers, request.strict_headers, start_ns);
    const std::string placeless = request.moves_places ? without_places(made.code->bytes, request.search) : "";
    note_places(made.headers, request.search, request.job.target,
                request.moves_places ? std::string_view(placeless) : made.code->bytes);
  }
  if (keep && have_changed(request.option_files))
    made.headers.refusal.add(Counter::refused_young_header, "a file that an option names changed during the compile");
  return made;
}

}  // namespace kiln
