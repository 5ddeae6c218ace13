// The rules of Python's string.Template.
#pragma once

#include "template/text_place.hpp"

#include <kiln/template_value.hpp>

#include <string>
#include <string_view>

namespace kiln {

/// What to do about a name that has no value, and about a `$` that begins no name.
enum class Unknown { refuse, leave };

/// `subject` begins the errors' texts, such as "substitute".
std::string substituted(std::string_view text, const TemplateValues& values, Unknown unknown,
                        const std::string& subject);

/// Throws ArgumentError where the value has a line's end and is no CodeBlock.
void check_lines(const TemplateValue& value, std::string_view name, const UsePlace& use);

}  // namespace kiln
