#include "run_device.hpp"

#include "base/argument_error.hpp"
#include "base/environment.hpp"
#include "output_file.hpp"
#include "source_file.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/emulator_library.hpp"

#include <kiln/device.hpp>
#include <kiln/driver.hpp>
#include <kiln/error.hpp>

#include <cstdlib>

namespace kiln::tool {

namespace {

constexpr const char* on_the_cpu = "there is no GPU; \"kiln run --emulator\" runs the kernel on the CPU";

/// "--check race": only the emulator has it.
void require_emulator(const std::string& option, const std::string& value) {
  if (!value.empty() && !emulator_in_use())
    throw_argument_error(option + " is what the emulator does, and a GPU does not: add --emulator", "--emulator",
                         option + " " + value);
}

/// The emulator has devices, unless the environment takes them away.
std::string no_emulated_device() {
  return "the emulator shows no device: " + hidden_devices() +
         "; unset these, or name a device that it has (0 is the first)";
}

}  // namespace

void open_device(const RunArguments& arguments) {
  require_folder_of("--profile", arguments.profile);
  const std::string driver = environment("KILN_DRIVER").value_or("");
  const bool is_named = driver == emulator_name || is_emulator(driver);
  if (arguments.emulator && !is_named) use_driver(emulator_name);
  if (!arguments.checks.empty()) ::setenv("KILN_EMULATOR_CHECK", arguments.checks.c_str(), 1);
  if (!arguments.profile.empty()) ::setenv("KILN_EMULATOR_PROFILE", arguments.profile.c_str(), 1);
  std::string fault;
  try {
    (void)Driver::get();
    if (Device::count() == 0) fault = "there is no device";
  } catch (const ToolkitError& error) {
    if (environment("KILN_DRIVER")) throw;  // which is then what is wrong
    throw ToolkitError(std::string(on_the_cpu) + "\n" + error.what(), error.searched());
  } catch (const DriverError& error) {
    if (error.result() != CUDA_ERROR_NO_DEVICE) throw;
    fault = error.what();
  }
  if (!fault.empty() && (arguments.emulator || is_named)) throw ToolkitError(no_emulated_device(), {});
  if (!fault.empty()) throw ToolkitError(std::string(on_the_cpu) + "\n" + fault, {});
  require_emulator("--check", arguments.checks);
  require_emulator("--profile", arguments.profile);
  if (!arguments.emulator) tell_of_emulator();
}

}  // namespace kiln::tool
