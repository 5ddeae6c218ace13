// The file that a command is about, and compiling it.
#pragma once

#include <kiln/code_object.hpp>
#include <kiln/compile_options.hpp>

#include <string>
#include <string_view>

namespace kiln::tool {

/// The whole of it; "-" is standard input. Throws Error.
std::string read_input(const std::string& file);
/// The same of a file that is to be compiled. Throws ArgumentError where it is compiled code by its first bytes or its
/// ending.
std::string read_source(const std::string& file);
/// By its ending: .cubin, .fatbin, .ltoir or .ptx.
bool names_code(const std::string& file);
/// Throws ArgumentError for LTO-IR, which no command loads.
void refuse_link_time_code(std::string_view bytes, const std::string& file);
/// For messages: the file, or "standard input".
std::string input_name(const std::string& file);
/// By its ending: .cu, .ll or .bc.
bool names_source(const std::string& file);

/// Whether the code is for this machine's device, as no option names an architecture.
bool depends_on_device(const CompileOptions& options);

/// Says on standard error that the device in use is Kiln's emulator, where it is.
void tell_of_emulator();

/// What takes devices away from this process: "CUDA_VISIBLE_DEVICES is "7""; empty for nothing.
std::string hidden_devices();

/// Says on standard error which architecture was chosen, where such a variable left no device to choose it by.
void tell_of_hidden_devices(const CompileOptions& options, const CodeObject& code);

/// Compiles as a program on this machine does: without an arch for the device that is there. The file's name becomes
/// the source's, and decides its language. Throws as compile() does.
CodeObject compile_file(std::string_view source, const std::string& file, CompileOptions options);

/// Says on standard error that there is no kernel in the code of a CUDA C++ source, unless other code is to be linked
/// with it, and what the source lacks.
void tell_of_no_kernels(std::string_view source, const std::string& file, const CodeObject& code);

/// Says on standard error which options changed nothing, as they are for ptxas, which made none of the code.
void tell_of_unused_options(const CompileOptions& options, const std::string& output, const CodeObject& code);

/// Writes the compiler's log, if it says anything, to standard error. What a compile of this process logged when it ran
/// is not said twice.
void print_log(const CodeObject& code);

}  // namespace kiln::tool
