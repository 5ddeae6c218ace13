// A source text put together from parts: a preamble, functions, and a template.
#pragma once

#include <kiln/dynamic_function.hpp>
#include <kiln/template_value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// In the source the preamble is first, in the order in which it was added; then all functions, after their prototypes,
/// so that each may call each; then the template's text. `#line` names every part, so that errors name the part's own
/// line: "preamble 2", "function scale", and the template's name. Faults of the parts throw ArgumentError, naming the
/// part, and leave the object as it was. Not to be changed while another thread uses it.
class SourceParts {
 public:
  /// The name stands in diagnostics for the template's text.
  explicit SourceParts(std::string template_text = {}, std::string name = "template");

  /// Each text counts once: repeating it has no effect. Throws for one that is unbalanced: brackets, quotes, comments,
  /// #if.
  void add_to_preamble(const std::string& text);

  /// Throws for a part that is unbalanced, a name that is none, and a function that is there already: of the same name
  /// and types of parameters.
  void add_function(DynamicFunction function);

  /// Values for the template's text (substitute.hpp), not for preamble and functions, which are taken as they are. They
  /// add up; one that is there already is replaced. Where this is never called, `$` means nothing.
  void substitute(const TemplateValues& values);

  /// Equal parts, added in the same order, give equal text. Throws where values are missing, and where the template or
  /// the preamble defines a function that was added too.
  std::string source() const;

  /// Whether there is no text at all.
  bool empty() const noexcept { return template_text_.empty() && preamble_.empty() && functions_.empty(); }
  /// The template's name in diagnostics.
  const std::string& name() const noexcept { return name_; }

 private:
  void check_clashes(const std::string& part, std::string_view text) const;

  std::string template_text_;
  std::string name_;
  std::vector<std::string> preamble_;
  std::vector<DynamicFunction> functions_;
  TemplateValues values_;
  bool has_values_ = false;
};

}  // namespace kiln
