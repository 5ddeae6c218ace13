#include "source_file.hpp"

#include "base/argument_error.hpp"
#include "base/environment.hpp"
#include "base/files.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"
#include "compile/code/text_input.hpp"
#include "compile/compiler.hpp"
#include "compile/compiler/error_advice.hpp"
#include "compile/compiler/inform.hpp"
#include "compile/compiler/odd_character.hpp"
#include "compile/nvjitlink/link_input.hpp"
#include "compile/options/known_options.hpp"
#include "compile/options/option_list.hpp"
#include "compile/options/target_name.hpp"
#include "output_file.hpp"
#include "split_value.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/emulator_library.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/names/kernels_in_source.hpp"

#include <kiln/device.hpp>
#include <kiln/error.hpp>

#include <elf.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
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

/// Relocatable code, which keeps device functions.
bool is_for_linking(const CodeObject& code) {
  const std::string_view bytes = code.bytes();
  constexpr std::size_t file_type = offsetof(Elf64_Ehdr, e_type);
  if (code.target() == Target::cubin) return bytes.size() > file_type && bytes[file_type] == ET_REL;
  if (code.target() == Target::ptx) return bytes.find(".func") != std::string_view::npos;
  const auto& options = code.effective_options();
  return std::any_of(options.begin(), options.end(), [](const std::string& option) {
    return option.find("rdc=true") != std::string::npos ||
           option.find("relocatable-device-code=true") != std::string::npos || option == "-dc";
  });
}

[[noreturn]] void refuse_code(const std::string& what) { throw_argument_error(what, "a source", "compiled code"); }

}  // namespace

std::string read_input(const std::string& file) {
  if (file == "-") return read_standard_input();
  refuse_split_value(file);
  return read_named_file(file);
}

std::string read_source(const std::string& file) {
  std::string bytes = read_input(file);
  refuse_link_time_code(bytes, file);
  const CodeKind kind = code_kind(std::string_view(bytes).substr(0, 4));  // a source may quote PTX
  if (kind != CodeKind::unknown || kind_of_text(bytes) == TextKind::ptx)
    refuse_code(input_name(file) + " is compiled code, and a source is needed; kiln inspect and kiln run take it");
  if (names_code(file))
    refuse_code(file + " is compiled code by its name, and holds none; a source is needed, whose name ends in .cu");
  if (language_of(file) == Language::cuda && bytes.find('\0') != std::string::npos)
    throw_argument_error(zero_byte_text("the source \"" + input_name(file) + '"', bytes), "a text", "a zero byte");
  return bytes;
}

void refuse_link_time_code(std::string_view bytes, const std::string& file) {
  if (ltoir_header(bytes))
    refuse_code(input_name(file) + " is LTO-IR, which a program links (kiln::link): no command compiles or loads it");
}

std::string input_name(const std::string& file) { return file == "-" ? "standard input" : file; }

bool names_source(const std::string& file) {
  const std::filesystem::path extension = std::filesystem::path(file).extension();
  return extension == ".cu" || extension == ".ll" || extension == ".bc";
}

bool names_code(const std::string& file) {
  const std::filesystem::path extension = std::filesystem::path(file).extension();
  return extension == ".cubin" || extension == ".fatbin" || extension == ".ltoir" || extension == ".ptx";
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

bool depends_on_device(const CompileOptions& options) {
  if (!is_for_device(options) || !options.nvcc.code.empty()) return false;
  const OptionList list = kiln::read_options(options.options, working_folder());
  return (list.arch.empty() || is_native(list.arch)) && list.code.empty() && list.listed_archs.empty();
}

void tell_of_hidden_devices(const CompileOptions& options, const CodeObject& code) {
  const std::string why = hidden_devices();
  if (why.empty() || !depends_on_device(options) || Device::count() > 0) return;
  say("kiln: no device is visible (" + why + "), so the code is for " + code.arch() + "; --arch names another\n");
}

void tell_of_no_kernels(std::string_view source, const std::string& file, const CodeObject& code) {
  if (language_of(file) != Language::cuda) return;
  const bool is_listed = facts_of(code.target()).is_loadable;
  if (!is_listed || is_for_linking(code) || !code.kernels().empty()) return;
  std::string why = "a kernel is a function with __global__ before its type";
  if (source.find_first_not_of(" \t\r\n") == std::string_view::npos) why = "the source is empty";
  for (const SourceKernel& kernel : kernels_in_source(source)) {
    if (!kernel.is_template) continue;
    why = kernel.name + " is a template, of which --name-expression names an instance, such as \"" +
          example_instance(kernel) + '"';
    break;
  }
  say("kiln: the code has no kernels: " + why + "\n");
}

void tell_of_unused_options(const CompileOptions& options, const std::string& output, const CodeObject& code) {
  if (code.target() == Target::cubin || code.target() == Target::fatbin) return;
  std::string unused;
  for (std::size_t at = 0; at < options.options.size();) {
    const ReadOption option = read_option(options.options, at);
    at += option.words;
    if (is_option(option, "--ptxas-options") || is_option(option, "--maxrregcount") ||
        is_option(option, "--resource-usage"))
      unused += (unused.empty() ? "" : ", ") + option.text;
  }
  if (unused.empty()) return;
  say("kiln: " + unused + ": for ptxas, which makes machine code, and " + output + " is " + target_name(code.target()) +
      ": nothing was changed by it; --arch sm_90 with target cubin makes machine code\n");
}

CodeObject compile_file(std::string_view source, const std::string& file, CompileOptions options) {
  if (file != "-") options.name = file;
  options.language = language_of(file);
  // A program that loads its kernels asks the device that it finds; so does this one.
  std::string device_arch;
  if (depends_on_device(options) && Device::count() > 0) device_arch = Device::current().arch();
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
    if (const std::string advice = advice_for_words(line); !advice.empty()) text.append(advice).append("\n");
  }
  if (text.find_first_not_of('\n') != std::string::npos) say(text);
}

}  // namespace kiln::tool
