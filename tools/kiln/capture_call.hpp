// The kernel of a capture, and what it is to compute.
#pragma once

#include "capture_reader.hpp"
#include "commands.hpp"
#include "vector_file.hpp"

#include <kiln/module.hpp>

#include <string>
#include <vector>

namespace kiln::tool {

/// The capture's options with those of the command line behind them, for the current device.
CompileOptions options_for(const CompileOptions& captured, const CompileOptions& given);

/// Sets the variables of the environment that decided about the compile, where this process has others unset.
void use_environment(const Capture& capture);

/// Compiles or loads the code, and gives its variables the content that they had.
Module load_capture(const Capture& capture, const CompileOptions& given);

/// By the symbol, or, where the source was edited since, by the name; `given` is another kernel's name, or empty.
Function function_of(const Module& module, const Capture& capture, const std::string& given);

/// What the program's launch left in the memories that the kernel may write; none where that ended in a fault.
/// Files of --expect replace them.
std::vector<Expected> captured_results(const Capture& capture, const KernelCall& call);

/// Throws ArgumentError for what the command line says beside a capture and cannot.
void refuse_arguments(const RunArguments& arguments);

}  // namespace kiln::tool
