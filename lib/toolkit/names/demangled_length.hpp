// A bound on the length of a demangled name, before it is written out.
#pragma once

#include <cstdint>
#include <string_view>

namespace kiln {

/// Whether a mangled symbol of no more than 32 KiB stands for a name of no more than some 100 KiB. A symbol of a few
/// hundred bytes can stand for any length, because it may refer to its own parts, whose references are written out
/// again; and the C++ library writes all of it. Errs towards no.
bool is_readable_symbol(std::string_view symbol);

}  // namespace kiln
