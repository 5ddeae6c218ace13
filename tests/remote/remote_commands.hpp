// The program kiln, for tests of its commands for remote caches.
#pragma once

#include "environment_guard.hpp"
#include "key_pair.hpp"
#include "run_program.hpp"
#include "scratch_folder.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kiln::test {

/// A machine with a cache folder of its own, and `kiln cache` there.
class CommandMachine {
 public:
  /// With the properties that a busy machine needs behind `remote`.
  explicit CommandMachine(const std::string& remote)
      : remote_(remote.empty() ? "" : remote + " connect-timeout=60s request-timeout=60s") {}

  ProgramResult kiln(const std::vector<std::string>& arguments) const {
    EnvironmentGuard guard;
    guard.set("KILN_CACHE_DIR", folder());
    guard.set("KILN_CACHE_REMOTE", remote_);
    return run_program(KILN_TEST_TOOL, arguments);
  }
  ProgramResult cache(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "cache");
    return kiln(arguments);
  }
  std::filesystem::path folder() const { return folder_.path(); }

 private:
  ScratchFolder folder_;
  std::string remote_;
};

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace kiln::test
