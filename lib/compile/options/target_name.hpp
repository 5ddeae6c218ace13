// What the targets are, and the spelling of targets and backends in entries, keys, messages and the command line.
#pragma once

#include <kiln/compile_options.hpp>
#include <kiln/linker.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

struct TargetFacts {
  Target target;
  std::string_view name;  // in entries, keys and the command line
  std::string_view kind;  // in texts
  bool is_loadable;       // drivers load it, and its kernels are listed
  bool is_machine_code;   // it is for real architectures
  bool is_plain;          // of one architecture; what texts and paths it holds can be searched for
  bool is_linkable;       // linkers and libnvvm make it, and linkers take it
  InputType input;        // as a linker's input; detect where none takes it
  /// The option that asks for it: empty where none is needed, null where NVRTC does not make it.
  const char* nvrtc_option;
};
/// In the order of the enumeration.
inline constexpr std::array target_table{
    TargetFacts{Target::cubin, "cubin", "a cubin", true, true, true, true, InputType::cubin, ""},
    TargetFacts{Target::ptx, "ptx", "PTX", true, false, true, true, InputType::ptx, ""},
    TargetFacts{Target::fatbin, "fatbin", "a fatbin", true, true, false, false, InputType::fatbin, nullptr},
    TargetFacts{Target::ltoir, "ltoir", "LTO-IR", false, false, false, true, InputType::ltoir, "-dlto"},
    TargetFacts{Target::optixir, "optixir", "OptiX-IR", false, false, false, false, InputType::detect, "--optix-ir"},
};
constexpr const TargetFacts& facts_of(Target target) { return target_table.at(static_cast<std::size_t>(target)); }

/// "cubin", "ptx" and so on: the spelling of entries, keys and the command line.
std::string target_name(Target target);
std::optional<Target> target_of(std::string_view name);
/// "nvrtc", "nvcc" and so on, likewise.
std::string backend_name(Backend backend);
/// As texts call it: "NVRTC", which is the automatic one's too, "nvcc", "libnvvm", "nvJitLink", "the driver's linker".
const char* compiler_title(Backend backend);
/// Backend::automatic for one that only later versions of Kiln know: nothing hangs on it.
Backend backend_of(std::string_view name);

/// By the file's name: .ll and .bc are NVVM IR, all else CUDA C++.
inline Language language_of(const std::filesystem::path& file) {
  const std::filesystem::path extension = file.extension();
  return extension == ".ll" || extension == ".bc" ? Language::nvvm_ir : Language::cuda;
}

}  // namespace kiln
