#include "compile/link/link_steps.hpp"

#include "base/bounded_text.hpp"
#include "base/library_version.hpp"
#include "base/path_text.hpp"
#include "compile/compiler/compile_message.hpp"
#include "compile/compiler/error_advice.hpp"
#include "compile/link/link_rule.hpp"
#include "compile/nvjitlink/link_symbols.hpp"
#include "compile/options/misspelt_option.hpp"
#include "compile/options/option_files.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <map>

namespace kiln {

namespace {

constexpr std::size_t most_links = 64;  // each costs milliseconds

LinkOptions plain_options(Target target) {
  LinkOptions options;
  options.target = target;
  options.lto = true;
  return options;
}

LinkOutcome link_some(LinkInputs inputs, const LinkOrder& order, const LinkOptions& options) {
  return link_by_nvjitlink({order.name, std::move(inputs), &options, order.arch, true});
}

bool is_ltoir(const std::shared_ptr<const LinkInput>& input) { return input->type == InputType::ltoir; }

/// Two of LTO-IR: nvJitLink refuses them together.
std::vector<std::string> two_that_clash(const std::string& symbol, const LinkOrder& order) {
  const LinkOptions options = plain_options(Target::ptx);
  std::size_t links = 0;
  for (std::size_t second = 1; second < order.inputs.size(); ++second)
    for (std::size_t first = 0; first < second; ++first) {
      const auto& one = order.inputs[first];
      const auto& other = order.inputs[second];
      if (!is_ltoir(one) || !is_ltoir(other)) continue;
      if (++links > most_links) return {};
      const LinkOutcome outcome = link_some({one, other}, order, options);
      if (outcome.error_log.find("'" + symbol + "': symbol multiply defined") != std::string::npos)
        return {one->name, other->name};
    }
  return {};
}

/// What has it in the open, and the LTO-IR without which nvJitLink does not complain.
std::vector<std::string> clashing_with_others(const std::string& symbol, const LinkOrder& order) {
  std::vector<std::string> names;
  for (const auto& input : order.inputs) {
    const LinkSymbols symbols = symbols_of(*input, order.arch);
    if (std::binary_search(symbols.defined.begin(), symbols.defined.end(), symbol)) names.push_back(input->name);
  }
  if (names.size() > 1 || order.inputs.size() > most_links) return names;
  const LinkOptions options = plain_options(Target::cubin);
  for (std::size_t i = 0; i < order.inputs.size(); ++i) {
    if (!is_ltoir(order.inputs[i])) continue;
    LinkInputs others = order.inputs;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const LinkOutcome outcome = link_some(std::move(others), order, options);
    if (outcome.error_log.find(multiple_definition + ("'" + symbol)) == std::string::npos)
      names.push_back(order.inputs[i]->name);
  }
  return names;
}

/// What the code of that input still wants, seen when it is linked alone to PTX, as LTO-IR can be read by nvJitLink
/// alone. Nothing where that fails; never throws.
LinkSymbols symbols_of_ltoir(const std::shared_ptr<const LinkInput>& input, const LinkOrder& order) noexcept {
  try {
    const LinkOptions options = plain_options(Target::ptx);
    const LinkOutcome outcome = link_some({input}, order, options);
    LinkSymbols symbols = symbols_of_ptx(outcome.code);
    std::sort(symbols.undefined.begin(), symbols.undefined.end());
    return symbols;
  } catch (const std::exception&) {
    return {};
  }
}

/// The names of inputs that both define the symbol, at least one of them in LTO-IR, found by links without some; none
/// where they cannot be found. Never throws.
std::vector<std::string> inputs_that_define(const std::string& symbol, const LinkOrder& order) noexcept {
  try {
    std::vector<std::string> names = two_that_clash(symbol, order);
    if (names.empty()) names = clashing_with_others(symbol, order);
    return names;
  } catch (const std::exception&) {
    return {};
  }
}

constexpr std::size_t most_named = 10;
constexpr std::size_t longest_input_name = 1000;
constexpr std::size_t longest_input_list = std::size_t{16} << 10;

std::string joined_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most_named; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  if (names.size() > most_named) text += " and " + std::to_string(names.size() - most_named) + " more";
  return text;
}

/// What stands in quotes behind each occurrence of the words, each once.
std::vector<std::string> quoted_behind(const std::string& log, std::string_view words) {
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = log.find(words, at)) != std::string::npos;) {
    at += words.size();
    const std::size_t begin = log.find('\'', at);
    const std::size_t end = begin == std::string::npos ? begin : log.find('\'', begin + 1);
    if (end == std::string::npos || log.substr(at, begin - at).find('\n') != std::string::npos) continue;
    std::string name = log.substr(begin + 1, end - begin - 1);
    if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(std::move(name));
    at = end;
  }
  return found;
}

