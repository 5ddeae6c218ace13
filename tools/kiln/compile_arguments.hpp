// How a source text is to be compiled, as the command line says it: for each command that takes one.
#pragma once

#include "commands.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace kiln::tool {

/// --arch, which is looked at before anything else is done.
CLI::Option* add_arch(CLI::App& command, std::string& arch, const std::string& help);

/// -I, -D, --late-define and --option, for a command that takes a source among other things.
void add_compile_options(CLI::App& command, CompileOptions& options);

// Each adds its command, which fills the arguments in.
void add_compile(CLI::App& app, CompileArguments& arguments);
void add_embed(CLI::App& app, EmbedArguments& arguments);
void add_inspect(CLI::App& app, InspectArguments& arguments);
void add_preprocess(CLI::App& app, PreprocessArguments& arguments);

}  // namespace kiln::tool
