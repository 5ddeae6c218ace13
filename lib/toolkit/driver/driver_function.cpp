#include "base/argument_error.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/driver_versions.hpp"
#include "toolkit/driver/emulator_library.hpp"

#include <kiln/driver.hpp>
#include <kiln/error.hpp>

#include <string_view>

namespace kiln::detail {

namespace {

/// The loader would also find "malloc", in what the driver library depends on.
bool is_of_driver(std::string_view name) {
  return name.size() > 2 && name.substr(0, 2) == "cu" && name[2] >= 'A' && name[2] <= 'Z';
}

[[noreturn]] void refuse_macro(const std::string& name) {
  throw_argument_error(
      "driver_function: " + name + " is a macro of cuda.h, for a version of the function that differs " +
          "between versions of CUDA: write KILN_DRIVER_FUNCTION(" + name +
          "), which takes the one that your cuda.h declares, or give its name with the version, such as " + name +
          "_v2",
      "a name with its version", name);
}

[[noreturn]] void refuse_missing(const Driver& driver, const std::string& name) {
  const std::string advice =
      is_emulator(driver.path)
          ? "it is Kiln's emulator, which has the functions that Kiln and its tests use: run what needs others on a GPU"
          : "a newer NVIDIA driver may have it; see that the name is spelled as cuda.h spells it";
  throw ToolkitError("the driver library " + driver.path + " (" + driver.symbols.version_text() + ") has no function " +
                         name + ": " + advice,
                     {driver.path});
}

}  // namespace

AnyFunction exported_driver_function(const char* name, bool is_exact) {
  const std::string wanted = name != nullptr ? name : "";
  if (!is_of_driver(wanted))
    throw_argument_error("driver_function: \"" + wanted +
                             "\" is no name of the driver's functions, which begin with cu, as cuCtxSetLimit does",
                         "a function of cuda.h", wanted);
  if (!is_exact && is_driver_macro(wanted)) refuse_macro(wanted);
  const Driver& driver = Driver::get();
  void* const address = driver.symbols.exported(name);
  if (address == nullptr) refuse_missing(driver, wanted);
  return reinterpret_cast<AnyFunction>(address);
}

}  // namespace kiln::detail
