// A template as a sequence of pieces, so that what renders it need not read its text.
#pragma once

#include "template/template_tag.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace kiln {

struct TemplatePiece {
  enum Kind { text, line_end, tag };
  Kind kind;
  /// Text: of one line; or whole lines without the last end, behind the end of another. May be empty at a line's begin.
  std::string_view content;
  /// Where it begins, counted from 1.
  std::size_t line;
  const TemplateTag* as_tag = nullptr;
};

/// The pieces in order. Each line with a tag begins with a text piece, and has its end as a piece of its own; of a line
/// with nothing but tags that are no values, the tags alone are left.
std::vector<TemplatePiece> template_pieces(std::string_view text, const std::vector<TemplateTag>& tags);

}  // namespace kiln
