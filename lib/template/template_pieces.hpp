// A template as a sequence of pieces, so that what renders it need not read its text: tags, and the scopes of names.
#pragma once

#include "template/text_place.hpp"

#include <kiln/template_data.hpp>

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

struct TemplatePiece {
  enum Kind { text, line_end, tag };
  Kind kind;
  /// Text: of one line; or whole lines without the last end, after the end of another. May be empty at a line's begin.
  std::string_view content;
  /// Where it begins, counted from 1.
  std::size_t line;
  const TemplateTag* as_tag = nullptr;
};

/// The pieces in order. Each line with a tag begins with a text piece, and has its end as a piece of its own; of a line
/// with nothing but tags that are no values, the tags alone are left.
std::vector<TemplatePiece> template_pieces(std::string_view text, const std::vector<TemplateTag>& tags);

/// The data, and the sections that are being rendered, the innermost last.
class TemplateScope {
 public:
  explicit TemplateScope(const TemplateObject& data) : data_(data) {}

  /// A loop's item.
  void enter_item(const TemplateList& list, std::size_t index) { frames_.push_back({&list[index], &list, index}); }
  /// An object; null is a condition, which brings no names.
  void enter(const TemplateData* object) { frames_.push_back({object, nullptr, 0}); }
  void leave() { frames_.pop_back(); }

  /// Good until the next call. Throws ArgumentError; `use` is the name's place.
  const TemplateData& find(std::string_view name, const UsePlace& use);

 private:
  struct Frame {
    const TemplateData* data;
    const TemplateList* list;
    std::size_t index;
  };

  const Frame* innermost_loop() const;
  const TemplateData* find_loop_value(std::string_view name, const Frame& loop);
  const TemplateData* find_first(std::string_view name) const;
  [[noreturn]] void refuse(std::string_view name, std::string_view missing, const TemplateData* within,
                           const UsePlace& use) const;

  const TemplateObject& data_;
  std::vector<Frame> frames_;
  TemplateData loop_value_{false};
};

}  // namespace kiln
