#include "tune/parameter_effect.hpp"

#include "base/argument_error.hpp"
#include "base/digest.hpp"
#include "base/log.hpp"
#include "base/similar_name.hpp"
#include "base/source_token.hpp"
#include "tune/tunable_request.hpp"

#include <kiln/compile_all.hpp>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace kiln {

namespace {

using Words = std::set<std::string, std::less<>>;

/// Adds the words outside of comments and literals.
void add_words(Words& words, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const SourceToken token = source_token(text, at);
    if (token.kind == SourceTokenKind::word) words.emplace(text.substr(at, token.size));
    at += token.size;
  }
}

/// The words of all texts that may name a parameter, except the other parameters' values. Headers cannot name one: the
/// compile refuses a late macro whose name is in a header.
Words words_of(const TunableDefinition& definition) {
  Words words;
  add_words(words, definition.source);
  for (const SizeTexts& texts : {definition.block_texts(), definition.grid_texts()})
    for (const std::string& text : texts) add_words(words, text);
  add_words(words, definition.shared);
  for (const std::string& text : definition.restrictions) add_words(words, text);
  for (const std::string& option : definition.options.options) add_words(words, option);
  for (const auto* defines : {&definition.options.defines, &definition.options.late_defines})
    for (const Define& define : *defines) add_words(words, define.value);
  return words;
}

bool is_named(const TunableDefinition& definition, const Words& words, const TuneParameter& parameter) {
  if (words.contains(parameter.name) || names_template_argument(definition.name, parameter.name)) return true;
  Words others;
  for (const TuneParameter& other : definition.parameters)
    if (other.name != parameter.name)
      for (const TuneValue& value : other.values)
        if (value.is_text()) add_words(others, value.text());
  return others.contains(parameter.name);
}

/// The identity of the code; empty if it does not compile.
std::string identity_of(const CompileResult& result) {
  return result.ok() ? code_identity(result.get()) : std::string();
}

bool changes_code(const TunableDefinition& definition, const TunableSpace& space, std::size_t parameter,
                  const CancelToken& cancel) {
  std::vector<CompileRequest> requests;
  Configuration configuration = space.default_configuration();
  for (std::size_t i = 0; i < definition.parameters[parameter].values.size(); ++i) {
    configuration[parameter] = static_cast<std::uint32_t>(i);
    TunableRequest request = request_of(definition, space.space().values(configuration));
    request.options.cancel = cancel;
    requests.push_back({definition.source, std::move(request.options)});
  }
  const std::vector<CompileResult> results = compile_all(requests);
  return std::any_of(
      results.begin(), results.end(),
      [first = identity_of(results.front())](const CompileResult& result) { return identity_of(result) != first; });
}

}  // namespace

std::string code_identity(const CodeObject& code) {
  std::string bytes(code.bytes());
  for (const std::string_view mark : {"_INTERNAL_", "_GLOBAL__N__"})
    for (std::size_t at = bytes.find(mark); at != std::string::npos; at = bytes.find(mark, at + 1))
      for (std::size_t i = at + mark.size(); i < std::min(at + mark.size() + 8, bytes.size()); ++i) bytes[i] = '0';
  return digest_of(bytes).hex();
}

void refuse_unused_parameters(const TunableDefinition& definition, const TunableSpace& space, bool has_objective,
                              const CancelToken& cancel) {
  const std::string subject = "TunableKernel " + definition.name;
  if (definition.parameters.empty())
    refuse(subject, "a parameter to tune", "none", "; call tune(\"BLOCK\", {64, 128}), or give --param BLOCK=64,128");
  const Words words = words_of(definition);
  for (std::size_t i = 0; i < definition.parameters.size(); ++i) {
    const TuneParameter& parameter = definition.parameters[i];
    if (definition.is_option[i] || is_named(definition, words, parameter)) continue;
    if (changes_code(definition, space, i, cancel) || cancel.is_cancelled()) continue;
    const std::string given = parameter.name + ", which changes neither code nor launch";
    if (has_objective || !definition.predicates.empty()) {
      std::string text = subject;
      text.append(": the parameter ").append(given).append("; only the program's callables can use it");
      log_message(LogLevel::warn, text);
      continue;
    }
    const std::string similar = similar_name(parameter.name, {words.begin(), words.end()});
    refuse(subject + ": a parameter", "a name that the source, a size or a restriction has", given,
           similar.empty()
               ? "; name it in the source or in a size (block_size, --block " + parameter.name + "), or leave it out"
               : "; did you mean " + similar + "?");
  }
}

}  // namespace kiln
