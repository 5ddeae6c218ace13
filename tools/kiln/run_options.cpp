#include "run_options.hpp"

#include "base/text_parts.hpp"
#include "cache/size_text.hpp"
#include "capture/capture_json.hpp"
#include "compile_arguments.hpp"
#include "literal.hpp"
#include "option_checks.hpp"
#include "split_value.hpp"

#include <kiln/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

namespace kiln::tool {

namespace {

/// "4", "4x3" or "4,3,1".
std::optional<Dim3> read_dim3(std::string_view text) {
  std::uint32_t sizes[] = {1, 1, 1};
  for (std::uint32_t& size : sizes) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || size == 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return Dim3(sizes[0], sizes[1], sizes[2]);
    if (text.front() != 'x' && text.front() != ',') return std::nullopt;
    text.remove_prefix(1);
  }
  return std::nullopt;
}

void add_dim3(CLI::App& command, const std::string& name, const std::string& help, std::optional<Dim3>& target) {
  command
      .add_option_function<std::string>(
          name, [&](const std::string& text) { target = *read_dim3(text); }, help)
      ->check([](const std::string& text) {
        return read_dim3(text)
                   ? ""
                   : "\"" + text + "\" is no size: give one to three numbers from 1 on, such as 256 or 16x16";
      });
}

std::optional<double> read_positive(const std::string& text) {
  const std::optional<Literal> literal = read_literal(text);
  double number = 0;
  if (!literal || !convert_literal(*literal, *element_type("double"), &number)) return std::nullopt;
  if (!(number >= 0) || std::isinf(number)) return std::nullopt;
  return number;
}

std::string checks_fault(const std::string& text) {
  const std::vector<std::string> names = split(text, ',');
  const bool are_known = !names.empty() && std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return name == "race" || name == "init" || name == "divergence";
  });
  return are_known ? "" : "\"" + text + "\" names no checks: there are race, init and divergence, with commas between";
}

// Without a value the option takes the next one for its file.
std::string profile_fault(const std::string& text) {
  if (text.empty() || text[0] != '-' || text == "-") return "";
  return "\"" + text + "\" is the next option: a file is needed, such as report.html, or - for a table";
}

/// Whether it is written as an argument of the kernel.
bool is_argument(const std::string& text) {
  const std::string first = text.substr(0, text.find_first_of("[:"));
  const bool is_typed = first != text && (first == "out" || first == "hex" || element_type(first) != nullptr);
  return is_typed || text.starts_with('@') || text == "null" || text == "nullptr" || read_literal(text);
}

/// Without a value the option takes the kernel's argument behind it for its file.
std::string save_fault(const std::string& text) {
  const bool is_option = text.size() > 1 && text[0] == '-';
  if (!is_option && !is_argument(text)) {
    const std::string ending = std::filesystem::path(text).extension();
    if (ending.empty() || ending == ".npy") return "";
    return "\"" + text + "\" is a file ending in " + ending +
           ": values are written as NumPy's .npy alone; give one, such as y.npy, and read it by numpy.load";
  }
  return "\"" + text + "\" is the next " + (is_option ? "option" : "argument of the kernel") +
         ": a file is needed, such as y.npy, or 2=y.npy for argument 2";
}

void add_launch(CLI::App& command, RunArguments& arguments) {
  add_kernel(command, arguments,
             "a source (.cu, .ll, .bc), which is compiled, or a cubin, PTX or fatbin; - is a source from standard "
             "input; or the folder of a capture (KILN_CAPTURE), which has what follows");
  add_dim3(command, "--grid", "how many blocks: 4, or 4x3x2", arguments.grid);
  add_dim3(command, "--block", "how many threads each: 256, or 16x16", arguments.block);
  command
      .add_option_function<std::string>(
          "--shared", [&](const std::string& text) { arguments.shared_size = parse_size(text); },
          "dynamic shared memory of each block, in bytes: 4096, or 48K")
      ->check(size_fault);
}

/// capture.json becomes its folder. A FILE that is missing is an error here, before KERNEL is asked for: it may be a
/// misspelt capture, which needs none.
void settle_file(std::string& file) {
  std::error_code none;
  const std::filesystem::path path = file;
  refuse_split_value(file);
  const std::filesystem::file_type type = std::filesystem::status(path, none).type();
  if (file != "-" && type == std::filesystem::file_type::not_found) throw Error("no such file or folder: " + file);
  if (path.filename() == capture_file && type == std::filesystem::file_type::regular)
    file = path.has_parent_path() ? path.parent_path().string() : ".";
}

