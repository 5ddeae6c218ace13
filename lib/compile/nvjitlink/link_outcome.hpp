// What a linker is asked, and what it made of it.
#pragma once

#include "compile/nvjitlink/link_input.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kiln {

struct LinkOrder {
  std::string name;  // of the linked code, in errors
  LinkInputs inputs;
  const LinkOptions* options = nullptr;
  std::string arch;  // "sm_90"
  bool lto = false;
};

struct LinkOutcome {
  std::string linker;                // "nvJitLink 13.0"
  Version version;                   // its own
  std::vector<std::string> options;  // as it received them
  std::string code;                  // where it is linked
  std::string info_log;
  std::string error_log;
  /// Empty where it is linked; else the call that failed with its result, such as "nvJitLinkComplete:
  /// NVJITLINK_ERROR_FINALIZE".
  std::string failure;
  /// Symbols that are undefined in the code, although the linker reported success.
  std::vector<std::string> undefined = {};
  /// The input at which it failed; null where that was not at one.
  const LinkInput* failed_input = nullptr;
};

/// How both linkers' logs begin a message about a symbol that is there twice.
inline constexpr const char* multiple_definition = "Multiple definition of ";

/// Turns a success into a failure if the code has undefined symbols or too much shared or constant memory, or if the
/// linker's log reports an error. After a failed link, nvJitLink (12.6, 13.0, 13.5) reports success for such code.
/// Checks executable cubins only; other code may have undefined symbols.
void check_linked_code(LinkOutcome& outcome);

/// By nvJitLink, in a worker. Throws ToolkitError where it cannot be opened.
LinkOutcome link_by_nvjitlink(const LinkOrder& order);

/// Of this machine's nvJitLink, in a worker; asked once for each that this process meets. Throws ToolkitError where it
/// cannot be opened. Thread-safe.
Version version_of_nvjitlink();

/// By the driver, in the calling thread's context, else in device 0's primary one; the thread's context is as before
/// afterwards. Throws ToolkitError or DriverError where there is no driver or no context.
LinkOutcome link_by_driver(const LinkOrder& order);

}  // namespace kiln