std::vector<std::string> undefined_symbols(const std::string& log) {
  std::vector<std::string> found;
  for (const std::string_view words : {"Undefined reference to ", "Unresolved extern function ",
                                       "Unresolved extern variable ", "undefined reference to "})
    for (std::string& name : quoted_behind(log, words))
      if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(std::move(name));
  return found;
}

std::string who_wants(const std::string& symbol, const LinkOrder& order) {
  std::vector<std::string> wanting;
  std::vector<std::string> unlisted;
  for (const auto& input : order.inputs) {
    const bool is_ltoir = input->type == InputType::ltoir || facts_of(*input).has_ltoir;
    const LinkSymbols symbols = is_ltoir ? symbols_of_ltoir(input, order) : symbols_of(*input, order.arch);
    if (std::binary_search(symbols.undefined.begin(), symbols.undefined.end(), symbol)) wanting.push_back(input->name);
    if (is_ltoir) unlisted.push_back(input->name);
  }
  if (wanting.empty() && unlisted.size() == 1) wanting = unlisted;
  if (!wanting.empty()) return joined_names(wanting);
  return unlisted.empty() ? "one of the inputs" : "one of " + joined_names(unlisted);
}

/// PTX inputs that give nothing to others, as such that was compiled without -rdc=true: the input is there, and adding
/// it again helps nobody.
std::string inputs_without_exports(const LinkOrder& order) {
  std::vector<std::string> names;
  for (const auto& input : order.inputs)
    if (input->type == InputType::ptx && gives_nothing(input->bytes())) names.push_back(input->name);
  if (names.empty()) return {};
  return ". Nothing of " + joined_names(names) +
         " can be used by another input: compile what is to define it with -rdc=true, without which compilers leave "
         "out or hide all but kernels and variables, and not as static";
}

std::string undefined_text(const std::vector<std::string>& symbols, const LinkOrder& order) {
  std::string text;
  for (std::size_t i = 0; i < symbols.size() && i < most_named; ++i)
    text += std::string(i == 0 ? "" : "\n  ") + "undefined symbol " + readable_symbol(symbols[i]) + ", wanted by " +
            who_wants(symbols[i], order);
  if (symbols.size() > most_named) text += "\n  and " + std::to_string(symbols.size() - most_named) + " more";
  return text + ": add the input or the library that defines it" + inputs_without_exports(order);
}

std::string twice_text(const std::string& symbol, const std::vector<std::string>& inputs) {
  return "symbol " + readable_symbol(symbol) + " is defined twice" +
         (inputs.empty() ? std::string() : ", by " + joined_names(inputs)) +
         ": give one of them, or make it static or inline there";
}

/// Both linkers' logs name the wrong input, or none.
std::string twice_text_of_log(const std::string& symbol, const LinkOrder& order, const std::string& log) {
  std::vector<std::string> names = inputs_that_define(symbol, order);
  if (names.empty())
    for (const auto& input : order.inputs)
      if (log.find(input->name + ": link error") != std::string::npos) names.push_back(input->name);
  return twice_text(symbol, names);
}

/// The main error of the linker's log, ": ptxas error: text", with what to do; empty where the log has none. `input` is
/// the one that it is about, where that is known: of PTX its line is shown.
std::string said_in_log(const LinkOutcome& outcome, const LinkInput* input) {
  const auto error = main_error(errors_of(outcome.error_log));
  if (!error) return {};
  std::string text = ": " + bounded(error->text, longest_input_name);
  if (error->ptx_line > 0 && input != nullptr && input->type == InputType::ptx)
    text += "\n" + numbered_lines(input->bytes(), input->name, {input->name, error->ptx_line, {}}).shown;
  std::string advice = advice_for_words(error->text);
  if (advice.empty())
    advice = option_file_advice(error->text, quoted_words(error->text), outcome.options, working_folder());
  return advice.empty() ? text : text + (text.ends_with('\n') ? "" : "\n") + advice;
}

/// About the input at which the linker stopped; empty where nothing is known.
std::string refused_input_text(const LinkInput& input, const LinkOrder& order, const LinkOutcome& outcome) {
  const InputFacts facts = facts_of(input);
  // The words are those of nvJitLink 12.
  if (outcome.failure.find("OUTDATED_LIBRARY") != std::string::npos ||
      outcome.error_log.find("may need newer version of nvJitLink") != std::string::npos) {
    const auto header = ltoir_header(input.bytes());
    return input.name + " is LTO-IR of a newer toolkit than " + outcome.linker +
           (header ? " (container " + header->version + ")" : std::string()) +
           ": install the nvJitLink of that toolkit, or compile the input with an older one";
  }
  if (facts.ptx && *facts.ptx > newest_ptx(outcome.version))
    return input.name + " is PTX " + version_text(*facts.ptx) + " of a newer toolkit, and " + outcome.linker +
           " takes PTX up to " + version_text(newest_ptx(outcome.version)) +
           ": install a newer linker, or compile the input with an older toolkit";
  const bool fits = std::any_of(facts.archs.begin(), facts.archs.end(),
                                [&](const std::string& arch) { return can_serve(arch, order.arch); });
  if (!facts.archs.empty() && !fits)
    return input.name + " is for " + joined_names(facts.archs) + ", and the link for " + order.arch +
           ": compile it for " + order.arch + ", or link for an architecture that it is for (LinkOptions::arch)";
  return outcome.linker + " refuses " + input.name + ", which is " + describe(input.type) +
         said_in_log(outcome, &input);
}

