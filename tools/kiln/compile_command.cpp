#include "base/files.hpp"
#include "commands.hpp"
#include "compile/code_sections.hpp"
#include "compile/compiler.hpp"
#include "kernel_summary.hpp"
#include "output_file.hpp"

#include <kiln/device.hpp>
#include <kiln/error.hpp>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace kiln::tool {

namespace {

std::string read_standard_input() {
  std::string text;
  char buffer[65536];
  while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, stdin)) text.append(buffer, size);
  if (std::ferror(stdin)) throw Error("cannot read standard input: " + std::generic_category().message(errno));
  return text;
}

std::string read_source(const std::string& file) { return file == "-" ? read_standard_input() : read_named_file(file); }

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

int compile_command(CompileRequest request) {
  const std::string source = read_source(request.file);
  if (request.file != "-") request.options.name = request.file;
  // A program that loads its kernels asks the device that it finds; so does this one.
  std::string device_arch;
  if (request.options.arch.empty() && Device::count() > 0) device_arch = Device::current().arch();

  const auto start = std::chrono::steady_clock::now();
  const CodeObject code = compile_for(source, request.options, {device_arch});
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
