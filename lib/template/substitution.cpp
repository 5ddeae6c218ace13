#include "template/substitution.hpp"

#include "base/argument_error.hpp"
#include "base/identifier.hpp"
#include "base/log.hpp"
#include "template/lined_text.hpp"
#include "template/name_list.hpp"
#include "template/percent_format.hpp"

#include <kiln/substitute.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace kiln {

namespace {

bool has_line_end(const TemplateValue& value) { return value.text().find_first_of("\n\r") != std::string::npos; }

bool any_has_line_end(const TemplateValues& values) {
  return std::any_of(values.begin(), values.end(), [](const auto& entry) { return has_line_end(entry.second); });
}

class Substitution {
 public:
  Substitution(std::string_view text, const TemplateValues& values, Unknown unknown, const std::string& subject)
      : text_(text),
        values_(values),
        unknown_(unknown),
        subject_(subject),
        out_(text.size() + text.size() / 4, any_has_line_end(values)) {
    for (const auto& [name, value] : values) entries_.push_back({name, &value, has_line_end(value)});
  }

  std::string run() {
    for (;;) {
      const std::size_t dollar = std::min(text_.find('$', at_), text_.size());
      copy_until(dollar);
      if (at_ == text_.size()) break;
      placeholder();
    }
    return out_.finish();
  }

  /// Whether run() met a name in the spelling of string.Template.
  bool has_names() const { return has_names_; }

 private:
  /// Of the map, in its order, where a name is found at once.
  struct Entry {
    std::string_view name;
    const TemplateValue* value;
    bool has_line_end;
  };

  void copy_until(std::size_t end) {
    out_.copy(text_.substr(at_, end - at_));
    at_ = end;
  }

  void placeholder() {
    std::size_t begin = at_ + 1;
    const char next = begin < text_.size() ? text_[begin] : '\0';
    if (next == '$') {
      out_.replace("$$", "$");
      at_ += 2;
      return;
    }
    const bool is_braced = next == '{';
    if (is_braced) ++begin;
    std::size_t end = begin;
    if (end < text_.size() && begins_identifier(text_[end]))
      while (end < text_.size() && is_of_identifier(text_[end])) ++end;
    if (end == begin || (is_braced && (end == text_.size() || text_[end] != '}'))) return stray();
    value(text_.substr(begin, end - begin), is_braced ? end + 1 : end);
  }

  void value(std::string_view name, std::size_t end) {
    has_names_ = true;
    const auto entry = std::lower_bound(entries_.begin(), entries_.end(), name,
                                        [](const Entry& left, std::string_view right) { return left.name < right; });
    if (entry == entries_.end() || entry->name != name) {
      if (unknown_ == Unknown::refuse) refuse_name(name);
      return copy_until(end);
    }
    if (entry->has_line_end) check_lines(*entry->value, name, use());
    out_.replace(text_.substr(at_, end - at_), entry->value->text());
    at_ = end;
  }

  UsePlace use() const { return {subject_, text_, at_}; }

  void stray() {
    if (unknown_ == Unknown::leave) return copy_until(at_ + 1);
    throw_argument_error(use().said() +
                             "a $ begins no name: write $name or ${name} with the name of a value, or $$ for the "
                             "character itself",
                         "a name behind $", std::string(text_.substr(at_, 8)));
  }

  [[noreturn]] void refuse_name(std::string_view name) const {
    throw_argument_error(use().said() + "the template names " + std::string(name) +
                             ", which has no value; there are: " + name_list(values_) +
                             ". Add a value, or write $$ for the character $ itself",
                         "one of: " + name_list(values_), std::string(name));
  }

  std::string_view text_;
  const TemplateValues& values_;
  Unknown unknown_;
  const std::string& subject_;
  std::vector<Entry> entries_;
  LinedText out_;
  std::size_t at_ = 0;
  bool has_names_ = false;
};

/// Says it where the text has none of these names but one of the values' in Python's other spelling, which stays.
void warn_of_percent_names(std::string_view text, const TemplateValues& values, const std::string& subject) {
  for (std::size_t at = text.find("%("); at != std::string_view::npos; at = text.find("%(", at + 1)) {
    const std::optional<std::string_view> name = percent_name(text.substr(at));
    if (!name || values.find(*name) == values.end()) continue;
    log_message(LogLevel::warn, subject + ": the text has no $name, but %(" + std::string(*name) + ") at " +
                                    place_text(text, at) +
                                    ", which stays as it is: for names of that kind there is kiln::format_percent");
    return;
  }
}

std::string substituted_with_warning(std::string_view text, const TemplateValues& values, Unknown unknown,
                                     const std::string& subject) {
  Substitution substitution(text, values, unknown, subject);
  std::string made = substitution.run();
  if (!substitution.has_names()) warn_of_percent_names(text, values, subject);
  return made;
}

}  // namespace

std::string substituted(std::string_view text, const TemplateValues& values, Unknown unknown,
                        const std::string& subject) {
  return Substitution(text, values, unknown, subject).run();
}

void check_lines(const TemplateValue& value, std::string_view name, const UsePlace& use) {
  if (value.is_block() || !has_line_end(value)) return;
  throw_argument_error(use.said() + "the value of " + std::string(name) +
                           " has several lines; give it as kiln::CodeBlock{text} where that is meant",
                       "a value of one line, or a kiln::CodeBlock", value.text());
}

std::string substitute(std::string_view text, const TemplateValues& values) {
  return substituted_with_warning(text, values, Unknown::refuse, "substitute");
}

std::string safe_substitute(std::string_view text, const TemplateValues& values) {
  return substituted_with_warning(text, values, Unknown::leave, "safe_substitute");
}

}  // namespace kiln
