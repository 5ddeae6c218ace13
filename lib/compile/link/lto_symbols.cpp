#include "compile/link/lto_symbols.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>

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

}  // namespace

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

std::vector<std::string> inputs_that_define(const std::string& symbol, const LinkOrder& order) noexcept {
  try {
    std::vector<std::string> names = two_that_clash(symbol, order);
    if (names.empty()) names = clashing_with_others(symbol, order);
    return names;
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace kiln
