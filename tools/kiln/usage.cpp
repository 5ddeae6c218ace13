#include "usage.hpp"

#include "base/argument_error.hpp"
#include "base/identifier.hpp"
#include "base/log.hpp"
#include "base/similar_name.hpp"
#include "compile/compiler/compiler_log.hpp"
#include "compile/options/known_options.hpp"
#include "split_value.hpp"

#include <kiln/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace kiln::tool {

namespace {

/// Null until the command line was read.
const CLI::App*& spoken_of() {
  static const CLI::App* app = nullptr;
  return app;
}

/// The innermost command that was given, and its name with those of its parents; but the outermost one that got words
/// which it does not know, where `of_unknown_words`.
std::pair<const CLI::App*, std::string> given_command(const CLI::App& app, bool of_unknown_words = false) {
  const CLI::App* command = &app;
  std::string name = app.get_name();
  for (auto given = app.get_subcommands(); !given.empty(); given = command->get_subcommands()) {
    if (of_unknown_words && !command->remaining().empty()) break;
    command = given.front();
    name += " " + command->get_name();
  }
  return {command, name};
}

bool has_option(const CLI::App& command, const std::string& option) {
  return command.get_option_no_throw(option) != nullptr;
}

std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  return options;
}

/// "--block, --bench or --bytes" for -b, -b=4 and -b4.
std::string options_by_letter(const CLI::App& command, const std::string& given) {
  const bool is_letter = given.size() > 1 && given[0] == '-' && given[1] != '-' &&
                         (given.size() == 2 || given[2] == '=' || (given[2] >= '0' && given[2] <= '9'));
  std::vector<std::string> found;
  for (const std::string& option : is_letter ? long_options(command) : std::vector<std::string>())
    if (option[2] == given[1]) found.push_back(option);
  std::string text;
  for (std::size_t i = 0; i < found.size(); ++i)
    text += (i == 0 ? "" : i + 1 == found.size() ? " or " : ", ") + found[i];
  return text;
}

/// The options of the command that a misspelt one may stand for; empty where none is near.
std::string similar_option(const CLI::App& command, const std::string& given) {
  if (std::string options = options_by_letter(command, given); !options.empty()) return options;
  const std::string name = given.substr(0, given.find('='));
  if (name.starts_with("--")) return similar_name(name, long_options(command));
  return has_option(command, "-" + name) ? "-" + name : "";  // -grid
}

/// "kiln run, kiln compile": those that have an option which the command does not have.
std::string other_commands_with(const CLI::App& command, const std::string& option) {
  const CLI::App* const parent = command.get_parent();
  std::string names;
  if (parent == nullptr || !option.starts_with("--")) return names;
  for (const CLI::App* other : parent->get_subcommands({}))
    if (has_option(*other, option))
      names += (names.empty() ? "" : ", ") +
               ("kiln " + (parent->get_parent() == nullptr ? "" : parent->get_name() + " ")) + other->get_name();
  return names;
}

/// An option of nvcc that the command line has another word for; empty for any other.
std::string advice_on_nvcc(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  if (!has_option(command, "--target")) return {};
  if (name == "-c" || name == "--compile") return "; it is not needed: kiln compile writes a cubin";
  if (name == "-gencode" || name == "--generate-code")
    return "; write --arch sm_90, or --target fatbin --code sm_80,sm_90 for several architectures";
  for (const char* const target : {"ptx", "cubin", "fatbin", "optix-ir"})
    if (name.substr(0, 1) == "-" && name.substr(name.find_first_not_of('-')) == target)
      return std::string("; write --target ") + (std::string_view(target) == "optix-ir" ? "optixir" : target);
  return {};
}