std::string arch_or_option_text(const LinkOrder& order, const LinkOutcome& outcome) {
  const auto failed_with = [&](const char* result) { return outcome.failure.find(result) != std::string::npos; };
  if (failed_with("UNRECOGNIZED_ARCH") || failed_with("UNSUPPORTED_ARCH") ||
      outcome.error_log.find("(-arch=") != std::string::npos ||
      outcome.error_log.find("is not defined for option 'gpu-name'") != std::string::npos)
    return outcome.linker + " does not know the architecture " + order.arch +
           ": choose another (LinkOptions::arch), or another CUDA toolkit (CUDA_HOME)";
  const bool has_no_ltoir = order.lto && outcome.error_log.find("NO_MODULE_IN_PROGRAM") != std::string::npos;
  if (has_no_ltoir)
    return "no input is LTO-IR, and link-time optimisation is asked for (LinkOptions::lto): compile inputs to "
           "Target::ltoir, or leave lto unset";
  if (!failed_with("UNRECOGNIZED_OPTION")) return {};
  const std::string misspelt = misspelt_nvjitlink_option(outcome.options, outcome.error_log);
  return outcome.linker + " does not know or take one of the options" + (misspelt.empty() ? "" : ". " + misspelt);
}

std::string reason_of(const LinkOrder& order, const LinkOutcome& outcome) {
  const std::string& log = outcome.error_log;
  if (std::string text = arch_or_option_text(order, outcome); !text.empty()) return text;
  if (outcome.failed_input != nullptr) return refused_input_text(*outcome.failed_input, order, outcome);
  if (const auto symbols = undefined_symbols(log); !symbols.empty()) return undefined_text(symbols, order);
  if (!outcome.undefined.empty()) return undefined_text(outcome.undefined, order);
  for (const std::string_view words :
       {std::string_view(multiple_definition), std::string_view("Linking globals named ")})
    if (const auto twice = quoted_behind(log, words); !twice.empty())
      return twice_text_of_log(twice.front(), order, log);
  // nvJitLink 12 reports that on standard error alone.
  if (const auto symbols = missing_symbols(order.inputs, order.arch); !symbols.empty())
    return undefined_text(symbols, order);
  return outcome.failure + said_in_log(outcome, order.inputs.size() == 1 ? order.inputs.front().get() : nullptr);
}

[[noreturn]] void throw_error(const std::string& who, const std::string& reason, const LinkOrder& order,
                              const LinkOutcome& outcome) {
  std::string message = who + " could not link \"" + order.name + "\": " + reason;
  if (!outcome.failure.empty() && !reason.starts_with(outcome.failure)) message += "\n" + outcome.failure;
  message += "\n" + log_part("error log", outcome.error_log) + log_part("info log", outcome.info_log) + "inputs:";
  std::string names;
  for (const auto& input : order.inputs) names += " " + bounded(input->name, longest_input_name);
  message += bounded(names, longest_input_list);
  if (!outcome.options.empty()) message += "\noptions:" + option_text(outcome.options);
  throw LinkError(message, outcome.error_log, outcome.info_log, outcome.options);
}

}  // namespace

void throw_link_error(const LinkOrder& order, const LinkOutcome& outcome) {
  throw_error(outcome.linker, reason_of(order, outcome), order, outcome);
}

void require_no_duplicates(const LinkOrder& order) {
  std::map<std::string, const LinkInput*> definers;
  for (const auto& input : order.inputs)
    for (const LinkSymbols& symbols : symbols_of_members(*input, order.arch))
      for (const std::string& symbol : symbols.defined) {
        const auto [known, is_new] = definers.emplace(symbol, input.get());
        if (is_new) continue;
        std::vector<std::string> names = {known->second->name, input->name};
        if (known->second == input.get()) names.pop_back();
        throw_error("Kiln", twice_text(symbol, names), order, {});
      }
}

void require_nothing_missing(const LinkOrder& order, std::string_view ptx) {
  if (const auto symbols = missing_symbols_of_ptx(ptx); !symbols.empty())
    throw_error("Kiln", undefined_text(symbols, order), order, {});
}

}  // namespace kiln
