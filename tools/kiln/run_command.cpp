// kiln run: a kernel launched without a host program.
#include "base/argument_error.hpp"
#include "base/environment.hpp"
#include "commands.hpp"
#include "output_file.hpp"
#include "run_report.hpp"
#include "source_file.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/emulator_library.hpp"
#include "toolkit/image/code_info.hpp"

#include <kiln/device.hpp>
#include <kiln/driver.hpp>
#include <kiln/error.hpp>
#include <kiln/source_module.hpp>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace kiln::tool {

namespace {

/// Opens the driver; the emulator is told what to look for before that.
void open_device(const RunArguments& arguments) {
  const bool is_named = is_emulator(environment("KILN_DRIVER").value_or(""));
  if (arguments.emulator && !is_named) use_driver(emulator_name);
  if (!arguments.checks.empty()) ::setenv("KILN_EMULATOR_CHECK", arguments.checks.c_str(), 1);
  std::string fault;
  try {
    (void)Driver::get();
    if (Device::count() == 0) fault = "there is no device";
  } catch (const ToolkitError& error) {
    throw ToolkitError(std::string(error.what()) + "\n\"kiln run --emulator\" runs it on the CPU", error.searched());
  } catch (const DriverError& error) {
    if (error.result() != CUDA_ERROR_NO_DEVICE) throw;
    fault = error.what();
  }
  if (!fault.empty()) throw ToolkitError(fault + "; \"kiln run --emulator\" runs it on the CPU", {});
  if (!arguments.checks.empty() && !emulator_in_use())
    throw_argument_error("--check is what the emulator does, and a GPU does not: add --emulator", "--emulator",
                         "--check " + arguments.checks);
  if (!arguments.emulator) tell_of_emulator();
}

bool names_source(const std::string& file) {
  const std::filesystem::path extension = std::filesystem::path(file).extension();
  return extension == ".cu" || extension == ".ll" || extension == ".bc";
}

void refuse_compile_options(const CompileOptions& options) {
  if (options.include_dirs.empty() && options.defines.empty() && options.late_defines.empty() &&
      options.options.empty() && options.arch.empty())
    return;
  throw_argument_error("-I, -D, --late-define, --option and --arch are for a source, and the file is compiled code",
                       "no such option", "compiled code");
}

Module load_module(const RunArguments& arguments) {
  if (names_source(arguments.file)) return SourceModule::from_file(arguments.file, arguments.options);
  const std::string bytes = read_input(arguments.file);
  CompileOptions options = arguments.options;
  if (code_kind(bytes) != CodeKind::unknown) {
    refuse_compile_options(options);
    return Module::from_bytes(bytes);
  }
  if (arguments.file != "-") options.name = arguments.file;
  return SourceModule(bytes, options);
}

/// "2=y.npy", or a path alone.
struct VectorFile {
  std::optional<std::size_t> index;
  std::string path;
};

VectorFile read_vector_file(const std::string& text) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || digits == text.size() || text[digits] != '=') return {std::nullopt, text};
  return {index, text.substr(digits + 1)};
}

std::string list_vectors(const KernelCall& call, bool only_outputs) {
  std::string list;
  for (const CallVector& vector : call.vectors())
    if (vector.is_output || !only_outputs) list += (list.empty() ? "" : ", ") + std::to_string(vector.index);
  return list.empty() ? "none" : list;
}

/// The place in vectors() of what an option names. Throws ArgumentError with those that there are.
std::size_t vector_place(const KernelCall& call, const std::string& option, const std::optional<std::size_t>& index) {
  std::optional<std::size_t> found;
  bool is_several = false;
  for (std::size_t i = 0; i < call.vectors().size(); ++i) {
    const CallVector& vector = call.vectors()[i];
    if (index ? vector.index != *index : !vector.is_output) continue;
    is_several = found.has_value();
    found = i;
  }
  if (found && !is_several) return *found;
  if (index)
    throw_argument_error(option + ": argument " + std::to_string(*index) +
                             " (counted from 0) is no vector; vectors are " + list_vectors(call, false),
                         list_vectors(call, false), std::to_string(*index));
  throw_argument_error(option + ": the outputs are " + list_vectors(call, true) +
                           ", and not one alone: write the argument's position before the file, such as 0=x.npy",
                       "one output", list_vectors(call, true));
}

