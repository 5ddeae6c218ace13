// Architectures: "sm_90", "compute_90a", "90", and what a compiler is asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// An architecture taken apart.
struct Arch {
  int number = 0;      // 90
  std::string suffix;  // "a", "f" or nothing
  bool real = true;    // sm_, machine code; false: compute_, PTX

  std::string text() const { return (real ? "sm_" : "compute_") + std::to_string(number) + suffix; }
};

/// Takes "sm_90", "compute_90", "90", each with an optional a or f. Throws ArgumentError for anything else.
Arch parse_arch(std::string_view text);

/// One that a user asks for: throws ArgumentError also for a suffix that the architecture does not have.
Arch asked_arch(std::string_view text);

/// Whether it stands for the device's architecture: "native", with that architecture's own features "native-a"
/// (sm_90a), with those of its family "native-f" (sm_100f).
bool is_native(std::string_view arch) noexcept;

/// Whether it is one of nvcc's words for all that it knows, which are for fatbins.
bool is_word_for_all(std::string_view arch) noexcept;

/// What such a word stands for on a device of that architecture, which may have a suffix: "native-a" is sm_90a on
/// sm_90. The plain architecture where the device has no such features; it has all that the device can do.
std::string native_arch(std::string_view word, const std::string& device_arch);

/// Throws ArgumentError for such a word where no device is in use.
[[noreturn]] void refuse_native(const std::string& word);

/// The architectures of KILN_ARCH, as they stand there, for machines without the target GPU. Throws ArgumentError for
/// what is none.
std::vector<std::string> archs_of_environment();

/// Whether `code` (nvcc's -code) says no more than `arch` does, or than one architecture would.
bool is_one_arch(const std::string& arch, const std::string& code);

/// "sm_80, sm_90".
std::string arch_list(const std::vector<int>& numbers);

/// What to ask a compiler that supports `supported` (ascending) for, on a device of `device`: machine code where it
/// knows the device, else PTX of the newest architecture below it. Throws CompileError where it knows none at or below.
Arch arch_for_device(const Arch& device, const std::vector<int>& supported, const std::string& compiler);

/// Throws CompileError that lists what the compiler knows, unless it knows `arch`.
void require_supported(const Arch& arch, const std::vector<int>& supported, const std::string& compiler);

}  // namespace kiln
