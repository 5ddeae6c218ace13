#include "base/argument_error.hpp"
#include "base/default_float_environment.hpp"
#include "template/lined_text.hpp"
#include "template/name_list.hpp"
#include "template/percent_format.hpp"
#include "template/substitution.hpp"

#include <kiln/format_percent.hpp>

#include <algorithm>
#include <string>

namespace kiln {

namespace {

class PercentFormatting {
 public:
  PercentFormatting(std::string_view text, const TemplateValues& values, const PercentLimits& limits)
      : text_(text), values_(values), limits_(limits), out_(text.size() + text.size() / 4, true) {}

  std::string run() {
    while (at_ < text_.size()) {
      const std::size_t percent = std::min(text_.find('%', at_), text_.size());
      out_.copy(text_.substr(at_, percent - at_));
      at_ = percent;
      if (at_ < text_.size()) place();
      if (out_.size() > limits_.bytes)
        throw_argument_error(use().said() + "the text grows beyond what a compiler takes, " +
                                 std::to_string(limits_.bytes) + " bytes: look at widths and precisions",
                             "a smaller text", std::to_string(out_.size()) + " bytes so far");
    }
    return out_.finish();
  }

 private:
  UsePlace use() const { return {"format_percent", text_, at_}; }

  void place() {
    if (text_.substr(at_, 2) == "%%") {
      out_.replace("%%", "%");
      at_ += 2;
      return;
    }
    const PercentFormat format = percent_format(use(), limits_.number);
    const std::string_view piece = text_.substr(at_, format.size);
    if (!format.name) refuse_nameless(piece);
    out_.replace(piece, converted(format, named(*format.name)));
    at_ += format.size;
  }

  std::string converted(const PercentFormat& format, const TemplateValue& value) const {
    const UsePlace here = use();
    const bool is_quoted = format.conversion == 'r' || format.conversion == 'a';
    if (!is_quoted) check_lines(value, *format.name, here);
    return percent_text(format, value, here);
  }

  const TemplateValue& named(std::string_view name) const {
    const auto found = values_.find(name);
    if (found != values_.end()) return found->second;
    throw_argument_error(
        use().said() + "the text names " + std::string(name) + ", which has no value; there are: " + name_list(values_),
        "one of: " + name_list(values_), std::string(name));
  }

  [[noreturn]] void refuse_nameless(std::string_view piece) const {
    throw_argument_error(use().said() + std::string(piece) +
                             " names no value, and values go by name here, not by their order: write %(name)" +
                             std::string(piece.substr(1)) + ", or %% for the character itself",
                         "a name in brackets behind %", std::string(piece));
  }

  std::string_view text_;
  const TemplateValues& values_;
  const PercentLimits& limits_;
  LinedText out_;
  std::size_t at_ = 0;
};

}  // namespace

std::string percent_formatted(std::string_view text, const TemplateValues& values, const PercentLimits& limits) {
  return PercentFormatting(text, values, limits).run();
}

std::string format_percent(std::string_view text, const TemplateValues& values) {
  const DefaultFloatEnvironment environment;  // as of a TemplateValue
  return percent_formatted(text, values);
}

}  // namespace kiln
