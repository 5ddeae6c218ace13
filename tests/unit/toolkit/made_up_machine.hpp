// A made-up machine in a folder: nothing of the real one is seen.
#pragma once

#include "scratch_folder.hpp"
#include "toolkit/locate/toolkit.hpp"

#include <filesystem>
#include <string>

namespace kiln::test {

struct MadeUpMachine {
  ScratchFolder scratch;
  ToolkitSearch search;

  MadeUpMachine() { search.system_root = scratch.path(); }

  std::filesystem::path add(const std::string& relative) const { return scratch.write(relative, ""); }
};

}  // namespace kiln::test
