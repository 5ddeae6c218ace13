#include "generate/operation_tokens.hpp"

#include "base/source_token.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace kiln {

namespace {

bool is_left_out(SourceTokenKind kind) {
  return kind == SourceTokenKind::blank || kind == SourceTokenKind::newline || kind == SourceTokenKind::splice ||
         kind == SourceTokenKind::comment;
}

/// Takes the parameters of a macro away, which hide other things of their names.
void remove_parameters(OperationTokens& body) {
  const auto end = std::find(body.begin(), body.end(), ")");
  if (end == body.end()) return;
  const OperationTokens parameters(body.begin(), end);
  body.erase(body.begin(), end + 1);
  body.erase(std::remove_if(body.begin(), body.end(),
                            [&](std::string_view token) {
                              return is_word(token) &&
                                     std::find(parameters.begin(), parameters.end(), token) != parameters.end();
                            }),
             body.end());
}

void add_definition(const OperationTokens& line, std::vector<OperationMacro>& macros) {
  if (line.size() < 3 || line[0] != "#" || line[1] != "define") return;
  OperationMacro macro = {line[2], {line.begin() + 3, line.end()}};
  const bool has_parameters = line.size() > 3 && line[3] == "(" && line[2].data() + line[2].size() == line[3].data();
  if (has_parameters) remove_parameters(macro.body);
  macros.push_back(std::move(macro));
}

}  // namespace

OperationTokens operation_tokens(std::string_view text) {
  OperationTokens tokens;
  for (std::size_t at = 0; at < text.size();) {
    const SourceToken token = source_token(text, at);
    if (!is_left_out(token.kind)) tokens.push_back(text.substr(at, token.size));
    at += token.size;
  }
  return tokens;
}

std::vector<OperationMacro> macros_of(std::string_view text) {
  std::vector<OperationMacro> macros;
  OperationTokens line;
  for (std::size_t at = 0; at < text.size();) {
    const SourceToken token = source_token(text, at);
    if (token.kind == SourceTokenKind::newline)
      add_definition(std::exchange(line, {}), macros);
    else if (!is_left_out(token.kind))
      line.push_back(text.substr(at, token.size));
    at += token.size;
  }
  add_definition(line, macros);
  return macros;
}

bool is_word(std::string_view token) { return !token.empty() && source_token(token, 0).kind == SourceTokenKind::word; }

}  // namespace kiln
