// What kind of program text some bytes are.
#pragma once

#include <string_view>

namespace kiln {

/// `other` is a text of no kind that is of use, `none` no text at all.
enum class TextKind { ptx, llvm_ir, cuda, other, none };

/// By what stands behind leading blanks and comments, and by the words that such programs cannot do without.
TextKind kind_of_text(std::string_view bytes) noexcept;

}  // namespace kiln
