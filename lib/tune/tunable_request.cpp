#include "tune/tunable_request.hpp"

#include "base/source_token.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

namespace {

/// Calls `take` with each token, and whether it is a word between < and >.
template <class Take>
void for_each_token(std::string_view name, const Take& take) {
  bool is_inside = false;
  for (std::size_t at = 0; at < name.size();) {
    const SourceToken token = source_token(name, at);
    const std::string_view text = name.substr(at, token.size);
    take(text, is_inside && token.kind == SourceTokenKind::word);
    is_inside = is_inside || text == "<";
    at += token.size;
  }
}

}  // namespace

std::string with_template_arguments(std::string_view name, const TuneConfiguration& values) {
  std::string result;
  for_each_token(name, [&](std::string_view text, bool is_argument) {
    const auto found =
        std::find_if(values.begin(), values.end(), [&](const auto& one) { return is_argument && one.first == text; });
    if (found == values.end())
      result += text;
    else
      result += found->second.text();
  });
  return result;
}

bool names_template_argument(std::string_view name, std::string_view parameter) {
  bool is_found = false;
  for_each_token(name, [&](std::string_view text, bool is_argument) {
    is_found = is_found || (is_argument && text == parameter);
  });
  return is_found;
}

TunableRequest request_of(const TunableDefinition& definition, const TuneConfiguration& values) {
  TunableRequest request{definition.options, definition.name};
  TuneConfiguration arguments;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& [name, value] = values[i];
    if (definition.is_option[i]) {
      if (const std::string option = value.text(); !option.empty()) request.options.options.push_back(option);
    } else if (names_template_argument(definition.name, name)) {
      arguments.push_back(values[i]);
    } else {
      request.options.late_defines.emplace_back(name, value.text());
    }
  }
  request.function = with_template_arguments(definition.name, arguments);
  // In the compile itself, as an instance that is requested later is another one.
  if (request.function.find('<') != std::string::npos) request.options.name_expressions.push_back(request.function);
  return request;
}

}  // namespace kiln
