#include "compile_arguments.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>

namespace kiln::tool {

namespace {

const std::map<std::string, Target> targets = {{"cubin", Target::cubin},
                                               {"ptx", Target::ptx},
                                               {"fatbin", Target::fatbin},
                                               {"ltoir", Target::ltoir},
                                               {"optixir", Target::optixir}};
const std::map<std::string, Backend> backends = {
    {"auto", Backend::automatic}, {"nvrtc", Backend::nvrtc}, {"nvcc", Backend::nvcc}};

std::string seconds_fault(const std::string& text) {
  double seconds = 0;
  const bool is_time = CLI::detail::lexical_cast(text, seconds) && seconds > 0 && seconds <= 1e9;
  return is_time ? "" : "\"" + text + "\" is no time: give seconds, more than 0";
}

/// An option that may be repeated and takes one value each time.
void add_repeated(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                  const std::string& help) {
  command.add_option(name, values, help)->allow_extra_args(false);
}

}  // namespace

CompileOptions SourceArguments::take() const {
  CompileOptions result;
  result.options = options;
  result.include_dirs.assign(include_dirs.begin(), include_dirs.end());
  result.defines.assign(defines.begin(), defines.end());
  return result;
}

void add_source_arguments(CLI::App& command, SourceArguments& arguments, const std::string& file_help) {
  command.add_option("FILE", arguments.file, file_help)->required();
  add_repeated(command, "-I", arguments.include_dirs, "a folder to search for headers");
  add_repeated(command, "-D", arguments.defines, "a macro: NAME or NAME=VALUE");
  add_repeated(command, "--option", arguments.options, "an option for the compiler");
}

CompileRequest CompileArguments::take() const {
  CompileRequest request;
  request.file = source.file;
  request.output = output;
  request.options = source.take();
  request.options.arch = arch;
  request.options.nvcc.code = code;
  request.options.target = targets.at(target);
  request.options.backend = backends.at(backend);
  request.options.nvcc.path = nvcc;
  request.options.keep = keep;
  request.options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(timeout * 1000)));
  request.options.name_expressions = name_expressions;
  request.options.cache = !no_cache;
  return request;
}

CompileManyRequest CompileArguments::take_many() const {
  CompileManyRequest request;
  request.files = more_files;
  request.files.insert(request.files.begin(), source.file);
  request.folder = output;
  request.jobs = jobs;
  request.options = take().options;
  return request;
}

void add_compile(CLI::App& app, CompileArguments& arguments) {
  CLI::App& command =
      *app.add_subcommand("compile", "compile a CUDA C++ file, or LLVM IR (.ll, .bc), or find it in the cache");
  add_source_arguments(command, arguments.source, "the source; - is standard input");
  command.add_option("MORE", arguments.more_files, "more sources; each becomes a file in the working folder");
  command.add_option("-j,--jobs", arguments.jobs, "compile so many at once; otherwise as many as there are cores")
      ->check(CLI::Range(1U, 1024U));
  command.add_option("-o,--output", arguments.output,
                     "where to write; - is standard output; for several sources, or with --jobs, a folder");
  command.add_option("--target", arguments.target, "cubin, ptx, fatbin, ltoir or optixir")
      ->check(CLI::IsMember(targets));
  command.add_option("--arch", arguments.arch, "such as sm_90; otherwise this machine's device's");
  command.add_option("--code", arguments.code,
                     "for several architectures, with --target fatbin: sm_80,sm_90,compute_90");
  command.add_option("--backend", arguments.backend, "auto, nvrtc or nvcc")->check(CLI::IsMember(backends));
  command.add_option("--nvcc", arguments.nvcc, "the nvcc to run; otherwise the toolkit's, else the one on PATH");
  add_repeated(command, "--name-expression", arguments.name_expressions, "a template instance to make");
  command.add_flag("--no-cache", arguments.no_cache, "compile anew and store nothing");
  command.add_flag("--keep", arguments.keep, "compile anew, and keep the compiler's working folder");
  command.add_option("--timeout", arguments.timeout, "seconds after which a compile is ended")->check(seconds_fault);
  command.add_flag("--explain", arguments.explain, "say why the cache serves it or not, as KILN_LOG=info does");
}

InspectRequest InspectArguments::take() const {
  InspectRequest request;
  request.file = source.file;
  request.json = json;
  request.options = source.take();
  request.options.arch = arch;
  return request;
}

void add_inspect(CLI::App& app, InspectArguments& arguments) {
  CLI::App& command = *app.add_subcommand("inspect", "the kernels in compiled code: parameters, registers, memory");
  add_source_arguments(command, arguments.source,
                       "a cubin, PTX, fatbin, a host program or library, or a source (.cu), which is compiled; - is "
                       "standard input");
  command.add_option("--arch", arguments.arch, "what a source is compiled for; which of a fatbin's images to show");
  command.add_flag("--json", arguments.json, "as one JSON object");
}

PreprocessRequest PreprocessArguments::take() const {
  PreprocessRequest request;
  request.file = source.file;
  request.nvcc = nvcc;
  request.options = source.options;
  for (const std::string& folder : source.include_dirs) request.options.push_back("-I" + folder);
  for (const std::string& define : source.defines) request.options.push_back("-D" + define);
  return request;
}

void add_preprocess(CLI::App& app, PreprocessArguments& arguments) {
  CLI::App& command = *app.add_subcommand("preprocess", "a source with its macros and includes expanded, by nvcc");
  add_source_arguments(command, arguments.source, "the source; - is standard input");
  command.add_option("--nvcc", arguments.nvcc, "the nvcc to run; otherwise the toolkit's, else the one on PATH");
}

}  // namespace kiln::tool
