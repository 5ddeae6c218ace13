// kiln tune: the fastest values of a kernel's parameters, without a host program.
#include "base/argument_error.hpp"
#include "commands.hpp"
#include "expectation.hpp"
#include "output_file.hpp"
#include "problem_text.hpp"
#include "progress.hpp"
#include "run_device.hpp"
#include "toolkit/driver/emulator_library.hpp"
#include "tune_report.hpp"
#include "vector_file.hpp"

#include <kiln/device.hpp>
#include <kiln/error.hpp>
#include <kiln/tune.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include <sys/wait.h>
#include <unistd.h>

namespace kiln::tool {

namespace {

std::optional<long long> read_integer(const std::string& text) {
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Integers where all are, booleans where all are, else texts: restrictions can reckon with the first two.
std::vector<TuneValue> read_values(const std::vector<std::string>& texts) {
  const auto is_boolean = [](const std::string& text) { return text == "true" || text == "false"; };
  const auto is_integer = [](const std::string& text) { return read_integer(text).has_value(); };
  std::vector<TuneValue> values;
  const bool are_booleans = std::all_of(texts.begin(), texts.end(), is_boolean);
  const bool are_integers = std::all_of(texts.begin(), texts.end(), is_integer);
  for (const std::string& text : texts) {
    if (are_booleans)
      values.emplace_back(text == "true");
    else if (are_integers)
      values.emplace_back(*read_integer(text));
    else
      values.emplace_back(text);
  }
  return values;
}

/// "BLOCK=128" of --default, as a value of that parameter.
std::pair<std::string, TuneValue> read_default(const std::string& text, const TuningArguments& arguments) {
  const std::size_t end = text.find('=');
  const std::string name = text.substr(0, end), given = text.substr(end + 1);
  for (const TuningParameter& parameter : arguments.parameters) {
    if (parameter.name != name) continue;
    const auto found = std::find(parameter.values.begin(), parameter.values.end(), given);
    if (found == parameter.values.end())
      refuse("--default: " + name, "one of the values of --param " + name, '"' + given + '"');
    if (parameter.is_option) return {name, given};
    return {name, read_values(parameter.values)[static_cast<std::size_t>(found - parameter.values.begin())]};
  }
  refuse("--default", "the name of a --param", '"' + name + '"');
}

using SizeSetter = TunableKernel& (TunableKernel::*)(std::string_view, std::string_view, std::string_view);

void set_sizes(TunableKernel& kernel, SizeSetter setter, const std::vector<std::string>& sizes) {
  if (sizes.empty()) return;
  (kernel.*setter)(sizes[0], sizes.size() > 1 ? sizes[1] : "1", sizes.size() > 2 ? sizes[2] : "1");
}

TunableKernel make_kernel(const TuningArguments& arguments) {
  const RunArguments& run = arguments.run;
  TunableKernel kernel = TunableKernel::from_file(run.file, run.kernel, run.options);
  for (const TuningParameter& parameter : arguments.parameters) {
    if (parameter.is_option)
      kernel.tune_option(parameter.name, parameter.values);
    else
      kernel.tune(parameter.name, read_values(parameter.values));
  }
  for (const std::string& restriction : arguments.restrictions) kernel.restriction(restriction);
  set_sizes(kernel, &TunableKernel::block_size, arguments.block);
  set_sizes(kernel, &TunableKernel::grid_size, arguments.grid);
  if (!arguments.shared.empty()) kernel.shared_memory(arguments.shared);
  if (!arguments.key.empty()) kernel.tuning_key(arguments.key);
  TuneConfiguration defaults;
  for (const std::string& text : arguments.defaults) defaults.push_back(read_default(text, arguments));
  if (!defaults.empty()) kernel.default_configuration(std::move(defaults));
  return kernel;
}

/// Whether the outputs are what --expect says.
bool is_expected(KernelCall& call, const std::vector<Expected>& expected, double tolerance) {
  call.fetch();
  return std::all_of(expected.begin(), expected.end(), [&](const Expected& each) {
    return compare(call.vectors()[each.place].array, each.array, static_cast<long double>(tolerance)).matches();
  });
}

std::string progress_text(const TuneProgress& progress) {
  std::string text;
  for (const auto& [name, value] : progress.last.configuration) text += name + "=" + value.text() + " ";
  if (progress.last.status != TuneStatus::ok) return text + to_string(progress.last.status);
  return text + std::to_string(progress.last.seconds * 1e6) + " us";
}

std::vector<RunArgument> read_kernel_arguments(const RunArguments& arguments) {
  std::vector<RunArgument> read;
  for (const std::string& text : arguments.arguments) read.push_back(read_run_argument(read.size(), text));
  return read;
}

constexpr int lost_device = 75;  // the exit status of a child alone

/// Ends the process where a candidate left nothing that destructors could do.
TuneResult tune_or_end(const TunableKernel& kernel, const ProblemSize& problem, KernelCall& call,
                       const TuneOptions& options, bool is_child) try {
  return tune(kernel, problem, call.tune_arguments(), options);
} catch (const DeviceLostError& error) {
  std::fprintf(stderr, "kiln: %s\n", error.what());
  std::_Exit(is_child ? lost_device : failed);
}

int tune_here(const TuningArguments& arguments) {
  const RunArguments& run = arguments.run;
  const std::vector<RunArgument> texts = read_kernel_arguments(run);
  std::vector<Expected> expected = read_expected(run.expect);
  open_device(run.emulator, run.checks);
  const TunableKernel kernel = make_kernel(arguments);
  TuneReport report;
  report.problem = problem_of(arguments.problem);
  KernelCall call(kernel.function(report.problem), texts, run.seed, false);
  place_expected(call, expected);

  TuneOptions options = arguments.options;
  options.seed = run.seed;
  options.tolerance = run.tolerance;
  options.keep_wisdom = arguments.keeps_wisdom;
  if (!expected.empty()) options.reference = [&] { return is_expected(call, expected, run.tolerance); };
  {
    const Progress progress;
    options.progress = [&](const TuneProgress& step) { progress.step(step.done, step.total, progress_text(step)); };
    report.result = tune_or_end(kernel, report.problem, call, options, arguments.isolated);
  }
  report.file = run.file;
  report.kernel = run.kernel;
  report.device = Device::current().name();
  report.is_emulator = emulator_in_use();
  std::string text = run.json ? tune_json(report) : tune_text(report);
  if (arguments.plot && !run.json) text += tune_plot(report.result);
  write_output("-", text);
  return report.result.best ? success : failed;
}

std::string errno_text() { return std::generic_category().message(errno); }

/// How much the log file has: what a process that ended left behind.
std::uintmax_t size_of(const std::filesystem::path& file) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(file, none);
  return none ? 0 : size;
}

/// The child's exit status; none where it was killed.
std::optional<int> wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw Error("the process that tunes cannot be waited for: " + errno_text());
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return std::nullopt;
}

/// Each child goes on where the log file of the one before ends, until one gets to the end.
int tune_isolated(const TuningArguments& arguments) {
  const std::filesystem::path& log = arguments.options.log_file;
  if (log.empty()) refuse("--isolate", "--log FILE, from which the next process goes on", "no --log");
  while (true) {
    const std::uintmax_t before = size_of(log);
    const pid_t child = ::fork();  // there is no other thread yet, and no driver
    if (child < 0) throw Error("no process can be started: " + errno_text());
    if (child == 0) return tune_here(arguments);
    const std::optional<int> status = wait_for(child);
    if (status && *status != lost_device) return *status;
    if (size_of(log) == before)
      throw Error("the process that tunes ended before it could tell which candidate ended it");
    std::fprintf(stderr, "kiln: a candidate ended the process that tunes; the others go on in a new one\n");
  }
}

}  // namespace

int tune_command(const TuningArguments& arguments) {
  return arguments.isolated ? tune_isolated(arguments) : tune_here(arguments);
}

}  // namespace kiln::tool