/// What to write instead of an option that the command does not have.
std::string advice_on(const CLI::App& command, const std::string& word) {
  if (std::string advice = advice_on_nvcc(command, word); !advice.empty()) return advice;
  if (!has_option(command, "--output") && (word.starts_with("-o") || word.starts_with("--output")))
    return "; " + command.get_name() + " writes to standard output: add > FILE";
  for (const char* const name : {"-arch", "--gpu-architecture"}) {
    if (word.rfind(name, 0) != 0 || !has_option(command, "--arch")) continue;
    const std::size_t value = word.find('=');
    return "; write --arch " + (value == std::string::npos ? "sm_90" : word.substr(value + 1));
  }
  if (const std::string similar = similar_option(command, word); !similar.empty())
    return "; did you mean " + similar + "?";
  const std::string of_others = other_commands_with(command, word.substr(0, word.find('=')));
  if (!of_others.empty()) return "; that is an option of " + of_others;
  if (!has_option(command, "--option")) return {};
  const ReadOption read = read_option({word}, 0);
  if (read.known == nullptr && word.size() == 2 && has_option(command, "ARGUMENT"))
    return "; a kernel's arguments are given in its order, without their names";
  const bool lacks_value = read.known != nullptr && read.known->value != KnownOption::Value::none && read.value.empty();
  return "; if it is an option of the compiler, write --option=" + word + (lacks_value ? "=VALUE" : "");
}

// "--" ends the options.
bool is_option_word(const std::string& word) { return word.size() > 1 && word.front() == '-' && word != "--"; }

/// In the order of the command line, which CLI11 lists backwards. With advice on the first option.
std::string unexpected_words_text(const CLI::App& command) {
  const std::vector<std::string> words = command.remaining();
  std::string text =
      words.size() == 1 ? "The following argument was not expected:" : "The following arguments were not expected:";
  for (const std::string& word : words) text += " " + word;
  const auto option = std::find_if(words.begin(), words.end(), is_option_word);
  if (option != words.end()) return text + advice_on(command, *option);
  const std::string advice = words.empty() ? "" : split_value_advice(words.front());
  return advice.empty() ? text : text + "; " + advice;
}

/// CLI11's words for an option that is given twice, and for one without its value, in plainer ones.
std::string in_plain_words(std::string fault) {
  constexpr std::string_view twice = ": At Most 1 required but received ";
  if (const std::size_t at = fault.find(twice); at != std::string::npos)
    fault.replace(at, twice.size(), ": give it once; it is given so often: ");
  if (const std::size_t at = fault.find(": 1 required "); at != std::string::npos && fault.ends_with(" missing"))
    fault.replace(at, std::string::npos, ": its value is missing");
  return fault;
}

struct Member {
  std::string_view name;
  const char* option;
};

/// Those that an error of the library may name.
constexpr Member members[] = {
    {"CacheOptions::remote", "--remote"},
    {"CompileOptions::arch", "--arch"},
    {"CompileOptions::backend", "--backend"},
    {"CompileOptions::defines", "-D"},
    {"CompileOptions::include_dirs", "-I"},
    {"CompileOptions::keep", "--keep"},
    {"CompileOptions::late_defines", "--late-define"},
    {"CompileOptions::nvcc.code", "--code"},
    {"CompileOptions::nvcc.path", "--nvcc"},
    {"CompileOptions::options", "--option"},
    {"CompileOptions::target", "--target"},
    {"CompileOptions::timing", "--timing"},
    {"TuneOptions::keep_emulator_wisdom", "--keep-emulator-wisdom"},
    {"TuneOptions::launch_seconds", "--launch-seconds"},
    {"TuneOptions::max_seconds", "--max-seconds"},
    {"TuneOptions::max_variants", "--max-variants"},
    {"TuneOptions::min_repetitions", "--repetitions"},
};

/// What an error of a launch names, and the option that gives it, with the part of its value.
struct LaunchSize {
  const char* name;
  const char* option;
  const char* part;
};

constexpr LaunchSize launch_sizes[] = {
    {"shared_size", "--shared", ""},
    {"threads in a block", "--block", ", threads in a block"},
    {"block x", "--block", ", x"},
    {"block y", "--block", ", y"},
    {"block z", "--block", ", z"},
    {"grid x", "--grid", ", x"},
    {"grid y", "--grid", ", y"},
    {"grid z", "--grid", ", z"},
    {"grid of a cooperative launch, in blocks", "--grid", " of a cooperative launch, in blocks"},
};

