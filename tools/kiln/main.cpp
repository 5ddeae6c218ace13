// The command line: reads arguments, calls the command, turns errors into exit statuses.
#include "cache/size_text.hpp"
#include "commands.hpp"

#include <kiln/error.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

using kiln::tool::CompileRequest;

const std::map<std::string, kiln::Target> targets = {{"cubin", kiln::Target::cubin},
                                                     {"ptx", kiln::Target::ptx},
                                                     {"ltoir", kiln::Target::ltoir},
                                                     {"optixir", kiln::Target::optixir}};

/// An option that may be repeated and takes one value each time.
template <class Values>
void add_repeated(CLI::App& command, const std::string& name, Values& values, const std::string& help) {
  command.add_option(name, values, help)->allow_extra_args(false);
}

struct CompileArguments {
  CompileRequest request;
  std::vector<std::string> include_dirs;
  std::vector<std::string> defines;
  std::string target = "cubin";
  std::string backend = "auto";
  bool no_cache = false;
  bool explain = false;

  CompileRequest take() {
    kiln::CompileOptions& options = request.options;
    options.include_dirs.assign(include_dirs.begin(), include_dirs.end());
    options.defines.assign(defines.begin(), defines.end());
    options.target = targets.at(target);
    options.cache = !no_cache;
    return request;
  }
};

void add_compile(CLI::App& app, CompileArguments& arguments) {
  CLI::App& command = *app.add_subcommand("compile", "compile a CUDA C++ file, or find it in the cache");
  CompileRequest& request = arguments.request;
  command.add_option("FILE", request.file, "the source; - is standard input")->required();
  command.add_option("-o,--output", request.output, "where to write; - is standard output");
  command.add_option("--target", arguments.target, "cubin, ptx, ltoir or optixir")
      ->check(CLI::IsMember({"cubin", "ptx", "ltoir", "optixir"}));
  command.add_option("--arch", request.options.arch, "such as sm_90; otherwise this machine's device's");
  command.add_option("--backend", arguments.backend, "auto or nvrtc")->check(CLI::IsMember({"auto", "nvrtc"}));
  add_repeated(command, "-I", arguments.include_dirs, "a folder to search for headers");
  add_repeated(command, "-D", arguments.defines, "a macro: NAME or NAME=VALUE");
  add_repeated(command, "--option", request.options.options, "an option for the compiler");
  add_repeated(command, "--name-expression", request.options.name_expressions, "a template instance to make");
  command.add_flag("--no-cache", arguments.no_cache, "compile anew and store nothing");
  command.add_flag("--explain", arguments.explain, "say why the cache serves it or not, as KILN_LOG=info does");
}

struct CacheArguments {
  bool json = false;
  std::string max_size;
  std::string file;
};

std::string size_fault(const std::string& text) {
  return kiln::parse_size(text) ? "" : "\"" + text + "\" is no size: give bytes, or a number with k, M, G or T";
}

void add_cache(CLI::App& app, CacheArguments& arguments) {
  CLI::App& command = *app.add_subcommand("cache", "the folder that compiled code is kept in");
  command.require_subcommand(1);
  command.add_subcommand("path", "where it is");
  command.add_subcommand("stats", "its counters")->add_flag("--json", arguments.json, "as one JSON object");
  command
      .add_subcommand("list",
                      "its entries, most recently used first: key, target, architecture, bytes, last use, source")
      ->add_flag("--json", arguments.json, "as a JSON array of objects");
  command.add_subcommand("verify",
                         "read and check every file; remove the damaged ones, and exit with 1 if there were any");
  command.add_subcommand("prune", "remove what was not used for the longest time")
      ->add_option("--max-size", arguments.max_size,
                   "keep at most so many bytes, such as 500M or 2G; otherwise the limit is KILN_CACHE_MAX_SIZE's")
      ->check(size_fault);
  command.add_subcommand("clear", "remove every entry");
  command.add_subcommand("export", "write every entry into one file, for another machine")
      ->add_option("FILE", arguments.file, "the bundle")
      ->required();
  command.add_subcommand("import", "add the entries of such a file")
      ->add_option("FILE", arguments.file, "the bundle; whoever made it decides what code runs here")
      ->required();
}

int run_cache(const CLI::App& command, const CacheArguments& arguments) {
  if (command.got_subcommand("path")) return kiln::tool::cache_path_command();
  if (command.got_subcommand("stats")) return kiln::tool::cache_stats_command(arguments.json);
  if (command.got_subcommand("list")) return kiln::tool::cache_list_command(arguments.json);
  if (command.got_subcommand("verify")) return kiln::tool::cache_verify_command();
  if (command.got_subcommand("prune")) return kiln::tool::cache_prune_command(kiln::parse_size(arguments.max_size));
  if (command.got_subcommand("export")) return kiln::tool::cache_export_command(arguments.file);
  if (command.got_subcommand("import")) return kiln::tool::cache_import_command(arguments.file);
  return kiln::tool::cache_clear_command();
}

/// The explanations are messages of level info. Said before anything else runs.
void show_explanations() {
  const char* level = std::getenv("KILN_LOG");
  if (level == nullptr || std::string_view(level) != "debug") ::setenv("KILN_LOG", "info", 1);
}

int run(CLI::App& app, CompileArguments& compile, const CacheArguments& cache) {
  if (app.got_subcommand("compile")) {
    if (compile.explain) show_explanations();
    return kiln::tool::compile_command(compile.take());
  }
  if (app.got_subcommand("doctor")) return kiln::tool::doctor_command();
  return run_cache(*app.get_subcommand("cache"), cache);
}

int report(const std::exception& error, int status) {
  std::fprintf(stderr, "kiln: %s\n", error.what());
  return status;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("Compiles CUDA C++ and keeps it.", "kiln");
  app.set_version_flag("--version", KILN_VERSION);
  app.require_subcommand(1);
  CompileArguments arguments;
  CacheArguments cache;
  add_compile(app, arguments);
  app.add_subcommand("doctor", "what was found on this machine, and what is missing");
  add_cache(app, cache);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kiln::tool::success : kiln::tool::usage;
  }
  return run(app, arguments, cache);
} catch (const kiln::ToolkitError& error) {
  return report(error, kiln::tool::missing_component);
} catch (const kiln::ArgumentError& error) {
  return report(error, kiln::tool::usage);
} catch (const std::exception& error) {
  return report(error, kiln::tool::failed);
}
