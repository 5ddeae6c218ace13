// Templates of all kinds, and sources put together from parts.
#include "fuzz.hpp"
#include "template/balance.hpp"
#include "template/percent_format.hpp"
#include "template/source_parts.hpp"
#include "template/template_rendering.hpp"

#include <kiln/error.hpp>
#include <kiln/log.hpp>
#include <kiln/substitute.hpp>

#include <array>
#include <optional>
#include <vector>

namespace fuzz_template {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

/// Nothing where it is refused.
template <class Make>
std::optional<std::string> attempt(const Make& make) {
  try {
    return make();
  } catch (const ArgumentError&) {
    return std::nullopt;
  }
}

std::string with_doubled(char character, std::string_view text) {
  std::string doubled;
  for (const char c : text) doubled.append(c == character ? 2 : 1, c);
  return doubled;
}

void check_substitute(std::string_view text) {
  const TemplateValues values = {
      {"a", 1}, {"type", "float"}, {"block", CodeBlock{"x;\ny;\n"}}, {"list", std::array<int, 3>{1, 2, 3}}};
  const auto made = attempt([&] { return substitute(text, values); });
  const std::string safe = safe_substitute(text, values);
  if (made) require(*made == safe, "what substitute takes, both make the same of");
  require(safe.size() <= 64 + 32 * text.size(), "a text is not longer than its values make it");
  require(substitute(with_doubled('$', text), {}) == text, "$$ is $");
  if (text.find("$$") == std::string_view::npos) require(safe_substitute(text, {}) == text, "unknown names stay");
}

void check_format_percent(std::string_view text) {
  const TemplateValues values = {
      {"a", -1}, {"n", 2.5}, {"type", "caf\xC3\xA9"}, {"block", CodeBlock{"x;\ny;\n"}}, {"yes", true}};
  const auto format = [&] { return percent_formatted(text, values, {99, 1024 + 64 * text.size()}); };
  const auto made = attempt(format);
  require(made == attempt(format), "equal input gives equal text");
  if (made) require(made->size() <= 8192 + 128 * text.size(), "a text is bounded");
  require(percent_formatted(with_doubled('%', text), {}) == text, "%% is %");
}

void check_render(std::string_view text) {
  const TemplateObject data = {{"a", 1},
                               {"yes", true},
                               {"no", false},
                               {"block", CodeBlock{"x;\ny;\n"}},
                               {"list", TemplateList{1, "b", TemplateObject{{"c", "d"}, {"list", TemplateList{}}}}},
                               {"object", TemplateObject{{"a", 2.5}, {"list", std::array<int, 2>{1, 2}}}}};
  const RenderLimits limits{1024 + 8 * text.size(), 20000};
  const auto render = [&] { return rendered(text, data, limits); };
  const auto made = attempt(render);
  require(made == attempt(render), "equal input gives equal text");
  if (made) require(made->size() <= 64 * 1024 + 256 * text.size(), "a text is bounded");
  if (text.find("{@") == std::string_view::npos) require(made == std::string(text), "a text without tags stays");
}

void check_parts(std::string_view text) {
  std::array<std::string, 7> piece;
  for (std::string& part : piece) {
    const std::size_t end = std::min(text.find('\f'), text.size());
    part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  SourceParts parts(piece[0], piece[1]);
  const auto add = [&](auto change) {
    const auto before = attempt([&] { return parts.source(); });
    if (!attempt([&] { return change(), std::string(); }))
      require(before == attempt([&] { return parts.source(); }), "what is refused changes nothing");
  };
  add([&] { parts.add_to_preamble(piece[2]); });
  add([&] { parts.add_function({piece[3], "f", piece[4], piece[5], piece[6]}); });
  add([&] { parts.add_function({"void", "g", piece[3], piece[4]}); });
  parts.substitute({{"a", 1}});
  const auto source = attempt([&] { return parts.source(); });
  if (!source) return;
  require(source == parts.source(), "equal parts give equal text");
  require(source->compare(0, 9, "#line 1 \"") == 0, "a source begins with the name of a part");
  SourceParts complete;
  for (const std::string& part : {piece[2], piece[5]}) attempt([&] { return complete.add_to_preamble(part), ""; });
  attempt([&] { return complete.add_function({piece[3], "f", piece[4], piece[5], piece[6]}), ""; });
  if (const auto whole = attempt([&] { return complete.source(); }))
    check_balance(*whole, "parts that are complete, one behind the other");
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  static const bool is_quiet = (set_log_handler([](LogLevel, const std::string&) {}), true);  // of %(a)d and no $a
  static_cast<void>(is_quiet);
  const std::string_view text = view_of(data, size);
  check_substitute(text);
  check_format_percent(text);
  check_render(text);
  check_parts(text);
  return 0;
}

}  // namespace fuzz_template
