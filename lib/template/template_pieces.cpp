#include "template/template_pieces.hpp"

#include <algorithm>
#include <iterator>

namespace kiln {

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
    if (at_ > 0) {  // behind a tag
      read_line_rest(end);
      if (at_ == end && !is_line_begin_) return;
    }
    // Where the first line comes to stand is known when it is rendered, and so that of those behind it.
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

}  // namespace kiln
