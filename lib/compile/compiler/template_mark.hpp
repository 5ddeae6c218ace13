// Marks of template languages that a source still has.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

/// A sentence about the mark of a template language, such as "%(N)d", "{{ n }}" or "${n}", that stands at a place of a
/// line, or just before it: what fills it in. Empty where there is none.
std::string template_mark_advice(std::string_view line, std::size_t place);

}  // namespace kiln
