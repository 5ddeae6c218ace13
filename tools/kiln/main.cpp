// The command line: reads arguments, calls the command, turns errors into exit statuses.
#include "base/argument_error.hpp"
#include "cache/remote/remote_address.hpp"
#include "cache/size_text.hpp"
#include "commands.hpp"
#include "compile_arguments.hpp"
#include "literal.hpp"
#include "option_checks.hpp"
#include "output_file.hpp"
#include "run_options.hpp"
#include "split_value.hpp"
#include "usage.hpp"

#include <kiln/error.hpp>

#include <CLI/CLI.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

struct CacheArguments {
  bool json = false;
  bool reset = false;
  bool sign = false;
  bool allow_unsigned = false;
  std::string max_size;
  std::string file;
  kiln::tool::WarmArguments warm;
  std::string key;
  std::string remote;
  kiln::TransferOptions transfer;
  std::string age;
};

void add_warm(CLI::App& command, kiln::tool::WarmArguments& arguments) {
  CLI::App& warm = *command.add_subcommand("warm", "compile what KILN_RECORD listed of a real run");
  warm.add_option("FILE", arguments.file, "the list; - is standard input")->required();
  warm.add_option("--arch", arguments.archs,
                  "for these devices, such as sm_80,sm_90, what was left to the device; otherwise for those of the run")
      ->delimiter(',')
      ->check(kiln::tool::arch_fault)
      ->allow_extra_args(false);
  warm.add_option("-j,--jobs", arguments.jobs, "compile so many at once; otherwise as many as there are cores")
      ->check(CLI::Range(1U, 1024U));
}

void add_signing(CLI::App& command, CacheArguments& arguments) {
  command.add_subcommand("keygen", "make a pair of keys: NAME.key signs, NAME.pub is for who takes what it signed")
      ->add_option("NAME", arguments.file, "the files' path without their endings; none is overwritten")
      ->required();
  command
      .add_subcommand("sign", "sign every entry: users who trust the key may then read this folder, whoever owns it")
      ->add_option("--key", arguments.key, "the private key; otherwise that of KILN_CACHE_SIGNING_KEY");
}

void add_remote(CLI::App& command, CacheArguments& arguments) {
  CLI::App& remote = *command.add_subcommand("remote", "whether the remote caches can be used, and for what");
  remote.add_option("--remote", arguments.remote, "these addresses; otherwise those of KILN_CACHE_REMOTE");
  remote.add_flag("--json", arguments.json, "as one JSON object");
}

/// For CLI11. Of `kiln trace` without the "--" that may stand before its program: CLI11 takes what follows one for
/// another command's. Of `kiln run` and `kiln tune` with a blank before -inf and -.5, which CLI11 takes for options.
std::vector<std::string> words_to_parse(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  if (argc < 2) return words;
  if (words[1] == "run" || words[1] == "tune")
    for (std::string& word : words)
      if (word.size() > 1 && word[0] == '-' && (word[1] < '0' || word[1] > '9') && kiln::tool::read_literal(word))
        word.insert(0, 1, ' ');
  if (words[1] != "trace") return words;
  for (int i = 2; i < argc && argv[i][0] == '-'; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") {
      words.erase(words.begin() + i);
      break;
    }
    if (word == "-o" || word == "--output") ++i;
  }
  return words;
}

CLI::App& add_trace(CLI::App& app, kiln::tool::TraceArguments& arguments) {
  CLI::App& command = *app.add_subcommand(
      "trace",
      "run a program, and show what Kiln did in it: looked up, waited for, compiled, linked, loaded, launched");
  command.footer("After the options: PROGRAM [ARGUMENT]...");
  command.add_option("-o,--output", arguments.output, "also write a trace that Perfetto and chrome://tracing open");
  command.add_flag_callback(
      "--no-launches", [&] { arguments.launches = false; }, "without launches, which cost some microseconds more each");
  command.prefix_command();  // what follows the program is the program's
  return command;
}

std::string age_fault(const std::string& text) {
  return kiln::parse_duration(text) ? "" : "\"" + text + "\" is no age: give a number with s, m, h or d, such as 7d";
}

void add_transfer(CLI::App& command, CacheArguments& arguments, const char* name, const char* what) {
  CLI::App& transfer = *command.add_subcommand(name, what);
  transfer.add_option("NAME", arguments.transfer.names,
                      "only entries of these names, as \"kiln cache list\" has them (- for none)");
  transfer.add_option("--arch", arguments.transfer.archs, "only entries for these architectures, such as sm_80,sm_90")
      ->delimiter(',')
      ->check(kiln::tool::arch_fault)
      ->allow_extra_args(false);
  transfer.add_option("--newer-than", arguments.age, "only what was used since then, such as 12h or 7d")
      ->check(age_fault);
  transfer.add_option("--remote", arguments.transfer.remote, "these addresses; otherwise those of KILN_CACHE_REMOTE");
}

