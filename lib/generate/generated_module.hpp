// What all generators have in common: the texts that a program gives, and the module that is made of them.
#pragma once

#include <kiln/compile_options.hpp>
#include <kiln/source_module.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// What stands beside the texts of the one kernel. A view.
struct GeneratorTexts {
  const std::string& name;
  const std::string& preamble;
  const std::vector<std::string>& options;
  const CompileOptions& compile;
  bool keep;

  /// Throws ArgumentError: of a name that is no identifier, of a preamble whose brackets are not closed, and of a macro
  /// that is named like the kernel or like one of `own_names`, which mean something else in the kernel.
  void check(const std::string& generator, const std::vector<std::string_view>& own_names) const;
  /// The macros that the compile's options define, as directives.
  std::string defines() const;
};

/// Beyond so many elements i is 64 bits wide: it goes beyond n by one turn of all threads.
inline constexpr std::size_t most_narrow_elements = std::size_t{1} << 31U;

/// A program's text with its own name and line numbers in diagnostics; empty for an empty text. `end` stands after it,
/// on a line that has the number of the text's last one: what a text lacks at its end is an error of that text.
std::string lined_part(std::string_view text, const std::string& kernel, const char* part, const char* end);

/// What ends a preamble: a declaration, so that one without its last ";" is an error of the preamble.
constexpr const char* preamble_end = "static_assert(true, \"\");";

/// The types' headers, such as cuda_fp16.h for a __half, where `texts` name such types.
std::string includes_for(const std::vector<std::string_view>& texts);

/// How a text spells such complex numbers as it names: cuda::std::complex<T> may be PyCUDA's or CuPy's. Other types as
/// they are.
std::string complex_type_of(const std::string& type, std::string_view text);

/// Where `text` does not compile, `short_text` is compiled to be the error: it has each of the program's texts once.
SourceModule compile_generated(const std::string& text, const std::string& short_text, const GeneratorTexts& texts);

}  // namespace kiln
