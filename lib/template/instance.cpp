#include <kiln/instance.hpp>

#include "base/argument_error.hpp"

namespace kiln::detail {

std::string integer_literal(long long value, bool is_least, const char* suffix) {
  // The digits of the least number, without its sign, are of a larger type.
  return is_least ? '(' + std::to_string(value + 1) + suffix + " - 1)" : std::to_string(value) + suffix;
}

std::string integer_literal(unsigned long long value, const char* suffix) { return std::to_string(value) + suffix; }

std::string instance_name(std::string_view name, const std::string* arguments, std::size_t count) {
  if (name.empty())
    throw_argument_error(
        "instance: the template's name is an empty text: give it as the source has it, such as "
        "\"ns::scale\"",
        "a template's name", "an empty text");
  std::string text(name);
  text += '<';
  for (std::size_t i = 0; i < count; ++i) {
    if (arguments[i].empty())
      throw_argument_error("instance: template argument " + std::to_string(i) + " of \"" + std::string(name) +
                               "\", counted from 0, is an empty text: leave it out where the template has a default",
                           "a type, a value or their text", "an empty text");
    text += (i == 0 ? "" : ", ") + arguments[i];
  }
  return text += '>';
}

}  // namespace kiln::detail