void add_results(CLI::App& command, RunArguments& arguments) {
  command.add_option("--print", arguments.print, "all values of the argument of this position, counted from 0")
      ->allow_extra_args(false);
  command.add_option("--save", arguments.save, "write the only output, or with 2=y.npy argument 2, as NumPy's file")
      ->allow_extra_args(false)
      ->check(save_fault);
  add_expectation(command, arguments);
  command.add_flag("--time", arguments.time, "the time of the launch on the device");
  CLI::Option* const bench = command.add_flag("--bench", arguments.bench, "the time of many launches");
  add_number(command, "--bytes", "what a launch moves, for GB/s", arguments.bytes)->needs(bench);
  add_number(command, "--flops", "what a launch computes, for GFLOP/s", arguments.flops)->needs(bench);
  command
      .add_option("--profile", arguments.profile,
                  "what the kernel does, counted by the emulator: report.html, report.json, or - for a table")
      ->check(profile_fault);
  command.add_flag("--json", arguments.json, "all of it as one JSON object");
}

}  // namespace

CLI::Option* add_number(CLI::App& command, const std::string& name, const std::string& help, double& target) {
  return command
      .add_option_function<std::string>(
          name, [&](const std::string& text) { target = *read_positive(text); }, help)
      ->check([](const std::string& text) {
        return read_positive(text) ? "" : "\"" + text + "\" is no number from 0 on, such as 12000 or 1e-5";
      });
}

void add_kernel(CLI::App& command, RunArguments& arguments, const std::string& file_help) {
  command.add_option("FILE", arguments.file, file_help)->required();
  command.add_option("KERNEL", arguments.kernel, "its name, such as scale, or \"scale<float, 4>\"");
  command
      .add_option("ARGUMENT", arguments.arguments,
                  "in the kernel's order: 1000, -1.5f, float[1000]=arange (random, zeros, ones, 7, @x.npy), "
                  "out:float[2x3], @x.npy, half:1.5, hex:00ff, null")
      ->transform([](const std::string& text) { return text.starts_with(" -") ? text.substr(1) : text; });
  command.add_option("--seed", arguments.seed, "for =random; otherwise 0");
  command.add_flag("--emulator", arguments.emulator, "on Kiln's emulator, without a GPU");
  command.add_option("--check", arguments.checks, "what the emulator is to look for: race,init,divergence")
      ->check(checks_fault);
}

void add_expectation(CLI::App& command, RunArguments& arguments) {
  command
      .add_option("--expect", arguments.expect,
                  "compare the only output, or with 2=ref.npy argument 2; exit status 1 where it differs")
      ->allow_extra_args(false);
  add_number(command, "--tolerance", "how far floating numbers may be off, relative and absolute; otherwise 1e-5",
             arguments.tolerance);
}

/// The first argument, where the kernel's name was forgotten.
void refuse_argument_as_kernel(const std::string& kernel) {
  if (!is_argument(kernel)) return;
  const std::string advice = split_value_advice(kernel);
  throw CLI::ValidationError("KERNEL: \"" + kernel + "\" is no name: " +
                             (advice.empty() ? "the kernel's name comes behind FILE, before its arguments" : advice));
}

void require_without_capture(CLI::App& command, RunArguments& arguments, const std::vector<std::string>& options) {
  command.callback([&command, &arguments, options] {
    settle_file(arguments.file);
    std::error_code none;
    if (std::filesystem::is_directory(arguments.file, none)) return;
    if (arguments.kernel.empty()) throw CLI::RequiredError("KERNEL");
    refuse_argument_as_kernel(arguments.kernel);
    for (const std::string& option : options)
      if (command.count(option) == 0) throw CLI::RequiredError(option);
  });
}

void add_run(CLI::App& app, RunArguments& arguments) {
  CLI::App& command = *app.add_subcommand("run", "launch a kernel without a host program, and show what it wrote");
  require_without_capture(command, arguments, {"--grid", "--block"});
  add_launch(command, arguments);
  add_results(command, arguments);
  add_compile_options(command, arguments.options);
  add_arch(command, arguments.options.arch, "what a source is compiled for; otherwise the device");
}

}  // namespace kiln::tool