/// A file to compare with, and the vector.
struct Expected {
  std::string path;
  Array array;
  std::optional<std::size_t> index;
  std::size_t place = 0;
};

std::vector<Expected> read_expected(const RunArguments& arguments) {
  std::vector<Expected> expected;
  for (const std::string& text : arguments.expect) {
    const VectorFile file = read_vector_file(text);
    expected.push_back({file.path, read_npy_file(file.path), file.index, 0});
  }
  return expected;
}

void place_expected(const KernelCall& call, std::vector<Expected>& expected) {
  for (Expected& each : expected) {
    each.place = vector_place(call, "--expect " + each.path, each.index);
    const Array& array = call.vectors()[each.place].array;
    if (array.shape != each.array.shape)
      throw_argument_error("--expect " + each.path + ": the file has " +
                               array_type_text(*each.array.type, each.array.shape) + ", the argument is " +
                               array_type_text(*array.type, array.shape),
                           array_type_text(*array.type, array.shape), each.path);
  }
}

/// What goes into which file, by the place of the vector.
using Saved = std::vector<std::pair<std::size_t, std::string>>;

Saved place_saved(const KernelCall& call, const RunArguments& arguments) {
  Saved saved;
  for (const std::string& text : arguments.save) {
    const VectorFile file = read_vector_file(text);
    saved.emplace_back(vector_place(call, "--save " + text, file.index), file.path);
  }
  return saved;
}

std::vector<bool> place_printed(const KernelCall& call, const RunArguments& arguments) {
  std::vector<bool> is_printed(call.vectors().size());
  for (const std::size_t index : arguments.print)
    is_printed[vector_place(call, "--print " + std::to_string(index), index)] = true;
  return is_printed;
}

void launch_and_measure(KernelCall& call, const RunArguments& arguments, RunReport& report) {
  report.config.grid = arguments.grid;
  report.config.block = arguments.block;
  report.config.shared_size = arguments.shared_size;
  report.bytes_of_launch = arguments.bytes;
  report.flops_of_launch = arguments.flops;
  if (arguments.bench) report.benchmark = call.benchmark(report.config);
  if (arguments.time)
    report.seconds = call.run_timed(report.config);
  else
    call.run(report.config);
}

std::vector<Comparison> compare_all(const KernelCall& call, const std::vector<Expected>& expected,
                                    long double tolerance) {
  std::vector<Comparison> comparisons;
  for (const Expected& each : expected) {
    const CallVector& vector = call.vectors()[each.place];
    Comparison comparison = compare(vector.array, each.array, tolerance);
    comparison.argument = vector.index;
    comparison.file = each.path;
    comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

std::vector<RunArgument> read_run_arguments(const RunArguments& arguments) {
  std::vector<RunArgument> read;
  for (const std::string& text : arguments.arguments) read.push_back(read_run_argument(read.size(), text));
  return read;
}

}  // namespace

int run_command(const RunArguments& arguments) {
  const std::vector<RunArgument> texts = read_run_arguments(arguments);
  std::vector<Expected> expected = read_expected(arguments);
  open_device(arguments);
  const Module module = load_module(arguments);
  if (!module.code().log().empty()) std::fprintf(stderr, "%s\n", module.code().log().c_str());
  const Function function = module.get_function(arguments.kernel);
  const bool finds_unset = arguments.checks.find("init") != std::string::npos;
  KernelCall call(function, texts, arguments.seed, finds_unset);

  RunReport report;
  report.is_printed = place_printed(call, arguments);
  const Saved saved = place_saved(call, arguments);
  place_expected(call, expected);
  launch_and_measure(call, arguments, report);

  report.comparisons = compare_all(call, expected, static_cast<long double>(arguments.tolerance));
  for (const auto& [place, path] : saved) write_output(path, write_npy(call.vectors()[place].array));
  report.file = arguments.file == "-" ? "standard input" : arguments.file;
  report.kernel = call.kernel_name();
  report.device = Device::current().name();
  report.is_emulator = emulator_in_use();
  report.vectors = &call.vectors();
  write_output("-", arguments.json ? run_json(report) : run_text(report));
  return report.passes() ? success : failed;
}

}  // namespace kiln::tool
