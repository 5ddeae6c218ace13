#include "run_device.hpp"

#include "base/argument_error.hpp"
#include "base/environment.hpp"
#include "source_file.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/emulator_library.hpp"

#include <kiln/device.hpp>
#include <kiln/driver.hpp>
#include <kiln/error.hpp>

#include <cstdlib>

namespace kiln::tool {

void open_device(bool emulator, const std::string& checks) {
  const bool is_named = is_emulator(environment("KILN_DRIVER").value_or(""));
  if (emulator && !is_named) use_driver(emulator_name);
  if (!checks.empty()) ::setenv("KILN_EMULATOR_CHECK", checks.c_str(), 1);
  std::string fault;
  try {
    (void)Driver::get();
    if (Device::count() == 0) fault = "there is no device";
  } catch (const ToolkitError& error) {
    throw ToolkitError(std::string(error.what()) + "\n\"kiln run --emulator\" runs it on the CPU", error.searched());
  } catch (const DriverError& error) {
    if (error.result() != CUDA_ERROR_NO_DEVICE) throw;
    fault = error.what();
  }
  if (!fault.empty()) throw ToolkitError(fault + "; \"kiln run --emulator\" runs it on the CPU", {});
  if (!checks.empty() && !emulator_in_use())
    throw_argument_error("--check is what the emulator does, and a GPU does not: add --emulator", "--emulator",
                         "--check " + checks);
  if (!emulator) tell_of_emulator();
}

}  // namespace kiln::tool
