// One place of a text in the spelling of Python's operator %: "%(name)-8.3f".
#pragma once

#include "template/text_place.hpp"

#include <kiln/template_value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// Ten bytes of a text can ask for more than any machine has.
struct PercentLimits {
  std::size_t number = 65535;  // of a width or precision
  std::size_t bytes = std::size_t{64} << 20;
};

struct PercentFormat {
  std::optional<std::string_view> name;
  bool left = false;       // -
  bool sign = false;       // +
  bool blank = false;      // a blank in a plus sign's place
  bool alternate = false;  // #
  bool zeros = false;      // 0
  std::size_t width = 0;
  std::optional<std::size_t> precision;
  char conversion = 's';
  std::size_t size = 0;  // of its text, the % included
};

/// What stands at `use`, where a % is and no other after it. Throws ArgumentError where it is no format or has no end,
/// or a number beyond `largest`.
PercentFormat percent_format(const UsePlace& use, std::size_t largest);

/// Whether the text at this % is a name in brackets with a format after it, as Python would take it.
std::optional<std::string_view> percent_name(std::string_view text);

/// The value in that format. Throws ArgumentError where the conversion does not take it.
std::string percent_text(const PercentFormat& format, const TemplateValue& value, const UsePlace& use);

/// format_percent, which goes beyond no limit: it throws ArgumentError then.
std::string percent_formatted(std::string_view text, const TemplateValues& values, const PercentLimits& limits = {});

}  // namespace kiln
