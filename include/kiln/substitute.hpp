// substitute: names in a template of CUDA C++ replaced by values, by the rules of Python's string.Template.
#pragma once

#include <kiln/export.hpp>
#include <kiln/template_value.hpp>

#include <string>
#include <string_view>

namespace kiln {

/// The text with `$name` and `${name}` replaced by the values of these names, and `$$` by `$`. A name is an ASCII
/// identifier, the longest there is: write ${type}4 where more follows. Values are not searched for names again. Equal
/// input gives equal text. Lines keep their numbers; after a CodeBlock of several lines a `#line` sees to it, at the
/// next place where one can stand. Warns, in the log, of a text that has no such name but `%(name)d` of a value, which
/// is for format_percent().
/// Throws ArgumentError, with line and column, for a name that has no value, for any other `$`, and for a value with a
/// line's end that is no CodeBlock. Safe from any thread. Counterpart: Python's
/// string.Template(text).substitute(values).
KILN_EXPORT std::string substitute(std::string_view text, const TemplateValues& values);

/// The same, but leaves names without a value and stray `$` as they are. Throws for values only.
KILN_EXPORT std::string safe_substitute(std::string_view text, const TemplateValues& values);

}  // namespace kiln
