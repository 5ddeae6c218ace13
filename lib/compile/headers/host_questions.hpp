// What a text asks that NVRTC and nvcc, with its host compiler, answer differently, and Kiln cannot make equal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// What NVRTC was given that makes it answer alike.
struct HostGifts {
  bool long_int64 = false;  // int64_t is `long`, as in the host compiler's headers
  bool int128 = false;      // __int128 and the macro of its size
};

/// Of one text, or of several that belong together.
struct HostQuestions {
  /// The first macro that only the host compiler or only NVRTC defines, or that they define differently; but none in an
  /// #if that asks for __CUDACC_RTC__, or inside one, which is meant to differ.
  std::string macro;
  bool asks_for_nvrtc = false;           // __CUDACC_RTC__ is somewhere: the text was written for NVRTC, too
  bool uses_int128 = false;              // __int128, or the macro of its size
  bool uses_64_bit_names = false;        // int64_t and its like
  bool tells_long_apart = false;         // `long` as a parameter's type or a template's argument
  std::vector<std::string> tested = {};  // names in #ifdef, #ifndef and defined

  void add(const HostQuestions& other);
  /// What to name as the difference, in words; empty where there is none.
  std::string difference(const HostGifts& gifts) const;
};

/// Every mention counts, whether or not an #if leaves it out; comments and literals do not.
HostQuestions host_questions(std::string_view text);

/// Whether that is the macro of a HostQuestions.
bool is_host_macro(std::string_view word);

/// Whether the text spells the attribute of a tile kernel as such; the macro __tile_global__ is not meant.
bool has_tile_attribute(std::string_view text);

}  // namespace kiln
