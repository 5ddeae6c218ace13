#include "commands.hpp"
#include "compile/compiler.hpp"
#include "compile/options/target_name.hpp"
#include "compile/request/request.hpp"
#include "figures.hpp"
#include "output_file.hpp"
#include "source_file.hpp"
#include "timing_table.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace kiln::tool {

namespace {

std::string default_output(const std::string& file, Target target) {
  const std::string stem = file == "-" ? "kernel" : std::filesystem::path(file).stem().string();
  return stem + "." + target_name(target);
}

/// "scale(float*, int): 12 registers, 0 bytes shared; ...". Empty for code that lists no kernels.
std::string kernel_summary(const CodeObject& code) {
  std::string summary;
  for (const KernelInfo& kernel : code.kernels()) {
    if (!summary.empty()) summary += "; ";
    summary += kernel.readable_name;
    const char* separator = ": ";
    const auto add = [&](int amount, const char* unit) {
      if (amount < 0) return;
      summary += separator + std::to_string(amount) + unit;
      separator = ", ";
    };
    add(kernel.registers, " registers");
    add(kernel.shared_bytes, " bytes shared");
    if (kernel.local_bytes > 0) add(kernel.local_bytes, " bytes local");
  }
  return summary;
}

/// A name that says another target than what the file holds, as with nvcc, where -o a.ptx needs -ptx.
void tell_of_other_ending(const std::string& output, const CodeObject& code, const CompileOptions& options) {
  std::string ending = std::filesystem::path(output).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  if (ending.empty()) return;
  const std::optional<Target> said = target_of(ending.substr(1));
  if (!said || *said == code.target()) return;
  const bool was_asked = *said == options.target;  // the emulator takes PTX instead
  say("kiln: " + output + " is " + target_name(code.target()) + ", whatever its name says: " +
      (was_asked ? "--arch sm_90 makes code for a GPU, and not for the emulator"
                 : "--target " + target_name(*said) + " makes what it is called") +
      "\n");
}

}  // namespace

int compile_command(const CompileArguments& arguments) {
  const std::string& file = arguments.files.front();
  const std::string source = read_source(file);
  const auto start = std::chrono::steady_clock::now();
  const CodeObject code = compile_file(source, file, arguments.options);
  const std::chrono::steady_clock::duration time =
      arguments.options.timing ? time_in_all(code.timing()) : std::chrono::steady_clock::now() - start;

  print_log(code);
  const std::string output = arguments.output.empty() ? default_output(file, code.target()) : arguments.output;
  write_output(output, code.bytes());
  std::string summary = (output == "-" ? "standard output" : output) + ": " +
                        (code.from_cache() ? "from the cache" : "compiled") +
                        (code.arch().empty() ? "" : " for " + code.arch()) + " in " + milliseconds(time) + " ms, " +
                        std::to_string(code.bytes().size()) + " bytes";
  const std::string kernels = kernel_summary(code);
  if (!kernels.empty()) summary += "; " + kernels;
  say(summary + "\n");
  tell_of_other_ending(output, code, arguments.options);
  tell_of_unused_options(arguments.options, output, code);
  tell_of_no_kernels(source, file, code);
  if (arguments.options.timing) say(timing_table(code));
  return success;
}

int preprocess_command(const PreprocessArguments& arguments) {
  const std::string source = read_source(arguments.file);
  std::vector<std::string> options = arguments.options.options;
  for (const auto& folder : arguments.options.include_dirs) options.push_back("-I" + folder.string());
  for (const Define& define : arguments.options.defines) options.push_back("-D" + define.name + "=" + define.value);
  const std::string name = arguments.file == "-" ? default_source_name : arguments.file;
  write_output("-", preprocess_named_source(source, name, options, arguments.options.nvcc.path));
  return success;
}

}  // namespace kiln::tool
