// The uses in a text of macros and types that differ between NVRTC and nvcc with its host compiler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// What NVRTC was given so that it agrees with nvcc.
struct GivenToNvrtc {
  bool long_int64 = false;  // int64_t is `long`, as in the host compiler's headers
  bool int128 = false;      // __int128 and the macro of its size
};

/// Of one text, or of several that belong together.
struct HostUses {
  /// The first macro that only the host compiler or only NVRTC defines, or that they define differently; except in an
  /// #if that tests __CUDACC_RTC__, or inside one, which may differ on purpose.
  std::string macro;
  std::string file = {};                 // the text that has it, where several were added
  bool tests_for_nvrtc = false;          // the text has __CUDACC_RTC__: it was written for NVRTC, too
  bool uses_int128 = false;              // __int128, or the macro of its size
  bool uses_64_bit_names = false;        // int64_t and similar names
  bool distinguishes_long = false;       // `long` as a parameter's type or a template's argument
  std::vector<std::string> tested = {};  // names in #ifdef, #ifndef and defined

  /// Those of another text, which is shown as `its_file`.
  void add(const HostUses& other, std::string_view its_file);
  /// The difference, in words for a message; empty if there is none.
  std::string difference(const GivenToNvrtc& given) const;
};

/// Every mention counts, whether or not an #if leaves it out; comments and literals do not.
HostUses host_uses(std::string_view text);

/// Whether the word is a macro that NVRTC and nvcc define differently, as in HostUses::macro.
bool is_host_macro(std::string_view word);

}  // namespace kiln
