#include "compile/lto_symbols.hpp"

#include <algorithm>
#include <exception>

namespace kiln {

namespace {

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
  constexpr std::size_t most_links = 64;  // each costs milliseconds
  try {
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
  } catch (const std::exception&) {
  }
  return {};
}

}  // namespace kiln
