#include "usage.hpp"

#include "base/argument_error.hpp"
#include "base/identifier.hpp"
#include "base/similar_name.hpp"

#include <CLI/CLI.hpp>

#include <string_view>
#include <vector>

namespace kiln::tool {

namespace {

/// Null until the command line was read.
const CLI::App*& spoken_of() {
  static const CLI::App* app = nullptr;
  return app;
}

/// The innermost command that was given, and its name with those of its parents.
std::pair<const CLI::App*, std::string> given_command(const CLI::App& app) {
  const CLI::App* command = &app;
  std::string name = app.get_name();
  for (auto given = app.get_subcommands(); !given.empty(); given = command->get_subcommands()) {
    command = given.front();
    name += " " + command->get_name();
  }
  return {command, name};
}

bool has_option(const CLI::App& command, const std::string& option) {
  return command.get_option_no_throw(option) != nullptr;
}

/// The option of the command that a misspelt one may stand for; empty where none is near.
std::string similar_option(const CLI::App& command, const std::string& given) {
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  return similar_name(given.substr(0, given.find('=')), options);
}

/// What to write instead of an option that the command does not have.
std::string advice_on(const CLI::App& command, const std::string& word) {
  if (word.substr(0, 2) == "--")
    if (const std::string similar = similar_option(command, word); !similar.empty())
      return "; did you mean " + similar + "?";
  if (!has_option(command, "--option")) return {};
  for (const char* const name : {"-arch", "--gpu-architecture"}) {
    if (word.rfind(name, 0) != 0 || !has_option(command, "--arch")) continue;
    const std::size_t value = word.find('=');
    return "; write --arch " + (value == std::string::npos ? "sm_90" : word.substr(value + 1));
  }
  return "; if it is an option of the compiler, write --option=" + word;
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

/// The option as the given command, or "kiln compile", has it; empty where neither has.
std::string option_text(const std::string& option) {
  if (has_option(*given_command(*spoken_of()).first, option)) return option;
  const CLI::App* const compile = spoken_of()->get_subcommand("compile");
  return has_option(*compile, option) ? "\"kiln compile " + option + "\"" : "";
}

}  // namespace

void require_command(const CLI::App& app) {
  if (const auto given = app.get_subcommands(); !given.empty()) return require_command(*given.front());
  std::string names;
  for (const CLI::App* command : app.get_subcommands({})) names += (names.empty() ? "" : ", ") + command->get_name();
  if (names.empty()) return;
  const std::vector<std::string> words = app.remaining();
  const std::string given = words.empty() ? "" : words.front();
  const std::string parent = app.get_name() == "kiln" ? "" : app.get_name() + " ";
  const std::string fault = words.empty() ? "a command is missing" : "there is no command \"" + parent + given + '"';
  throw_argument_error(fault + "; there are: " + names + " (--help explains them)", names, given);
}

std::string usage_text(const CLI::App& app, const CLI::Error& error) {
  const auto [command, name] = given_command(app);
  std::string text = "kiln: " + in_plain_words(error.what());
  const bool has_unknown_words = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  for (const std::string& word : has_unknown_words ? command->remaining() : std::vector<std::string>()) {
    if (word.substr(0, 1) != "-") continue;
    text += advice_on(*command, word);
    break;
  }
  return text + "\nRun \"" + name + " --help\" for its options.\n";
}

void speak_of(const CLI::App& app) { spoken_of() = &app; }

std::string in_options(std::string message) {
  if (spoken_of() == nullptr) return message;
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
