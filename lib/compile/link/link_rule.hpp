// The rule: which linker a link is for.
#pragma once

#include "compile/nvjitlink/link_input.hpp"

#include <kiln/linker.hpp>

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// What of a link decides about its linker.
struct LinkNeeds {
  Backend backend = Backend::automatic;  // as it was asked for
  Target target = Target::cubin;
  bool lto = false;
  std::optional<Version> ptx = {};               // the newest among the inputs
  std::string newest_ptx_input = {};             // its name
  std::vector<std::string> nvjitlink_only = {};  // options by name
  bool ptx_driver = false;                       // the code is for a driver that takes PTX only
  std::string driver_name = "the driver library in use";
  std::string not_ptx = {};  // for such a one: the first input that is none, and what it is
};

/// A linker of this machine: its version, or nothing and why not.
struct LinkerHere {
  std::optional<Version> version = {};
  std::string why_not = {};
};

/// The newest PTX that a toolkit or driver of that version takes.
Version newest_ptx(const Version& cuda);

/// Why nvJitLink cannot do it, in words; empty where it can.
std::string obstacle_of_nvjitlink(const LinkNeeds& needs, const LinkerHere& nvjitlink);

struct LinkChoice {
  Backend backend = Backend::automatic;  // nvjitlink or driver; automatic: neither can
  std::string why;                       // of the choice, or of each that cannot
};

/// nvJitLink where it can and its toolkit is of the driver's major version or older, as a driver may not load the
/// machine code of a newer one's; else the driver where that can; else nvJitLink all the same. `backend` of the needs
/// takes the others out. An unknown driver (no version, no reason) is not in use, and none to be careful about.
LinkChoice choose_linker(const LinkNeeds& needs, const LinkerHere& nvjitlink, const LinkerHere& driver);

}  // namespace kiln