void add_cache(CLI::App& app, CacheArguments& arguments) {
  CLI::App& command = *app.add_subcommand("cache", "the folder that compiled code is kept in");
  command.require_subcommand(1);
  command.footer("\"kiln cache SUBCOMMAND --help\" lists what a subcommand takes.");
  command.add_subcommand("path", "where it is");
  CLI::App& stats = *command.add_subcommand("stats", "its counters");
  stats.add_flag("--json", arguments.json, "as one JSON object");
  stats.add_flag("--reset", arguments.reset, "set them to zero when they are printed");
  command
      .add_subcommand("list",
                      "its entries, most recently used first: key, target, architecture, bytes, last use, source")
      ->add_flag("--json", arguments.json, "as a JSON array of objects");
  command.add_subcommand("verify",
                         "read and check every file; remove the damaged ones, and exit with 1 if there were any");
  command.add_subcommand("prune", "remove what was not used for the longest time")
      ->add_option("--max-size", arguments.max_size,
                   "keep at most so many bytes, such as 500M or 2G; otherwise the limit is KILN_CACHE_MAX_SIZE's")
      ->check(kiln::tool::size_fault);
  command.add_subcommand("clear", "remove every entry");
  add_warm(command, arguments.warm);
  CLI::App& exporting = *command.add_subcommand("export", "write every entry into one file, for another machine");
  exporting.add_option("FILE", arguments.file, "the bundle")->required();
  exporting.add_flag("--sign", arguments.sign, "with a signature by the key of KILN_CACHE_SIGNING_KEY, or of --key");
  exporting.add_option("--key", arguments.key, "sign it by this private key");
  CLI::App& importing = *command.add_subcommand("import", "add the entries of such a file");
  importing.add_option("FILE", arguments.file, "the bundle; its maker decides what code runs here")->required();
  importing.add_flag("--unsigned", arguments.allow_unsigned,
                     "take it also where KILN_CACHE_PUBLIC_KEYS is set, and none of these keys signed it");
  add_signing(command, arguments);
  add_remote(command, arguments);
  add_transfer(command, arguments, "push", "put entries at the remote caches");
  add_transfer(command, arguments, "pull", "bring what the remote caches have into the folder");
}

kiln::TransferOptions transfer_options(const CacheArguments& arguments) {
  kiln::TransferOptions options = arguments.transfer;
  std::replace(options.names.begin(), options.names.end(), std::string("-"), std::string());  // as the list shows it
  if (const auto age = kiln::parse_duration(arguments.age))
    options.newer_than = std::chrono::duration_cast<std::chrono::seconds>(*age);
  return options;
}

int run_cache(const CLI::App& command, const CacheArguments& arguments) {
  if (command.got_subcommand("path")) return kiln::tool::cache_path_command();
  if (command.got_subcommand("remote")) return kiln::tool::cache_remote_command(arguments.remote, arguments.json);
  if (command.got_subcommand("keygen")) return kiln::tool::cache_keygen_command(arguments.file);
  kiln::tool::require_cache_folder();
  if (command.got_subcommand("stats")) return kiln::tool::cache_stats_command(arguments.json, arguments.reset);
  if (command.got_subcommand("list")) return kiln::tool::cache_list_command(arguments.json);
  if (command.got_subcommand("verify")) return kiln::tool::cache_verify_command();
  if (command.got_subcommand("prune")) return kiln::tool::cache_prune_command(kiln::parse_size(arguments.max_size));
  if (command.got_subcommand("warm")) return kiln::tool::cache_warm_command(arguments.warm);
  if (command.got_subcommand("export"))
    return kiln::tool::cache_export_command(arguments.file, {arguments.sign || !arguments.key.empty(), arguments.key});
  if (command.got_subcommand("import"))
    return kiln::tool::cache_import_command(arguments.file, {{}, arguments.allow_unsigned});
  if (command.got_subcommand("push")) return kiln::tool::cache_push_command(transfer_options(arguments));
  if (command.got_subcommand("pull")) return kiln::tool::cache_pull_command(transfer_options(arguments));
  if (command.got_subcommand("sign")) return kiln::tool::cache_sign_command(arguments.key);
  return kiln::tool::cache_clear_command();
}

/// The explanations are messages of level info. Said before anything else runs.
void show_explanations() {
  const char* level = std::getenv("KILN_LOG");
  if (level == nullptr || std::string_view(level) != "debug") ::setenv("KILN_LOG", "info", 1);
}

