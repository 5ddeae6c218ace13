#include "template/source_parts.hpp"

#include "base/argument_error.hpp"
#include "base/escaped_text.hpp"
#include "base/source_token.hpp"
#include "base/text_parts.hpp"
#include "template/balance.hpp"
#include "template/signature.hpp"
#include "template/substitution.hpp"

#include <algorithm>
#include <utility>

namespace kiln {

namespace {

std::string part_name(const DynamicFunction& function) { return "function " + function.name; }

std::string head(const DynamicFunction& function) {
  return function.qualifiers + (function.qualifiers.empty() ? "" : " ") + function.return_type + " " + function.name +
         "(" + function.parameters + ")";
}

void append_part(std::string& source, const std::string& name, std::string_view text) {
  source += "#line 1 " + line_name(name) + "\n";
  text = without_byte_order_mark(text);
  source += text;
  if (!text.empty() && text.back() != '\n') source += '\n';
}

/// Such as "operator+", which types of vectors have none of.
bool is_operator(std::string_view name) {
  constexpr std::string_view word = "operator";
  return name.size() > word.size() && name.starts_with(word) &&
         name.find_first_not_of("+-*/%^&|~!=<>,", word.size()) == std::string_view::npos;
}

void check_name(const std::string& name) {
  if (is_operator(name)) return;
  if (!name.empty() && name.find('$') == std::string::npos) {
    const SourceToken token = source_token(name, 0);
    if (token.kind == SourceTokenKind::word && token.size == name.size()) return;
  }
  refuse("DynamicFunction: name", "an identifier, or an operator such as operator+", "\"" + name + "\"");
}

void check_function(const DynamicFunction& function) {
  check_name(function.name);
  const std::string part = part_name(function);
  if (significant_tokens(function.return_type).empty())
    refuse(part + ": return_type", "a type, such as void", "\"" + function.return_type + "\"");
  check_inline_balance(function.return_type, part + ", return_type");
  check_inline_balance(function.parameters, part + ", parameters");
  check_inline_balance(function.qualifiers, part + ", qualifiers");
  check_balance(function.body, part + ", body");
  if (has_default(function.parameters) || has_default(function.qualifiers))
    throw_argument_error(part +
                             ": a prototype stands before the function, so it cannot have default arguments; leave "
                             "them out, or put the function into the preamble",
                         "parameters without defaults", function.parameters);
}

/// Templates of one name and equal parameters may differ in their own.
bool are_same(const DynamicFunction& one, const DynamicFunction& other) {
  if (one.name != other.name || signature({}, one.parameters) != signature({}, other.parameters)) return false;
  const std::string head = head_spelling(one.qualifiers, one.return_type);
  const std::string other_head = head_spelling(other.qualifiers, other.return_type);
  return head == other_head || (!is_template(head) && !is_template(other_head));
}

[[noreturn]] void refuse_clash(const DynamicFunction& function, const std::string& where) {
  const std::string twice = signature(function.name, function.parameters);
  throw_argument_error(part_name(function) + ": " + where + " defines " + twice +
                           " already; give one of them another name or other parameters",
                       "one definition of " + twice, "two");
}

}  // namespace

SourceParts::SourceParts(std::string template_text, std::string name)
    : template_text_(std::move(template_text)), name_(std::move(name)) {}

void SourceParts::add_to_preamble(const std::string& text) {
  if (std::find(preamble_.begin(), preamble_.end(), text) != preamble_.end()) return;
  check_balance(text, "preamble " + std::to_string(preamble_.size() + 1));
  preamble_.push_back(text);
}

void SourceParts::add_function(DynamicFunction function) {
  check_function(function);
  for (const DynamicFunction& other : functions_)
    if (are_same(function, other)) refuse_clash(function, "a function that was added before");
  functions_.push_back(std::move(function));
}

void SourceParts::substitute(const TemplateValues& values) {
  TemplateValues all = values;
  all.insert(values_.begin(), values_.end());
  values_ = std::move(all);
  has_values_ = true;
}

void SourceParts::check_clashes(const std::string& part, std::string_view text) const {
  if (functions_.empty()) return;
  const std::set<std::string> defined = defined_functions(text);
  for (const DynamicFunction& function : functions_)
    if (!is_template(head_spelling(function.qualifiers, function.return_type)) &&
        defined.count(signature(function.name, function.parameters)) != 0)
      refuse_clash(function, part);
}

std::string SourceParts::source() const {
  const std::string text = has_values_ ? substituted(template_text_, values_, Unknown::refuse, name_) : template_text_;
  std::string source;
  for (std::size_t i = 0; i < preamble_.size(); ++i) {
    const std::string part = "preamble " + std::to_string(i + 1);
    check_clashes(part, preamble_[i]);
    append_part(source, part, preamble_[i]);
  }
  check_clashes(name_, text);
  for (const DynamicFunction& function : functions_)
    append_part(source, "head of " + part_name(function), head(function) + ";");
  for (const DynamicFunction& function : functions_) {
    append_part(source, "head of " + part_name(function), head(function) + " {");
    append_part(source, part_name(function), function.body);
    source += "}\n";
  }
  append_part(source, name_, text);
  return source;
}

}  // namespace kiln
