// The spelling of targets and backends in entries, keys, messages and the command line.
#pragma once

#include <kiln/compile_options.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// "cubin", "ptx" and so on: the spelling of entries, keys and the command line.
std::string target_name(Target target);
std::optional<Target> target_of(std::string_view name);
/// "nvrtc", "nvcc" and so on, likewise.
std::string backend_name(Backend backend);
/// As texts call it: "NVRTC", which is the automatic one's too, "nvcc", "libnvvm", "nvJitLink", "the driver's linker".
const char* compiler_title(Backend backend);
/// Backend::automatic for one that only later versions of Kiln know: nothing hangs on it.
Backend backend_of(std::string_view name);

}  // namespace kiln
