// What a source text says about other files: its includes, its __has_include questions, its use of the clock
// and of texture references.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A header as a source names it.
struct HeaderName {
  std::string name;
  bool quoted = false;
  bool next = false;  // of #include_next: not the first of that name, but one of those behind it
  friend bool operator==(const HeaderName&, const HeaderName&) = default;
};

/// Every mention counts, whether or not an #if leaves it out: too many is safe, too few is not.
struct SourceScan {
  std::vector<HeaderName> includes;
  std::vector<HeaderName> has_includes;  // and of #embed
  bool macro_include = false;            // #include NAME: what it reads cannot be seen here
  bool macro_has_include = false;        // __has_include(NAME), or by another name, such as that of a macro
  bool uses_time = false;                // __TIME__, __DATE__, __TIMESTAMP__
  bool uses_own_path = false;            // __FILE__ and what else gives the path of the file it stands in
  // A declaration that begins with texture< or surface<, where the text makes no such name its own.
  bool declares_texture = false;
  bool declares_surface = false;
  // Beside that one of the words stands for something else too, such as a variable, or is in a typedef.
  bool uses_reference_words = false;
  // Where such declarations begin in what was scanned; of a typedef's name too.
  std::vector<std::size_t> references;
};

/// Reads past comments, literals and spliced lines. Any bytes are taken.
SourceScan scan_source(std::string_view text);

/// The text with `__constant__` before each declaration of a texture or surface reference, and no other change.
std::string annotate_references(std::string_view text);

/// The text with other names, with their quotes or brackets, in #include and __has_include where `replacement` gives
/// one.
std::string replace_header_names(std::string_view text,
                                 const std::function<std::optional<std::string>(const HeaderName&)>& replacement);

/// A quick look: false only where the text can neither include, ask for, nor embed a file.
bool may_include(std::string_view text);

/// A quick look: false only where the text cannot put the path of its file into the code.
bool may_use_own_path(std::string_view text);

}  // namespace kiln
