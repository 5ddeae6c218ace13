// What `kiln run` takes on the command line.
#pragma once

#include "commands.hpp"

namespace CLI {
class App;
}

namespace kiln::tool {

/// Adds the command, which fills the arguments in.
void add_run(CLI::App& app, RunArguments& arguments);

}  // namespace kiln::tool
