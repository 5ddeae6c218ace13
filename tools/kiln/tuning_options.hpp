// What `kiln tune` and `kiln wisdom` take on the command line.
#pragma once

#include "commands.hpp"

namespace CLI {
class App;
}

namespace kiln::tool {

/// Adds the command, which fills the arguments in.
void add_tune(CLI::App& app, TuningArguments& arguments);

/// Adds `kiln wisdom` and its commands.
void add_wisdom(CLI::App& app, WisdomArguments& arguments);
int run_wisdom(const CLI::App& command, const WisdomArguments& arguments);

}  // namespace kiln::tool
