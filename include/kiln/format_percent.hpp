// format_percent: a template of CUDA C++ with the names and formats of Python's operator %.
#pragma once

#include <kiln/export.hpp>
#include <kiln/template_value.hpp>

#include <string>
#include <string_view>

namespace kiln {

/// The text with each `%(name)d` replaced by the value of that name in that format, and `%%` by `%`, as Python does it:
/// flags (# 0 - blank +), width, precision, and the conversions d i u o x X e E f F g G c s r a. The same text as
/// CPython's of the same values, in every locale: a bool is `True` by %s and `1` by %d; a float or double has no suffix
/// (1.5f is `1.5` by %s, as of numpy.float32). Infinity and NaN are no values: CUDA C++ has no literal of them, so that
/// a TemplateValue refuses them when it is made, before a name or a place is known. Width and precision count the
/// characters of UTF-8. Lines keep their numbers, as with substitute(): text of several lines has to be a CodeBlock.
/// Throws ArgumentError, with line and column: for a name that has no value, a conversion that does not take its value
/// (%d of a text, %x of a double), a sequence (Python spells it as a list: give its text), a % without a name but %%
/// (values have no order here; so no * either), any other %, an incomplete format, %r of text that is not ASCII (%a
/// does that), a width or precision beyond 65535, a text beyond 64 MiB. Safe from any thread. Counterpart: Python's
/// text % {"name": value}, which PyCUDA's users have.
KILN_EXPORT std::string format_percent(std::string_view text, const TemplateValues& values);

}  // namespace kiln
