// render_template: templates of CUDA C++ with loops and conditions.
#pragma once

#include <kiln/export.hpp>
#include <kiln/template_data.hpp>

#include <string>
#include <string_view>

namespace kiln {

/// The text with its tags replaced:
/// @verbatim
///   {@ name @}                           the value; {@ a.b @} of an object within, {@ . @} the item itself in a loop
///   {@# name @} ... {@/ name @}          a list: once for each item, whose names (where it is an object) come first;
///                                        true: once; false: not at all; an object: once, its names come first
///   {@^ name @} ... {@/ name @}          where it is false or an empty list
///   {@! anything @}                      nothing
/// @endverbatim
/// In a loop also loop.index (from 1), loop.index0, loop.first, loop.last. A list of values is a value too: its items
/// joined by ", ". A line with no more than tags of sections and comments leaves no line behind. `{@` is in no C++
/// source outside literals and comments, because '@' is not; within those write "{" "@".
/// Nothing is escaped. Equal input gives equal text. Lines keep their template's number, also in loops: where the
/// compiler would count otherwise a `#line` stands.
/// Throws ArgumentError, with line and column: for a name that is not there, a section over what is neither a list, a
/// bool nor an object, one that is not closed or closed by another name, other kinds of tags, a value with a line's end
/// that is no CodeBlock, sections nested more than 50 deep, and a text beyond 64 MiB. Safe from any thread.
/// Counterpart: Jinja's Template(text).render(**data) and Mako's, which PyCUDA's users have.
KILN_EXPORT std::string render_template(std::string_view text, const TemplateObject& data);

}  // namespace kiln
