#include "template/template_pieces.hpp"

#include "base/argument_error.hpp"
#include "base/identifier.hpp"
#include "base/text_parts.hpp"
#include "template/name_list.hpp"

#include <algorithm>
#include <iterator>

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

namespace {

class Pieces {
 public:
  explicit Pieces(std::string_view text) : text_(text) {}

  std::vector<TemplatePiece> run(const std::vector<TemplateTag>& tags) {
    for (const TemplateTag& tag : tags) {
      read_text(tag.begin, true);
      pieces_.push_back({TemplatePiece::tag, {}, line_, &tag});
      line_ += count_ends(tag.begin, tag.end);
      at_ = tag.end;
    }
    read_text(text_.size(), false);
    return std::move(pieces_);
  }

 private:
  void read_text(std::size_t end, bool before_tag) {
    if (at_ > 0) {  // after a tag
      read_line_rest(end);
      if (at_ == end && !is_line_begin_) return;
    }
    // Where the first line comes to stand is known when it is rendered, and so that of those after it.
    const std::size_t first = text_.substr(at_, end - at_).find('\n');
    if (first != std::string_view::npos) add_lines(at_ + first);
    const std::size_t last = text_.substr(at_, end - at_).rfind('\n');
    if (last != std::string_view::npos) add_lines(at_ + last);
    if (before_tag || at_ < end) add_text(end);
  }

  void read_line_rest(std::size_t end) {
    is_line_begin_ = false;
    const std::size_t line_end = text_.substr(0, end).find('\n', at_);
    if (line_end != std::string_view::npos)
      add_lines(line_end);
    else if (end > at_)
      add_text(end);
  }

  void add_text(std::size_t end) {
    pieces_.push_back({TemplatePiece::text, text_.substr(at_, end - at_), line_});
    at_ = end;
  }

  /// Up to the end of the last of them.
  void add_lines(std::size_t last_end) {
    const std::size_t lines = count_ends(at_, last_end + 1);
    const bool has_return = last_end > at_ && text_[last_end - 1] == '\r';
    add_text(has_return ? last_end - 1 : last_end);
    line_ += lines;
    pieces_.push_back({TemplatePiece::line_end, text_.substr(at_, last_end + 1 - at_), line_});
    at_ = last_end + 1;
    is_line_begin_ = true;
  }

  std::size_t count_ends(std::size_t begin, std::size_t end) const {
    const std::string_view part = text_.substr(begin, end - begin);
    return static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
  }

  std::string_view text_;
  std::vector<TemplatePiece> pieces_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  bool is_line_begin_ = true;
};

bool leaves_nothing(const TemplatePiece& piece) {
  if (piece.kind == TemplatePiece::tag) return piece.as_tag->kind != TagKind::value;
  return piece.kind == TemplatePiece::text && piece.content.find_first_not_of(" \t") == std::string_view::npos;
}

/// Of one line's pieces, without its end.
bool is_of_tags_only(const TemplatePiece* begin, const TemplatePiece* end) {
  const auto is_tag = [](const TemplatePiece& piece) { return piece.kind == TemplatePiece::tag; };
  return std::any_of(begin, end, is_tag) && std::all_of(begin, end, leaves_nothing);
}

}  // namespace

std::vector<TemplatePiece> template_pieces(std::string_view text, const std::vector<TemplateTag>& tags) {
  const std::vector<TemplatePiece> all = Pieces(text).run(tags);
  std::vector<TemplatePiece> kept;
  for (const TemplatePiece *begin = all.data(), *const end = begin + all.size(); begin != end;) {
    const auto is_end = [](const TemplatePiece& piece) { return piece.kind == TemplatePiece::line_end; };
    const TemplatePiece* const line_end = std::find_if(begin, end, is_end);
    const TemplatePiece* const next = line_end == end ? end : line_end + 1;
    const bool has_tags_only = is_of_tags_only(begin, line_end);
    std::copy_if(begin, next, std::back_inserter(kept),
                 [&](const TemplatePiece& piece) { return !has_tags_only || piece.kind == TemplatePiece::tag; });
    begin = next;
  }
  return kept;
}

namespace {

const TemplateData* member(const TemplateObject* object, std::string_view name) {
  if (object == nullptr) return nullptr;
  const auto found = object->find(name);
  return found == object->end() ? nullptr : &found->second;
}

}  // namespace

const TemplateScope::Frame* TemplateScope::innermost_loop() const {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
    if (frame->list != nullptr) return &*frame;
  return nullptr;
}

const TemplateData* TemplateScope::find_loop_value(std::string_view name, const Frame& loop) {
  if (name == "loop.index")
    loop_value_ = loop.index + 1;
  else if (name == "loop.index0")
    loop_value_ = loop.index;
  else if (name == "loop.first")
    loop_value_ = loop.index == 0;
  else if (name == "loop.last")
    loop_value_ = loop.index + 1 == loop.list->size();
  else
    return nullptr;
  return &loop_value_;
}

const TemplateData* TemplateScope::find_first(std::string_view name) const {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
    if (frame->data != nullptr)
      if (const TemplateData* found = member(frame->data->object(), name)) return found;
  return member(&data_, name);
}

const TemplateData& TemplateScope::find(std::string_view name, const UsePlace& use) {
  const Frame* const loop = innermost_loop();
  if (name == "." && loop != nullptr) return *loop->data;
  if (loop != nullptr)
    if (const TemplateData* found = find_loop_value(name, *loop)) return *found;
  std::string_view rest = name;
  std::string_view part = name == "." ? name : next_part(rest, '.');
  const TemplateData* found = find_first(part);
  if (found == nullptr) refuse(name, part, nullptr, use);
  while (!rest.empty()) {
    part = next_part(rest, '.');
    const TemplateData* const inner = member(found->object(), part);
    if (inner == nullptr) refuse(name, part, found, use);
    found = inner;
  }
  return *found;
}

void TemplateScope::refuse(std::string_view name, std::string_view missing, const TemplateData* within,
                           const UsePlace& use) const {
  const std::string given(name);
  if (name == ".")
    throw_argument_error(use.said() + "{@ . @} stands in no loop, whose item it would be", "a name", given);
  TemplateObject names;
  if (within == nullptr) {
    names = data_;
    for (const Frame& frame : frames_)
      if (frame.data != nullptr && frame.data->object() != nullptr)
        names.insert(frame.data->object()->begin(), frame.data->object()->end());
  } else if (within->object() != nullptr) {
    names = *within->object();
  }
  const std::string part(missing);
  throw_argument_error(use.said() + (part == given ? part : part + " of " + given) +
                           " is not among the data; there are: " + name_list(names) +
                           (innermost_loop() != nullptr ? ", and loop.index, index0, first, last" : ""),
                       "one of: " + name_list(names), given);
}

}  // namespace kiln
