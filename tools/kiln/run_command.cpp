// kiln run: a kernel launched without a host program.
#include "base/argument_error.hpp"
#include "base/environment.hpp"
#include "capture_call.hpp"
#include "commands.hpp"
#include "kernel_call.hpp"
#include "memory/asynchronous_error.hpp"
#include "module/load.hpp"
#include "output_file.hpp"
#include "run_report.hpp"
#include "source_file.hpp"
#include "toolkit/driver/emulator_library.hpp"
#include "toolkit/image/code_info.hpp"
#include "vector_file.hpp"

#include <kiln/device.hpp>
#include <kiln/error.hpp>
#include <kiln/source_module.hpp>

namespace kiln::tool {

namespace {

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
  refuse_link_time_code(bytes, arguments.file);
  if (code_kind(bytes) != CodeKind::unknown || names_code(arguments.file)) {
    refuse_compile_options(options);
    return module_of_file(bytes, input_name(arguments.file));
  }
  if (arguments.file != "-") options.name = arguments.file;
  return SourceModule(bytes, options);
}

/// What goes into which file, by the place of the vector.
using Saved = std::vector<std::pair<std::size_t, std::string>>;

Saved place_saved(const KernelCall& call, const RunArguments& arguments) {
  Saved saved;
  for (const std::string& text : arguments.save) {
    const VectorFile file = read_vector_file(text);
    require_folder_of("--save", file.path);
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
  if (arguments.grid) report.config.grid = *arguments.grid;
  if (arguments.block) report.config.block = *arguments.block;
  if (arguments.shared_size) report.config.shared_size = *arguments.shared_size;
  report.bytes_of_launch = arguments.bytes;
  report.flops_of_launch = arguments.flops;
  if (arguments.bench) report.benchmark = call.benchmark(report.config);
  if (arguments.time)
    report.seconds = call.run_timed(report.config);
  else
    call.run(report.config);
}

/// What a kernel did wrong is in the emulator's report, which stands on standard error already: the error says no more
/// than that it is there.
[[noreturn]] void throw_below_report(const DriverError& error, const std::string& kernel) {
  const bool is_reported =
      emulator_in_use() && !asynchronous_hint(error.result()).empty() && environment("KILN_LOG").value_or("") != "off";
  if (!is_reported) throw;
  throw Error("the kernel " + kernel + " failed (" + error.result_name() + "): the emulator's report above says where");
}

std::vector<Comparison> compare_all(const KernelCall& call, const std::vector<Expected>& expected,
                                    long double tolerance) {
  std::vector<Comparison> comparisons;
  for (const Expected& each : expected) {
    const CallVector& vector = call.vectors()[each.place];
    Comparison comparison = compare(vector.array, each.array, tolerance);
    comparison.argument = vector.index;
    comparison.file = each.path;
    comparison.is_captured = each.is_captured;
    comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

std::vector<RunArgument> read_run_arguments(const RunArguments& arguments) {
  std::vector<RunArgument> read;
  for (const std::string& text : arguments.arguments) read.push_back(read_run_argument(read.size(), text));
  return read;
}

/// The launch of a capture, without what the command line says of it.
LaunchConfig captured_config(const Capture& capture) {
  LaunchConfig config{capture.grid, capture.block, capture.shared_size};
  config.attributes = capture.attributes;
  return config;
}

int run(const RunArguments& arguments, const std::optional<Capture>& capture) {
  const std::vector<RunArgument> texts = capture ? capture->arguments : read_run_arguments(arguments);
  std::vector<Expected> expected = read_expected(arguments.expect);
  open_device(arguments);
  const Module module = capture ? load_capture(*capture, arguments.options) : load_module(arguments);
  print_log(module.code());
  const Function function =
      capture ? function_of(module, *capture, arguments.kernel) : module.get_function(arguments.kernel);
  KernelCall call(function, texts, arguments.seed, capture ? capture->arrays() : std::vector<Array>());

  RunReport report;
  report.is_printed = place_printed(call, arguments);
  const Saved saved = place_saved(call, arguments);
  place_expected(call, expected);
  if (capture) {
    report.config = captured_config(*capture);
    if (expected.empty()) expected = captured_results(*capture, call);
  }
  try {
    launch_and_measure(call, arguments, report);
  } catch (const DriverError& error) {
    throw_below_report(error, call.kernel_name());
  }

  report.comparisons = compare_all(call, expected, static_cast<long double>(arguments.tolerance));
  for (const auto& [place, path] : saved) write_output(path, write_npy(call.vectors()[place].array));
  report.file = input_name(arguments.file);
  report.kernel = call.kernel_name();
  report.device = Device::current().name();
  report.is_emulator = emulator_in_use();
  report.vectors = &call.vectors();
  if (arguments.json)
    print_json(run_json(report));
  else
    print(run_text(report));
  return report.passes() ? success : failed;
}

}  // namespace

int run_command(const RunArguments& arguments) {
  if (!is_capture(arguments.file)) return run(arguments, std::nullopt);
  refuse_arguments(arguments);
  const Capture capture = read_capture(arguments.file);
  if (!capture.fault.empty() && arguments.expect.empty())
    say("kiln: there is no result to compare with, as the program's launch failed: " + capture.fault + "\n");
  if (!capture.request) refuse_compile_options(arguments.options);
  use_environment(capture);
  return run(arguments, capture);
}

}  // namespace kiln::tool
