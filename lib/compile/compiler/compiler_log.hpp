// What compilers and the programs that they run say, read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A compiler's word on one place: `file(line): error: text`, `file:line:column: error: text`, or libnvvm's
/// `file (line, column): parse text`. Without a file, a program's word on the whole or on its own input, as ptxas, nvcc
/// and gcc say it: "ptxas error: text".
struct Diagnostic {
  std::string file;
  int line = 0;
  std::string text;
  int column = 0;                      // from 1, of the line as the compiler shows it; 0: not known
  int ptx_line = 0;                    // from 1, of the PTX that ptxas read; 0: none is named
  std::vector<int> more_columns = {};  // where the column may be another one, as marked_places() has it
  std::string marked = {};             // what the line has from the column on, a few bytes; empty: not known
  std::string types = {};              // "argument types are: (float, int)", which a second line says; mostly empty
};

/// The errors of a log in order, at most a thousand. Warnings and remarks are none, and neither are lines of a source
/// that a compiler shows.
std::vector<Diagnostic> errors_of(std::string_view log);

/// The lines of a log behind an error's first one, up to the next error or warning: the line of the source with its
/// mark, notes, and how a template came to be instantiated.
std::string_view rows_behind(const Diagnostic& error, std::string_view log);

/// The first error on a place of a text, or nothing.
std::optional<Diagnostic> first_error(std::string_view log);

/// The error that a message begins with: the first that does not only follow from another. That NVRTC takes no
/// functions of the host counts last, as Kiln has ways out of it; of those, and behind them, errors of the file `own`
/// count first. Where a type is missing in a kernel's parameters it is the error about that type, and where an
/// instruction of PTX has a symbol that is not known the one about the symbol. Nothing where the log has none.
std::optional<Diagnostic> main_error(const std::vector<Diagnostic>& errors, std::string_view own = {});

/// Where in a line of a log the mark in the line below may point, at most four places. They are several where the line
/// is longer than compilers count (their columns have 16 bits) and none of the error's quoted words is at one of them.
std::vector<std::size_t> marked_places(std::string_view row, std::size_t mark, std::string_view error);

/// The log for a message: its first errors, without those that only follow from others, and without the notes on most
/// functions that do not match a call. Lines and the whole have a bound, and of a long line of a source that is shown
/// over a mark ('^') there is what is around the mark. `whole` says where all of it is.
std::string bounded_log(std::string_view log, std::string_view whole);

/// The log with each `from`, the compiler's name of a file, replaced by `to`; unchanged if `from` is empty.
std::string with_name(std::string log, std::string_view from, std::string_view to);

/// What stands in quotes, single or double, in an error's text: each without them.
std::vector<std::string_view> quoted_words(std::string_view text);

}  // namespace kiln