int run(CLI::App& app, const kiln::tool::CompileArguments& compile, const kiln::tool::InspectArguments& inspect,
        const kiln::tool::PreprocessArguments& preprocess, const kiln::tool::EmbedArguments& embed,
        const kiln::tool::RunArguments& launch, const kiln::tool::TuningArguments& tuning,
        const kiln::tool::WisdomArguments& wisdom, const kiln::tool::TraceArguments& trace,
        const CacheArguments& cache) {
  if (app.got_subcommand("compile")) {
    if (compile.explain) show_explanations();
    const bool are_many = compile.jobs != 0 || compile.files.size() > 1;
    return are_many ? kiln::tool::compile_many_command(compile) : kiln::tool::compile_command(compile);
  }
  if (app.got_subcommand("inspect")) return kiln::tool::inspect_command(inspect);
  if (app.got_subcommand("preprocess")) return kiln::tool::preprocess_command(preprocess);
  if (app.got_subcommand("embed")) return kiln::tool::embed_command(embed);
  if (app.got_subcommand("run")) return kiln::tool::run_command(launch);
  if (app.got_subcommand("tune")) return kiln::tool::tune_command(tuning);
  if (app.got_subcommand("trace")) return kiln::tool::trace_command(trace);
  if (app.got_subcommand("wisdom")) return kiln::tool::run_wisdom(*app.get_subcommand("wisdom"), wisdom);
  if (app.got_subcommand("doctor")) return kiln::tool::doctor_command();
  return run_cache(*app.get_subcommand("cache"), cache);
}

int report(const std::exception& error, int status) {
  kiln::tool::say("kiln: " + kiln::tool::error_text(error) + "\n");
  return status;
}

/// "--arch=", for which CLI11 would take the next word.
void refuse_words_without_value(const std::vector<std::string>& words) {
  if (words.size() > 1 && words[1] == "trace") return;  // the program's own
  for (const std::string& word : words) {
    if (word == "--") return;
    if (word.substr(0, 2) == "--" && word.find('=') == word.size() - 1)
      kiln::throw_argument_error(word + ": " + kiln::tool::is_empty, "a value", "none");
  }
}

/// Where one of the standard descriptors is closed, the next file that is opened would get its number, and what is
/// printed. What fails when it is used stands there instead.
void fill_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

/// What CLI11 would print itself: help and the version on standard output, faults on standard error.
int exit_of(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream output, errors;
  const int status = app.exit(error, output, errors);
  kiln::tool::say(errors.str());
  kiln::tool::print(output.str());
  return status == 0 ? kiln::tool::success : kiln::tool::usage;
}

}  // namespace

int main(int argc, char** argv) try {
  fill_standard_descriptors();
  // For the handlers below, too: their messages have the command's options.
  static CLI::App app("Compiles CUDA C++ and LLVM IR, and keeps the code.", "kiln");
  app.set_version_flag("--version", KILN_VERSION);
  app.require_subcommand(1);
  app.footer("\"kiln SUBCOMMAND --help\" lists what a subcommand takes.");
  app.failure_message(
      [](const CLI::App* failed, const CLI::Error& error) { return kiln::tool::usage_text(*failed, error); });
  kiln::tool::CompileArguments compile;
  kiln::tool::InspectArguments inspect;
  kiln::tool::PreprocessArguments preprocess;
  kiln::tool::EmbedArguments embed;
  kiln::tool::RunArguments launch;
  kiln::tool::TuningArguments tuning;
  kiln::tool::WisdomArguments wisdom;
  kiln::tool::TraceArguments trace;
  CacheArguments cache;
  kiln::tool::add_compile(app, compile);
  kiln::tool::add_run(app, launch);
  kiln::tool::add_tune(app, tuning);
  kiln::tool::add_wisdom(app, wisdom);
  kiln::tool::add_inspect(app, inspect);
  kiln::tool::add_preprocess(app, preprocess);
  kiln::tool::add_embed(app, embed);
  app.add_subcommand("doctor", "what was found on this machine, and what is missing");
  const CLI::App& traced = add_trace(app, trace);
  add_cache(app, cache);
  kiln::tool::check_all_values(app);
  try {
    std::vector<std::string> words = words_to_parse(argc, argv);
    refuse_words_without_value(words);
    kiln::tool::note_words({words.begin() + std::min<std::ptrdiff_t>(1, argc), words.end()});
    std::reverse(words.begin(), words.end());  // CLI11 takes the last one first
    if (!words.empty()) words.pop_back();      // without the program
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) kiln::tool::require_command(app);
    return exit_of(app, error);
  }
  kiln::tool::speak_of(app);
  trace.command = traced.remaining();
  const int status = run(app, compile, inspect, preprocess, embed, launch, tuning, wisdom, trace, cache);
  kiln::tool::check_standard_output();
  return status;
} catch (const kiln::ToolkitError& error) {
  return report(error, kiln::tool::missing_component);
} catch (const kiln::ArgumentError& error) {
  return report(error, kiln::tool::usage);
} catch (const std::exception& error) {
  return report(error, kiln::tool::failed);
}