/// What follows the log's first errors in a message of the library.
constexpr std::string_view log_has_all = "the error's log() has all";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// A log of usual size whole, where the message has only its beginning.
std::string with_whole_log(std::string message, const std::string& log) {
  constexpr std::size_t usual_size = 16384;
  if (message.find(log_has_all) == std::string::npos) return message;
  const std::string shown = bounded_log(log, log_has_all);
  const std::size_t at = message.find(shown);
  const bool is_whole = log.size() <= usual_size || log_enabled(LogLevel::debug);
  if (is_whole && at != std::string::npos) message.replace(at, shown.size(), log + (log.ends_with('\n') ? "" : "\n"));
  replace_all(message, log_has_all, "KILN_LOG=debug shows all");
  return message;
}

/// After a log that fills a terminal what stands above it is said again, as only the end is in view.
std::string with_head_at_end(std::string message) {
  constexpr std::ptrdiff_t usual_lines = 20;
  const std::size_t head = std::min(message.find("\nlog:\n"), message.find("\nerror log:\n"));
  if (head == std::string::npos) return message;
  const auto log = message.begin() + static_cast<std::ptrdiff_t>(head);
  if (std::count(log, message.end(), '\n') <= usual_lines) return message;
  return message + "\nin short: " + message.substr(0, head);
}

/// The option as the given command, or "kiln compile", has it; empty where neither has.
std::string option_text(const std::string& option) {
  if (has_option(*given_command(*spoken_of()).first, option)) return option;
  const CLI::App* const compile = spoken_of()->get_subcommand("compile");
  return has_option(*compile, option) ? "\"kiln compile " + option + "\"" : "";
}

}  // namespace

void require_command(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining();
  const std::string given = words.empty() ? "" : words.front();
  const auto commands = app.get_subcommands();
  if (!commands.empty() && (given.empty() || is_option_word(given))) return require_command(*commands.front());
  std::vector<std::string> names;
  std::string all;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
    all += (all.empty() ? "" : ", ") + names.back();
  }
  if (names.empty()) return;
  const std::string parent = app.get_name() == "kiln" ? "" : app.get_name() + " ";
  std::string fault = words.empty() ? "a command is missing" : "there is no command \"" + parent + given + '"';
  const std::string similar = similar_name(given, names);
  fault += similar.empty() ? "; there are: " : "; did you mean \"" + similar + "\"? There are: ";
  throw_argument_error(fault + all + " (--help explains them)", all, given);
}

std::string usage_text(const CLI::App& app, const CLI::Error& error) {
  const auto [command, name] = given_command(app, true);
  std::string text = "kiln: ";
  // A word that is no option's may be the value of an option that is unknown, and then too many or too few are left.
  const std::vector<std::string> words = command->remaining();
  const bool is_of_count = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr ||
                           dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
  const bool has_unknown_option = std::any_of(words.begin(), words.end(), is_option_word);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr || (is_of_count && has_unknown_option))
    text += unexpected_words_text(*command);
  else
    text += in_plain_words(error.what());
  return text + "\nRun \"" + name + " --help\" for its options.\n";
}

void speak_of(const CLI::App& app) { spoken_of() = &app; }

std::string error_text(const std::exception& error) {
  std::string message = error.what();
  if (const auto* const compile = dynamic_cast<const CompileError*>(&error))
    message = with_whole_log(std::move(message), compile->log());
  else if (const auto* const link = dynamic_cast<const LinkError*>(&error))
    message = with_whole_log(std::move(message), link->error_log());
  return in_options(with_head_at_end(std::move(message)));
}

std::string in_options(std::string message) {
  if (spoken_of() == nullptr) return message;
  for (const LaunchSize& size : launch_sizes)
    if (has_option(*given_command(*spoken_of()).first, size.option))
      replace_all(message, ": " + std::string(size.name) + ": ", ": " + std::string(size.option) + size.part + ": ");
  for (const auto& [name, option] : members) {
    for (std::size_t at = 0; (at = message.find(name, at)) != std::string::npos; ++at) {
      const std::size_t end = at + name.size();
      if (end < message.size() && is_of_identifier(message[end])) continue;  // CompileOptions::keep_ptx
      const std::string text = option_text(option);
      if (!text.empty()) message.replace(at, name.size(), text);
    }
  }
  return message;
}

}  // namespace kiln::tool
