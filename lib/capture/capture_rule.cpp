#include "capture/capture_rule.hpp"

#include "base/environment.hpp"
#include "base/log.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"
#include "cache/size_text.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

namespace kiln {

namespace {

constexpr std::uint64_t usual_capture_size = std::uint64_t{1} << 30;

std::uint64_t capture_size_limit() {
  const std::optional<std::string> text = environment("KILN_CAPTURE_MAX_SIZE");
  if (!text) return usual_capture_size;
  if (const std::optional<std::uint64_t> size = parse_size(*text))
    return *size == 0 ? std::numeric_limits<std::uint64_t>::max() : *size;
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true))
    log_message(LogLevel::warn, "KILN_CAPTURE_MAX_SIZE=\"" + *text +
                                    "\" is no size such as 500M, 2G or 0 (no limit): 1G is used instead");
  return usual_capture_size;
}

/// At commas that are in no parentheses or angle brackets: "scale<float, 4>,fill*" are two. At all commas where the
/// brackets do not match, as in "scale<*,fill".
std::vector<std::string> split_patterns(const std::string& text) {
  std::vector<std::string> patterns(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
    if (c == ',' && depth <= 0)
      patterns.emplace_back();
    else
      patterns.back() += c;
  }
  if (depth != 0) patterns = split(text, ',');
  for (std::string& pattern : patterns) pattern = canonical_spacing(pattern);
  std::erase(patterns, std::string());
  return patterns;
}

std::string without_template_arguments(const std::string& name) {
  const std::size_t open = name.find('<');
  return open == 0 ? name : name.substr(0, open);
}

/// After the last "::" that is no part of the template arguments.
std::string without_namespace(const std::string& name) {
  const std::size_t last = name.rfind("::", name.find('<'));
  return last == std::string::npos ? name : name.substr(last + 2);
}

}  // namespace

bool are_captured() { return environment("KILN_CAPTURE").has_value(); }

std::optional<CaptureRule> capture_rule(const std::vector<std::string>& names) {
  const std::optional<std::string> text = environment("KILN_CAPTURE");
  if (!text) return std::nullopt;
  const std::vector<std::string> patterns = split_patterns(*text);
  const auto is_meant = [&](const std::string& name) {
    const std::string canonical = canonical_spacing(name);
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return matches_pattern(pattern, canonical); });
  };
  if (std::none_of(names.begin(), names.end(), is_meant)) return std::nullopt;
  const std::string dir = environment("KILN_CAPTURE_DIR").value_or("kiln-captures");
  return CaptureRule{absolute_folder(dir, working_folder()), capture_size_limit()};
}

std::vector<std::string> capture_names(const KernelInfo& kernel) {
  std::vector<std::string> names = {kernel.name};
  const std::string& readable = kernel.readable_name.empty() ? kernel.name : kernel.readable_name;
  const std::string qualified = parse_demangled(readable).qualified_name;
  names.push_back(readable);
  for (const std::string& name : {qualified, without_template_arguments(qualified)}) {
    names.push_back(name);
    names.push_back(without_namespace(name));
  }
  return names;
}

bool matches_pattern(std::string_view pattern, std::string_view name) {
  // Where the text after the last star does not fit, that star takes one more character.
  std::size_t at = 0, in = 0, star = std::string_view::npos, taken = 0;
  while (in < name.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      taken = in;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == name[in])) {
      ++at;
      ++in;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in = ++taken;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

}  // namespace kiln
