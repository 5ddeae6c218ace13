#include "source_file.hpp"

#include "base/environment.hpp"
#include "base/files.hpp"
#include "base/text_parts.hpp"
#include "compile/compiler.hpp"
#include "compile/nvrtc/host_likeness.hpp"
#include "compile/options/source_language.hpp"
#include "output_file.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/emulator_library.hpp"

#include <kiln/device.hpp>
#include <kiln/error.hpp>

#include <cerrno>
#include <cstdio>
#include <filesystem>
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

}  // namespace

std::string read_input(const std::string& file) { return file == "-" ? read_standard_input() : read_named_file(file); }

std::string input_name(const std::string& file) { return file == "-" ? "standard input" : file; }

bool names_source(const std::string& file) {
  const std::filesystem::path extension = std::filesystem::path(file).extension();
  return extension == ".cu" || extension == ".ll" || extension == ".bc";
}

void tell_of_emulator() {
  const Driver* const driver = Driver::if_open();
  if (driver != nullptr && is_emulator(driver->path))
    say("kiln: the device is Kiln's PTX emulator, as KILN_DRIVER asks for, and no GPU\n");
}

std::string hidden_devices() {
  std::string text;
  for (const char* const variable : {"CUDA_VISIBLE_DEVICES", "KILN_EMULATOR_DEVICES"})
    if (environment_has(variable))
      text += (text.empty() ? "" : ", ") + std::string(variable) + " is \"" + environment(variable).value_or("") + "\"";
  return text;
}

void tell_of_hidden_devices(const CompileOptions& options, const CodeObject& code) {
  const std::string why = hidden_devices();
  if (why.empty() || !is_for_device(options) || Device::count() > 0) return;
  say("kiln: no device is visible (" + why + "), so the code is for " + code.arch() + "; --arch names another\n");
}

CodeObject compile_file(std::string_view source, const std::string& file, CompileOptions options) {
  if (file != "-") options.name = file;
  options.language = language_of(file);
  // A program that loads its kernels asks the device that it finds; so does this one.
  std::string device_arch;
  if (is_for_device(options) && Device::count() > 0) device_arch = Device::current().arch();
  tell_of_emulator();
  CodeObject code = compile_for(source, options, context_for_device(device_arch));
  tell_of_hidden_devices(options, code);
  return code;
}

void print_log(const CodeObject& code) {
  std::string text;
  for (std::string_view rest = code.log(); !rest.empty();) {
    const std::string_view line = next_line(rest);
    if (code.from_cache() || !is_warning_of_difference(line)) text.append(line).append("\n");
  }
  if (text.find_first_not_of('\n') != std::string::npos) say(text);
}

}  // namespace kiln::tool
