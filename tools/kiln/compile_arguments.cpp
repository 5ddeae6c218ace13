#include "compile_arguments.hpp"

#include "compile/options/target_name.hpp"
#include "option_checks.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cmath>
#include <functional>
#include <map>

namespace kiln::tool {

namespace {

using Texts = std::vector<std::string>;

std::map<std::string, Target> all_targets() {
  std::map<std::string, Target> targets;
  for (const TargetFacts& target : target_table) targets.emplace(target.name, target.target);
  return targets;
}
const std::map<std::string, Target> targets = all_targets();
const std::map<std::string, Backend> backends = {
    {"auto", Backend::automatic}, {"nvrtc", Backend::nvrtc}, {"nvcc", Backend::nvcc}};

std::string seconds_fault(const std::string& text) {
  double seconds = 0;
  const bool is_time = CLI::detail::lexical_cast(text, seconds) && seconds > 0 && seconds <= 1e9;
  return is_time ? "" : "\"" + text + "\" is no time: give seconds, more than 0";
}

std::string identifier_fault(const std::string& text) {
  const bool is_one = !text.empty() && text.find_first_not_of(
                                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789_") == std::string::npos;
  return is_one ? "" : "\"" + text + "\" is no part of a symbol: give letters, digits and _";
}

/// An option that may be repeated and takes one value each time.
void add_repeated(CLI::App& command, const std::string& name, const std::string& help,
                  const std::function<void(const Texts&)>& take,
                  const std::function<std::string(const std::string&)>& fault = {}) {
  CLI::Option* const option = command.add_option_function<Texts>(name, take, help)->allow_extra_args(false);
  if (fault) option->check(fault);
}

/// -I, -D and --option.
void add_preprocessing(CLI::App& command, CompileOptions& options) {
  add_repeated(command, "-I", "a folder to search for headers",
               [&](const Texts& folders) { options.include_dirs.assign(folders.begin(), folders.end()); });
  add_repeated(
      command, "-D", "a macro: NAME or NAME=VALUE",
      [&](const Texts& defines) { options.defines.assign(defines.begin(), defines.end()); }, define_fault);
  add_repeated(
      command, "--option", "an option for the compiler", [&](const Texts& words) { options.options = words; },
      compiler_option_fault);
}

/// What every command that takes a source text understands: FILE, whose help is `file_help`, -I, -D and --option.
template <class File>
void add_source_arguments(CLI::App& command, File& file, CompileOptions& options, const std::string& file_help) {
  command.add_option("FILE", file, file_help)->required();
  add_preprocessing(command, options);
}

void add_late_defines(CLI::App& command, CompileOptions& options) {
  add_repeated(
      command, "--late-define", "a macro, NAME or NAME=VALUE, that is defined behind the leading #include lines",
      [&](const Texts& defines) { options.late_defines.assign(defines.begin(), defines.end()); }, define_fault);
}

void add_backend(CLI::App& command, CompileOptions& options) {
  command
      .add_option_function<std::string>(
          "--backend", [&](const std::string& name) { options.backend = backends.at(name); }, "auto, nvrtc or nvcc")
      ->check(CLI::IsMember(backends));
}

void add_nvcc(CLI::App& command, CompileOptions& options) {
  command.add_option("--nvcc", options.nvcc.path, "the nvcc to run; otherwise the toolkit's, else the one on PATH");
}

}  // namespace

CLI::Option* add_arch(CLI::App& command, std::string& arch, const std::string& help) {
  return command.add_option("--arch", arch, help)->check(arch_fault);
}

void add_compile_options(CLI::App& command, CompileOptions& options) {
  add_preprocessing(command, options);
  add_late_defines(command, options);
}

void add_compile(CLI::App& app, CompileArguments& arguments) {
  CLI::App& command =
      *app.add_subcommand("compile", "compile CUDA C++ files, or LLVM IR (.ll, .bc), or find them in the cache");
  CompileOptions& options = arguments.options;
  add_source_arguments(command, arguments.files, options,
                       "the source; - is standard input; of several each becomes a file in the working folder");
  add_late_defines(command, options);
  command.add_option("-j,--jobs", arguments.jobs, "compile so many at once; otherwise as many as there are cores")
      ->check(CLI::Range(1U, 1024U));
  command.add_option("-o,--output", arguments.output,
                     "where to write; - is standard output; for several sources, or with --jobs, a folder");
  command
      .add_option_function<std::string>(
          "--target", [&](const std::string& name) { options.target = targets.at(name); },
          "cubin, ptx, fatbin, ltoir or optixir")
      ->check(CLI::IsMember(targets));
  add_arch(command, options.arch,
           "such as sm_90, or native-a for this machine's device with its own features; otherwise that device's plain "
           "one");
  command
      .add_option("--code", options.nvcc.code,
                  "for several architectures, with --target fatbin: sm_80,sm_90,compute_90")
      ->check(code_fault);
  add_backend(command, options);
  add_nvcc(command, options);
  add_repeated(command, "--name-expression", "a template instance to make",
               [&](const Texts& expressions) { options.name_expressions = expressions; });
  command.add_flag_callback(
      "--no-cache", [&] { options.cache = false; }, "compile anew and store nothing");
  command.add_flag("--keep", options.keep, "compile anew, and keep the compiler's working folder");
  command
      .add_option_function<double>(
          "--timeout",
          [&](double seconds) {
            options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000)));
          },
          "seconds after which a compile is ended")
      ->check(seconds_fault);
  command.add_flag("--timing", options.timing,
                   "show where the time went, for one source; a compile takes longer by what is measured apart");
  command.add_flag("--explain", arguments.explain, "say why the cache serves it or not, as KILN_LOG=info does");
}

