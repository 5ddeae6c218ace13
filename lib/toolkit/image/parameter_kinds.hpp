// The kinds of kernel parameters, as PTX shows them. Machine code has their sizes only, and the name of an extern "C"
// kernel shows nothing, so compiles and links keep what the PTX showed.
#pragma once

#include "toolkit/image/code_info.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The largest number that is a kind.
inline constexpr ParameterKind last_parameter_kind = ParameterKind::integer_or_pointer;

/// By symbol, a kind for each parameter.
using ParameterKinds = std::map<std::string, std::vector<ParameterKind>>;

/// Of all entries of a PTX text; their bodies are not read. Empty where the text is damaged: nothing hangs on it.
ParameterKinds parameter_kinds_of_ptx(std::string_view text);
/// Of the PTX in a fatbin, which may be compressed. What cannot be read is left out.
ParameterKinds parameter_kinds_of_fatbin(std::string_view bytes);
/// Of code whose kernels know theirs.
ParameterKinds parameter_kinds_of(const CodeInfo& info);

/// Adds the kinds of `more`. Where two texts of one kernel disagree, as only code for several architectures can, the
/// kind is `other`.
void merge_kinds(ParameterKinds& kinds, const ParameterKinds& more);

/// Gives a kernel's parameters the kinds that its name does not show.
void add_kinds(KernelInfo& kernel, const ParameterKinds& kinds);
void add_kinds(CodeInfo& info, const ParameterKinds& kinds);

}  // namespace kiln
