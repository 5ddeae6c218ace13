#include "worker/dependencies/pasted_names.hpp"

#include "base/source_token.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace kiln {

namespace {

constexpr std::array<std::string_view, 8> names = {"__TIME__",      "__DATE__",          "__TIMESTAMP__",
                                                   "__FILE__",      "__BASE_FILE__",     "__builtin_FILE",
                                                   "__has_include", "__has_include_next"};

bool is_part(std::string_view word) {
  return std::any_of(names.begin(), names.end(), [word](std::string_view name) {
    return word.size() < name.size() && name.find(word) != std::string_view::npos;
  });
}

}  // namespace

void PastedNames::read(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const SourceToken token = source_token(text, at);
    const std::string_view word = text.substr(at, token.size);
    if (token.kind == SourceTokenKind::word && is_part(word)) parts_.emplace(word);
    at += token.size;
  }
}

bool PastedNames::tell_time() const {
  return may_make("__TIME__") || may_make("__DATE__") || may_make("__TIMESTAMP__");
}

bool PastedNames::use_own_path() const {
  return may_make("__FILE__") || may_make("__BASE_FILE__") || may_make("__builtin_FILE");
}

bool PastedNames::ask_for_headers() const { return may_make("__has_include") || may_make("__has_include_next"); }

bool PastedNames::may_make(std::string_view name) const {
  const auto has = [this](std::string_view part) { return parts_.find(part) != parts_.end(); };
  for (std::size_t first = 1; first < name.size(); ++first) {
    if (!has(name.substr(0, first))) continue;
    const std::string_view rest = name.substr(first);
    if (has(rest)) return true;
    for (std::size_t second = 1; second < rest.size(); ++second)
      if (has(rest.substr(0, second)) && has(rest.substr(second))) return true;
  }
  return false;
}

}  // namespace kiln
