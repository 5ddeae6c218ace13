// The tags of a template with loops and conditions.
#pragma once

#include "template/text_place.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

enum class TagKind { value, section, inverted, end, comment };

struct TemplateTag {
  TagKind kind;
  std::string_view name;  // "a", "a.b" or "."; a comment's is empty
  std::size_t begin;
  std::size_t end;
};

/// The tags in order. Throws ArgumentError for one that is none, and for sections that do not nest.
std::vector<TemplateTag> template_tags(std::string_view text);

inline UsePlace template_place(std::string_view text, std::size_t offset) { return {"render_template", text, offset}; }

}  // namespace kiln
