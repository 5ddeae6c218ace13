#include "base/argument_error.hpp"
#include "template/line_numbers.hpp"
#include "template/substitution.hpp"
#include "template/template_pieces.hpp"
#include "template/template_rendering.hpp"

#include <kainjow/mustache.hpp>
#include <kiln/render_template.hpp>

#include <map>

namespace kiln {

namespace {

using Mustache = kainjow::mustache::mustache;
using MustacheData = kainjow::mustache::data;

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

/// Mustache knows the pieces by their numbers only, and asks this for each as it comes to it: so the meaning of names,
/// the places of errors and the lines are Kiln's own, and nothing of a template or its data can be taken for
/// Mustache's.
class Rendering : public kainjow::mustache::basic_context<std::string> {
 public:
  Rendering(std::string_view text, const TemplateObject& data, const RenderLimits& limits)
      : text_(text), scope_(data), limits_(limits), tags_(template_tags(text)), pieces_(template_pieces(text, tags_)) {}

  std::string run() {
    Mustache mustache(mustache_text());
    if (!mustache.is_valid()) throw_argument_error("render_template: " + mustache.error_message(), "a template", {});
    Output output{*this};
    mustache.render(*this, output);
    return with_line_numbers(out_, marks_);
  }

  void push(const MustacheData*) override {
    step();
    Section& section = sections_.back();
    if (section.list != nullptr)
      scope_.enter_item(*section.list, section.entered);
    else
      scope_.enter(section.object);
    ++section.entered;
  }

  void pop() override {
    scope_.leave();
    if (sections_.back().entered == sections_.back().rounds) sections_.pop_back();
  }

  const MustacheData* get(const std::string& name) const override {
    return const_cast<Rendering*>(this)->look_up(pieces_[std::stoul(name)]);
  }
  const MustacheData* get_partial(const std::string&) const override { return nullptr; }

 private:
  /// What Mustache calls a stream.
  struct Output {
    Rendering& rendering;
    Output& operator<<(const std::string& text) {
      rendering.out_ += text;
      return *this;
    }
  };

  struct Section {
    const TemplateList* list;
    const TemplateData* object;
    std::size_t rounds;
    std::size_t entered;
  };

  std::string mustache_text() const {
    std::string text;
    std::vector<std::string> open;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const TemplatePiece& piece = pieces_[i];
      const std::string number = std::to_string(i);
      if (piece.kind == TemplatePiece::line_end) {
        text += piece.content;
      } else if (piece.kind == TemplatePiece::text || piece.as_tag->kind == TagKind::value) {
        text += "{{&" + number + "}}";
      } else if (piece.as_tag->kind == TagKind::section || piece.as_tag->kind == TagKind::inverted) {
        text += (piece.as_tag->kind == TagKind::section ? "{{#" : "{{^") + number + "}}";
        open.push_back(number);
      } else if (piece.as_tag->kind == TagKind::end) {
        text += "{{/" + open.back() + "}}";
        open.pop_back();
      }
    }
    return text;
  }

  const MustacheData* look_up(const TemplatePiece& piece) {
    step();
    if (piece.kind == TemplatePiece::text) return text_piece(piece);
    const TemplateTag& tag = *piece.as_tag;
    const UsePlace use = template_place(text_, tag.begin);
    const TemplateData& data = scope_.find(tag.name, use);
    if (tag.kind == TagKind::value) return value_piece(value_text(data, tag.name, use), piece.line);
    return section(tag, data, use);
  }

  const MustacheData* value_piece(const std::string& text, std::size_t line) {
    mark_line(text, line);
    return given(text);
  }

  const MustacheData* text_piece(const TemplatePiece& piece) {
    mark_line(piece.content, piece.line);
    std::size_t line = piece.line;
    for (std::size_t end = piece.content.find('\n'); end != std::string_view::npos;
         end = piece.content.find('\n', end + 1))
      marks_.push_back({out_.size() + end + 1, ++line});
    return piece.content.empty() ? nullptr : given(std::string(piece.content));
  }

  /// A line of the output, which begins where out_ ends until it is complete, has the number of the first thing in it
  /// that can be seen.
  void mark_line(std::string_view text, std::size_t line) {
    if (seen_in_line_ == out_.size()) return;
    marks_.push_back({out_.size(), line});
    if (text.find_first_not_of(" \t\r") != std::string_view::npos) seen_in_line_ = out_.size();
  }

  const MustacheData* given(const std::string& text) {
    bytes_ += text.size();
    if (bytes_ > limits_.bytes) refuse_size();
    value_ = MustacheData(text);
    return &value_;
  }

  const MustacheData* section(const TemplateTag& tag, const TemplateData& data, const UsePlace& use) {
    if (data.list() == nullptr && data.object() == nullptr && !data.is_bool())
      throw_argument_error(use.said() + "the section is over " + std::string(tag.name) +
                               ", which is a value; a section needs a list, a bool or an object",
                           "a list, a bool or an object", data.value()->text());
    const std::size_t rounds =
        data.list() != nullptr ? data.list()->size() : data.object() != nullptr || data.value()->text() == "true";
    if (rounds == 0) return nullptr;
    if (tag.kind == TagKind::section)
      sections_.push_back({data.list(), data.object() != nullptr ? &data : nullptr, rounds, 0});
    return data.list() != nullptr ? &list_of(rounds) : &true_;
  }

  /// Its items mean nothing: push() is called once for each.
  const MustacheData& list_of(std::size_t size) {
    const auto found = lists_.find(size);
    if (found != lists_.end()) return found->second;
    step(size);
    return lists_.emplace(size, MustacheData(kainjow::mustache::list(size, MustacheData(true)))).first->second;
  }

  void step(std::size_t count = 1) {
    steps_ += count;
    if (steps_ > limits_.steps) refuse_size();
  }

  [[noreturn]] void refuse_size() const {
    throw_argument_error("render_template: the text grows beyond what a compiler takes, " +
                             std::to_string(limits_.bytes) + " bytes or " + std::to_string(limits_.steps) +
                             " pieces: look at the sizes of lists in nested loops",
                         "a smaller text", std::to_string(bytes_) + " bytes so far");
  }

  std::string_view text_;
  TemplateScope scope_;
  RenderLimits limits_;
  std::vector<TemplateTag> tags_;
  std::vector<TemplatePiece> pieces_;
  std::vector<Section> sections_;  // that are being rendered, the innermost last
  std::map<std::size_t, MustacheData> lists_;
  MustacheData value_;
  MustacheData true_{true};
  std::string out_;
  std::vector<LineMark> marks_;
  std::size_t seen_in_line_ = std::string::npos;  // the begin of the last line of which that is so
  std::size_t bytes_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace

std::string rendered(std::string_view text, const TemplateObject& data, const RenderLimits& limits) {
  return Rendering(text, data, limits).run();
}

std::string render_template(std::string_view text, const TemplateObject& data) { return rendered(text, data); }

}  // namespace kiln
