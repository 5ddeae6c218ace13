#include "template/template_tag.hpp"

#include "base/argument_error.hpp"
#include "base/identifier.hpp"
#include "base/text_parts.hpp"

#include <algorithm>

namespace kiln {

namespace {

constexpr std::string_view opening = "{@";
constexpr std::string_view closing = "@}";
constexpr std::size_t most_open = 50;  // the renderer recurses

/// Identifiers with dots between them, or one dot.
bool is_name(std::string_view text) {
  if (text == ".") return true;
  bool begins = true;
  for (const char c : text) {
    if (begins ? !begins_identifier(c) : !is_of_identifier(c) && c != '.') return false;
    begins = c == '.';
  }
  return !begins;
}

[[noreturn]] void refuse_tag(std::string_view text, std::size_t begin, std::size_t end, const std::string& fault) {
  const std::string tag(text.substr(begin, std::min<std::size_t>(end - begin, 60)));
  throw_argument_error(template_place(text, begin).said() + fault + ": " + tag,
                       "{@ name @}, {@# name @}, {@^ name @}, {@/ name @} or {@! comment @}", tag);
}

TagKind kind_of(std::string_view text, const TemplateTag& tag, char first) {
  if (begins_identifier(first) || first == '.') return TagKind::value;
  if (first == '#') return TagKind::section;
  if (first == '^') return TagKind::inverted;
  if (first == '/') return TagKind::end;
  if (first == '!') return TagKind::comment;
  refuse_tag(
      text, tag.begin, tag.end,
      "no tag is written so; there are {@ name @}, {@# name @}, {@^ name @}, {@/ name @} and {@! comment @}, and "
      "outside of tags \"{\" \"@\" writes the two characters in a literal");
}

/// `line_end` is where the line ends that has the tag's begin.
TemplateTag read_tag(std::string_view text, std::size_t begin, std::size_t line_end) {
  const std::size_t inner = begin + opening.size();
  const std::size_t close = text.find(closing, inner);
  const bool is_comment = text.substr(inner, 1) == "!";
  if (close == std::string_view::npos || (close > line_end && !is_comment))
    refuse_tag(text, begin, line_end, "a tag is not closed by @} on its line");
  TemplateTag tag{TagKind::comment, {}, begin, close + closing.size()};
  if (is_comment) return tag;
  std::string_view content = trimmed(text.substr(inner, close - inner), " \t");
  tag.kind = kind_of(text, tag, content.empty() ? '\0' : content[0]);
  if (tag.kind != TagKind::value) content = trimmed(content.substr(1), " \t");
  if (!is_name(content)) refuse_tag(text, begin, tag.end, "a tag has no name such as a or a.b");
  tag.name = content;
  return tag;
}

void check_nesting(std::string_view text, const std::vector<TemplateTag>& tags) {
  std::vector<const TemplateTag*> open;
  for (const TemplateTag& tag : tags) {
    if (tag.kind == TagKind::section || tag.kind == TagKind::inverted) {
      open.push_back(&tag);
      if (open.size() > most_open) refuse_tag(text, tag.begin, tag.end, "sections are nested more than 50 deep");
    } else if (tag.kind == TagKind::end) {
      if (open.empty()) refuse_tag(text, tag.begin, tag.end, "a tag closes a section that was not opened");
      if (open.back()->name != tag.name)
        refuse_tag(text, tag.begin, tag.end,
                   "a tag closes another section than the one that is open, " + std::string(open.back()->name) +
                       " of " + place_text(text, open.back()->begin));
      open.pop_back();
    }
  }
  if (!open.empty())
    refuse_tag(text, open.back()->begin, open.back()->end,
               "a section is not closed by {@/" + std::string(open.back()->name) + "@}");
}

}  // namespace

std::vector<TemplateTag> template_tags(std::string_view text) {
  std::vector<TemplateTag> tags;
  std::size_t line_end = 0;
  for (std::size_t at = text.find(opening); at != std::string_view::npos; at = text.find(opening, tags.back().end)) {
    if (at >= line_end) line_end = std::min(text.find('\n', at), text.size());
    tags.push_back(read_tag(text, at, line_end));
  }
  check_nesting(text, tags);
  return tags;
}

}  // namespace kiln
