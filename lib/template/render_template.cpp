#include "base/argument_error.hpp"
#include "template/line_numbers.hpp"
#include "template/substitution.hpp"
#include "template/template_pieces.hpp"
#include "template/template_rendering.hpp"

#include <kiln/render_template.hpp>

namespace kiln {

namespace {

/// "1, 2, {3, 4}"; a value's own text.
std::string value_text(const TemplateData& data, std::string_view name, const UsePlace& use) {
  if (const TemplateValue* value = data.value()) {
    check_lines(*value, name, use);
    return value->text();
  }
  if (data.object() != nullptr)
    throw_argument_error(
        use.said() + std::string(name) + " is an object: name a value in it, as {@ " + std::string(name) + ".member @}",
        "a value", "an object");
  std::string text;
  for (const TemplateData& item : *data.list()) {
    if (!text.empty()) text += ", ";
    const std::string element = value_text(item, name, use);
    text += item.list() != nullptr ? "{" + element + "}" : element;
  }
  return text;
}

class Rendering {
 public:
  Rendering(std::string_view text, const TemplateObject& data, const RenderLimits& limits)
      : text_(text), scope_(data), limits_(limits), tags_(template_tags(text)), pieces_(template_pieces(text, tags_)) {}

  std::string run() {
    for (std::size_t at = 0; at < pieces_.size();) at = render(at);
    end_line({});
    return with_line_numbers(out_, marks_);
  }

 private:
  /// A section that is being rendered: its piece, what it is over, and how often it is still to be entered.
  struct Section {
    std::size_t begin;
    const TemplateData* data;
    std::size_t rounds;
    std::size_t entered = 0;
  };

  /// Returns the piece that comes next.
  std::size_t render(std::size_t at) {
    const TemplatePiece& piece = pieces_[at];
    step();
    if (piece.kind == TemplatePiece::line_end) {
      end_line(piece.content);
      return at + 1;
    }
    if (piece.kind == TemplatePiece::text) {
      render_text(piece);
      return at + 1;
    }
    switch (const TemplateTag& tag = *piece.as_tag; tag.kind) {
      case TagKind::value:
        render_value(tag, piece.line);
        return at + 1;
      case TagKind::section:
      case TagKind::inverted:
        return begin_section(at, tag);
      case TagKind::end:
        return end_section(at);
      case TagKind::comment:
        return at + 1;
    }
    return at + 1;
  }

  void render_value(const TemplateTag& tag, std::size_t line) {
    const UsePlace use = template_place(text_, tag.begin);
    const std::string text = value_text(scope_.find(tag.name, use), tag.name, use);
    mark_line(text, line);
    write(text);
  }

  void render_text(const TemplatePiece& piece) {
    mark_line(piece.content, piece.line);
    std::size_t line = piece.line;
    for (std::size_t end = piece.content.find('\n'); end != std::string_view::npos;
         end = piece.content.find('\n', end + 1))
      marks_.push_back({out_.size() + end + 1, ++line});
    write(piece.content);
  }

  /// A line of the output has the number of the first thing in it that can be seen.
  void mark_line(std::string_view text, std::size_t line) {
    if (line_is_seen_) return;
    marks_.push_back({line_begin_, line});
    line_is_seen_ = text.find_first_not_of(" \t\r") != std::string_view::npos;
  }

  /// A line of which sections leave only blanks is none.
  void end_line(std::string_view end) {
    const bool is_blank = out_.find_first_not_of(" \t\r\n", line_begin_) == std::string::npos;
    if (line_has_section_ && is_blank)
      out_.resize(line_begin_);
    else
      write(end);
    line_begin_ = out_.size();
    line_is_seen_ = line_has_section_ = false;
  }

  void write(std::string_view text) {
    if (out_.size() + text.size() > limits_.bytes) refuse_size();
    out_ += text;
  }

  std::size_t begin_section(std::size_t at, const TemplateTag& tag) {
    const UsePlace use = template_place(text_, tag.begin);
    const TemplateData& data = scope_.find(tag.name, use);
    const std::size_t rounds = rounds_of(data, tag, use);
    const bool inverted = tag.kind == TagKind::inverted;
    if ((rounds == 0) != inverted) return end_of(at) + 1;
    sections_.push_back({at, inverted ? nullptr : &data, inverted ? 1 : rounds});
    line_has_section_ = true;
    if (!inverted) enter(sections_.back());
    return at + 1;
  }

  std::size_t end_section(std::size_t at) {
    Section& section = sections_.back();
    line_has_section_ = true;
    if (section.data != nullptr) {
      scope_.leave();
      if (++section.entered < section.rounds) {
        enter(section);
        return section.begin + 1;
      }
    }
    sections_.pop_back();
    return at + 1;
  }

  void enter(const Section& section) {
    if (section.data->list() != nullptr)
      scope_.enter_item(*section.data->list(), section.entered);
    else
      scope_.enter(section.data->object() != nullptr ? section.data : nullptr);
  }

  /// The piece that ends the section which begins there.
  std::size_t end_of(std::size_t begin) const {
    std::size_t open = 0;
    for (std::size_t at = begin;; ++at) {
      if (pieces_[at].kind != TemplatePiece::tag) continue;
      const TagKind kind = pieces_[at].as_tag->kind;
      if (kind == TagKind::section || kind == TagKind::inverted) ++open;
      if (kind == TagKind::end && --open == 0) return at;
    }
  }

  static std::size_t rounds_of(const TemplateData& data, const TemplateTag& tag, const UsePlace& use) {
    if (data.list() != nullptr) return data.list()->size();
    if (data.object() != nullptr) return 1;
    if (!data.is_bool())
      throw_argument_error(use.said() + "the section is over " + std::string(tag.name) +
                               ", which is a value; a section needs a list, a bool or an object",
                           "a list, a bool or an object", data.value()->text());
    return data.value()->text() == "true" ? 1 : 0;
  }

  void step() {
    if (++steps_ > limits_.steps) refuse_size();
  }

  [[noreturn]] void refuse_size() const {
    throw_argument_error("render_template: the text grows beyond what a compiler takes, " +
                             std::to_string(limits_.bytes) + " bytes or " + std::to_string(limits_.steps) +
                             " pieces: look at the sizes of lists in nested loops",
                         "a smaller text", std::to_string(out_.size()) + " bytes so far");
  }

  std::string_view text_;
  TemplateScope scope_;
  RenderLimits limits_;
  std::vector<TemplateTag> tags_;
  std::vector<TemplatePiece> pieces_;
  std::vector<Section> sections_;  // that are being rendered, the innermost last
  std::string out_;
  std::vector<LineMark> marks_;
  // Of the line that is being written:
  std::size_t line_begin_ = 0;
  bool line_is_seen_ = false;
  bool line_has_section_ = false;
  std::size_t steps_ = 0;
};

}  // namespace

std::string rendered(std::string_view text, const TemplateObject& data, const RenderLimits& limits) {
  return Rendering(text, data, limits).run();
}

std::string render_template(std::string_view text, const TemplateObject& data) { return rendered(text, data); }

}  // namespace kiln
