#include "compile/options/arch.hpp"

#include "base/argument_error.hpp"
#include "base/environment.hpp"
#include "base/similar_name.hpp"
#include "compile/options/option_list.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <charconv>

namespace kiln {

namespace {

/// The oldest architecture with features of its own (sm_90a), and with those of a family (sm_100f); CUDA's
/// documentation calls them architecture-specific and family-specific.
constexpr int oldest_with_own_features = 90;
constexpr int oldest_with_family = 100;

constexpr std::string_view native_word = "native";

[[noreturn]] void refuse_arch(std::string_view text) {
  std::string message =
      "arch \"" + std::string(text) + "\" is not an architecture: write sm_90, compute_90 or 90 (with a or f behind)";
  const std::string similar = similar_name(text, {"native", "native-a", "native-f"});
  if (text.find_first_of(",; ") != std::string_view::npos)
    message +=
        "; code for several is in a fatbin: kiln compile --target fatbin --code sm_80,sm_90 (Target::fatbin, "
        "nvcc.code)";
  if (!similar.empty() && similar != text) message += "; did you mean \"" + similar + "\"?";
  throw_argument_error(message, "sm_90, compute_90 or 90", std::string(text));
}

}  // namespace

std::string arch_list(const std::vector<int>& supported) {
  std::string text;
  for (int number : supported) text += (text.empty() ? "sm_" : ", sm_") + std::to_string(number);
  return text;
}

bool is_native(std::string_view arch) noexcept {
  if (!arch.starts_with(native_word)) return false;
  arch.remove_prefix(native_word.size());
  return arch.empty() || arch == "-a" || arch == "-f";
}

bool is_word_for_all(std::string_view arch) noexcept { return arch == "all" || arch == "all-major"; }

std::string native_arch(std::string_view word, const std::string& device_arch) {
  const std::string_view features = word.substr(native_word.size());
  if (features.empty()) return device_arch;
  Arch arch = parse_arch(device_arch);
  arch.suffix = features.substr(1);
  if (arch.number < (arch.suffix == "a" ? oldest_with_own_features : oldest_with_family)) arch.suffix.clear();
  return arch.text();
}

void refuse_native(const std::string& word) {
  throw_argument_error("arch \"" + word +
                           "\" needs a device, and no driver with one is in use: load a module first, or name the "
                           "architecture, such as sm_90" +
                           (word == "native" ? "" : word.substr(word.size() - 1)),
                       "an architecture", word);
}

Arch parse_arch(std::string_view text) {
  Arch arch;
  std::string_view rest = text;
  if (rest.starts_with("sm_")) {
    rest.remove_prefix(3);
  } else if (rest.starts_with("compute_")) {
    rest.remove_prefix(8);
    arch.real = false;
  }
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), arch.number);
  arch.suffix = std::string(end, rest.data() + rest.size());
  const bool known_suffix = arch.suffix.empty() || arch.suffix == "a" || arch.suffix == "f";
  if (error != std::errc() || arch.number < 10 || arch.number > 999 || !known_suffix) refuse_arch(text);
  return arch;
}

Arch asked_arch(std::string_view text) {
  Arch arch = parse_arch(text);
  const bool is_family = arch.suffix == "f";
  const int oldest = is_family ? oldest_with_family : oldest_with_own_features;
  if (arch.suffix.empty() || arch.number >= oldest) return arch;
  const Arch plain{arch.number, {}, arch.real};
  const Arch own{arch.number, "a", arch.real};
  const std::string instead =
      is_family && arch.number >= oldest_with_own_features ? plain.text() + " or " + own.text() : plain.text();
  throw_argument_error("arch \"" + std::string(text) + "\": there is no " + arch.text() + ", as features of " +
                           (is_family ? "a family (f)" : "one architecture (a)") + " begin with sm_" +
                           std::to_string(oldest) + ": write " + instead,
                       instead, std::string(text));
}

std::vector<std::string> archs_of_environment() {
  std::string text = environment("KILN_ARCH").value_or("");
  std::replace(text.begin(), text.end(), ',', ' ');
  std::vector<std::string> archs = split_options(text);
  try {
    for (const std::string& arch : archs) asked_arch(arch);
  } catch (const ArgumentError& error) {
    throw_argument_error(std::string("KILN_ARCH: ") + error.what(), "architectures", text);
  }
  return archs;
}

bool is_one_arch(const std::string& arch, const std::string& code) {
  if (code.empty()) return true;
  if (code.find(',') != std::string::npos || code.starts_with("lto_")) return false;
  if (arch.empty() || is_native(arch)) return true;
  const Arch one = parse_arch(arch);
  const Arch other = parse_arch(code);
  return one.number == other.number && one.suffix == other.suffix && (other.real || !one.real);
}

namespace {

bool is_in_environment(const Arch& arch) noexcept try {
  for (const std::string& one : archs_of_environment())
    if (parse_arch(one).number == arch.number) return true;
  return false;
} catch (...) {
  return false;
}

std::string unknown_device_arch(const Arch& arch, const std::vector<int>& supported, const std::string& compiler) {
  const std::string does_not_know = compiler + " does not know the ";
  const std::string known = " nor any below it; it knows " + arch_list(supported) + ". ";
  if (is_in_environment(arch))
    return does_not_know + "architecture " + arch.text() + " of KILN_ARCH" + known +
           "Choose one of these, or an older CUDA toolkit (CUDA_HOME).";
  return does_not_know + "device's architecture " + arch.text() + known + "Use an older CUDA toolkit for this device.";
}

}  // namespace

Arch arch_for_device(const Arch& device, const std::vector<int>& supported, const std::string& compiler) {
  if (std::find(supported.begin(), supported.end(), device.number) != supported.end()) return device;
  const auto above = std::upper_bound(supported.begin(), supported.end(), device.number);
  if (above == supported.begin()) throw CompileError(unknown_device_arch(device, supported, compiler), {}, {});
  return Arch{*(above - 1), {}, false};
}

void require_supported(const Arch& arch, const std::vector<int>& supported, const std::string& compiler) {
  if (std::find(supported.begin(), supported.end(), arch.number) != supported.end()) return;
  throw CompileError(compiler + " does not know the architecture " + arch.text() + "; it knows " +
                         arch_list(supported) + ". Choose one of these, or another CUDA toolkit (CUDA_HOME).",
                     {}, {"-arch=" + arch.text()});
}

}  // namespace kiln
