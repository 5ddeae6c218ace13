// Which linkers this machine has, found as cheaply as possible.
#pragma once

#include "compile/link/link_rule.hpp"

#include <kiln/compile_options.hpp>

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// Which linker linked code is of.
struct LinkerIdentity {
  Backend backend = Backend::nvjitlink;
  std::string text;  // "nvjitlink:build-id:...", "driver:13.0", "driver:13.0+ptx"
};

/// For one link; looks where things are when it is made.
class LinkersHere {
 public:
  LinkersHere();
  /// For tests: with nvJitLink in that file, or none for that reason.
  LinkersHere(std::optional<std::string> nvjitlink, std::string why_none);

  /// By the library's file name, whose minor version may be missing, and is then the newest that could be.
  LinkerHere nvjitlink_by_its_file() const;
  /// The same, exactly: opens the library.
  LinkerHere nvjitlink() const;
  /// The driver where this process uses it already; nothing, and no reason, where it does not.
  LinkerHere driver_in_use() const;
  /// Initialises it.
  LinkerHere driver() const;

  /// Throws Error where the library's file cannot be read.
  LinkerIdentity identity_of_nvjitlink() const;
  /// After driver() or driver_in_use() has its version.
  LinkerIdentity identity_of_driver() const;

  /// The places where nvJitLink was looked for; none where it is here.
  const std::vector<std::string>& searched() const noexcept { return searched_; }

 private:
  LinkerHere missing_nvjitlink() const;

  std::optional<std::string> nvjitlink_;  // its file
  std::string why_no_nvjitlink_;
  std::vector<std::string> searched_;
};

}  // namespace kiln
