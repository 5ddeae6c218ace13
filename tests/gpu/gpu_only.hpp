// The test cases of this folder that Kiln's emulator cannot run, and why. docs/emulator.md has the same table.
#pragma once

#include <kiln/compile_options.hpp>
#include <kiln/device.hpp>

#include <array>
#include <string>

namespace kiln::test {

inline bool on_emulator() { return Device::count() > 0 && Device(0).name() == "Kiln PTX emulator"; }

/// What a module's code is on this device, and for what.
inline Target module_target() { return on_emulator() ? Target::ptx : Target::cubin; }
inline std::string module_arch() {
  const std::string arch = Device::current().arch();
  return on_emulator() ? "compute_" + arch.substr(3) : arch;
}

struct GpuOnly {
  const char* test_case;
  const char* reason;
};

inline constexpr const char* no_machine_code = "the emulator runs PTX and no machine code";

inline constexpr std::array gpu_only_tests = {
    GpuOnly{"linking: fatbins, objects and libraries of nvcc, by both linkers", no_machine_code},
    GpuOnly{"the cubin's tables agree with the driver", no_machine_code},
};

}  // namespace kiln::test
