#include "toolkit/driver/driver_library.hpp"

#include "base/environment.hpp"
#include "toolkit/driver/emulator_library.hpp"

#include <kiln/error.hpp>

#include <optional>
#include <vector>

namespace kiln {
namespace {

constexpr const char* driver_advice =
    "Without a GPU: KILN_DRIVER=emulator runs kernels on the CPU, to learn and to test. With one: install NVIDIA's "
    "driver (on Debian the packages nvidia-driver and libcuda1, on Ubuntu nvidia-driver-550 or newer); in a container "
    "start it with the GPU (docker run --gpus all). Compiling and caching need no driver. KILN_DRIVER or "
    "kiln::use_driver can name another library that provides the driver API.";

constexpr const char* named_driver_advice =
    "Name the file of a library that provides the driver API, or the emulator (KILN_DRIVER=emulator); without a name "
    "Kiln uses NVIDIA's driver.";

// Where drivers are that the loader does not know: containers and WSL.
std::vector<std::string> usual_driver_paths() {
  std::vector<std::string> paths;
  for (const char* folder :
       {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/nvidia/lib64",
        "/usr/local/nvidia/lib", "/usr/lib/wsl/lib", "/run/opengl-driver/lib"})
    paths.push_back(std::string(folder) + "/libcuda.so.1");
  return paths;
}

std::vector<std::string> candidates(const DriverChoice& choice) {
  if (choice.name == emulator_name) return emulator_candidates();
  if (!choice.name.empty()) return {choice.name};
  std::vector<std::string> all = usual_driver_paths();
  all.insert(all.begin(), "libcuda.so.1");
  return all;
}

std::string missing_driver_text(const DriverChoice& choice, const std::vector<std::string>& searched) {
  std::string text;
  if (choice.name.empty())
    text = "no CUDA driver: libcuda.so.1 was not found";
  else if (choice.name == emulator_name)
    text = "the emulator that " + choice.chooser + " asks for is not installed: libkiln_emulator.so was not found";
  else
    return "cannot open the driver library that " + choice.chooser + " names: " + searched.front() + "\n" +
           named_driver_advice;
  text += ". Searched, in order:";
  for (const std::string& place : searched) text += "\n  " + place;
  if (choice.name == emulator_name)
    return text +
           "\nIt is installed with Kiln's library, beside it; KILN_DRIVER and kiln::use_driver take its path, too";
  return text + "\n" + driver_advice;
}

}  // namespace

DriverChoice driver_choice_of_environment() {
  if (const std::optional<std::string> name = environment("KILN_DRIVER")) return {*name, "KILN_DRIVER"};
  return {};
}

SharedLibrary open_driver_library(const DriverChoice& choice) {
  std::vector<std::string> searched;
  for (const std::string& candidate : candidates(choice)) {
    try {
      return SharedLibrary::open(candidate);
    } catch (const Error& error) {
      searched.emplace_back(error.what());
    }
  }
  throw ToolkitError(missing_driver_text(choice, searched), searched);
}

}  // namespace kiln