void add_embed(CLI::App& app, EmbedArguments& arguments) {
  CLI::App& command = *app.add_subcommand(
      "embed", "compile a source, and write it with its code as a C++ file of a program, for kiln::embedded");
  CompileOptions& options = arguments.options;
  add_source_arguments(command, arguments.file, options, "the source");
  command.add_option("-o,--output", arguments.output, "the C++ file")->required();
  command
      .add_option("--arch", arguments.archs,
                  "such as 80,90: machine code for these, and their PTX for newer devices; 80-real and 80-virtual are "
                  "one of both")
      ->delimiter(',')
      ->required()
      ->allow_extra_args(false);
  command.add_option("--name", arguments.name, "what kiln::embedded finds it by; otherwise the file's name");
  command.add_option("--depfile", arguments.depfile, "where to write what it depends on, as compilers' -MD does");
  command
      .add_option("--anchor", arguments.anchor,
                  "also define kiln_embedded_in_ANCHOR, by which -Wl,--undefined takes it out of a static library")
      ->check(identifier_fault);
  add_repeated(command, "--name-expression", "a template instance to make",
               [&](const Texts& expressions) { options.name_expressions = expressions; });
  add_backend(command, options);
  add_nvcc(command, options);
}

void add_inspect(CLI::App& app, InspectArguments& arguments) {
  CLI::App& command = *app.add_subcommand("inspect", "the kernels in compiled code: parameters, registers, memory");
  add_source_arguments(command, arguments.file, arguments.options,
                       "a cubin, PTX, fatbin, a host program or library, or a source (.cu), which is compiled; - is "
                       "standard input");
  add_late_defines(command, arguments.options);
  add_arch(command, arguments.options.arch, "what a source is compiled for; which of a fatbin's images to show");
  command.add_flag("--json", arguments.json, "as one JSON object");
}

void add_preprocess(CLI::App& app, PreprocessArguments& arguments) {
  CLI::App& command = *app.add_subcommand("preprocess", "a source with its macros and includes expanded, by nvcc");
  add_source_arguments(command, arguments.file, arguments.options, "the source; - is standard input");
  add_nvcc(command, arguments.options);
}

}  // namespace kiln::tool
