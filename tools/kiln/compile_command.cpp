#include "commands.hpp"
#include "compile/options/target_name.hpp"
#include "kernel_summary.hpp"
#include "output_file.hpp"
#include "source_file.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>

namespace kiln::tool {

namespace {

std::string default_output(const std::string& file, Target target) {
  const std::string stem = file == "-" ? "kernel" : std::filesystem::path(file).stem().string();
  return stem + "." + target_name(target);
}

/// Tenths of a millisecond, written without the locale's decimal sign.
std::string milliseconds(std::chrono::steady_clock::duration time) {
  const auto tenths = std::chrono::duration_cast<std::chrono::microseconds>(time).count() / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " ms";
}

}  // namespace

int compile_command(const CompileRequest& request) {
  const std::string source = read_input(request.file);
  const auto start = std::chrono::steady_clock::now();
  const CodeObject code = compile_file(source, request.file, request.options);
  const auto time = std::chrono::steady_clock::now() - start;

  if (!code.log().empty()) std::fprintf(stderr, "%s\n", code.log().c_str());
  const std::string output = request.output.empty() ? default_output(request.file, code.target()) : request.output;
  write_output(output, code.bytes());
  std::string summary = (output == "-" ? "standard output" : output) + ": " +
                        (code.from_cache() ? "from the cache" : "compiled") + " for " + code.arch() + " in " +
                        milliseconds(time) + ", " + std::to_string(code.bytes().size()) + " bytes";
  const std::string kernels = kernel_summary(code);
  if (!kernels.empty()) summary += "; " + kernels;
  std::fprintf(stderr, "%s\n", summary.c_str());
  return success;
}

}  // namespace kiln::tool
