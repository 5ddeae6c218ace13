// What `kiln run`, `kiln tune` and `kiln wisdom` take on the command line.
#pragma once

#include "commands.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace kiln::tool {

/// Adds the command, which fills the arguments in.
void add_run(CLI::App& app, RunArguments& arguments);

// What `kiln tune` has likewise.
/// FILE, with that help, KERNEL and ARGUMENTs, the device and its checks.
void add_kernel(CLI::App& command, RunArguments& arguments, const std::string& file_help);
/// KERNEL and these options are needed, unless FILE is a capture: its folder, or capture.json there, which becomes the
/// folder. Throws Error where there is no FILE.
void require_without_capture(CLI::App& command, RunArguments& arguments, const std::vector<std::string>& options);
void add_expectation(CLI::App& command, RunArguments& arguments);
/// A number from 0 on that is read without the locale.
CLI::Option* add_number(CLI::App& command, const std::string& name, const std::string& help, double& target);

/// Adds the command, which fills the arguments in.
void add_tune(CLI::App& app, TuningArguments& arguments);

/// Adds `kiln wisdom` and its commands.
void add_wisdom(CLI::App& app, WisdomArguments& arguments);
int run_wisdom(const CLI::App& command, const WisdomArguments& arguments);

}  // namespace kiln::tool
