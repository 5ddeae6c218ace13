// kiln tune: the fastest values of a kernel's parameters, without a host program.
#include "base/argument_error.hpp"
#include "capture_call.hpp"
#include "commands.hpp"
#include "expectation.hpp"
#include "figures.hpp"
#include "kernel_call.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "source_file.hpp"
#include "toolkit/driver/emulator_library.hpp"
#include "tune_report.hpp"
#include "tuning_kernel.hpp"
#include "vector_file.hpp"

#include <kiln/device.hpp>
#include <kiln/error.hpp>
#include <kiln/kernel_tuner_cache.hpp>
#include <kiln/tune.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln::tool {

namespace {

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
  return text + time_text(progress.last.seconds);
}

std::vector<RunArgument> read_kernel_arguments(const RunArguments& arguments) {
  std::vector<RunArgument> read;
  for (const std::string& text : arguments.arguments) read.push_back(read_run_argument(read.size(), text));
  return read;
}

std::optional<Capture> capture_of(const RunArguments& arguments) {
  if (!is_capture(arguments.file)) return std::nullopt;
  refuse_arguments(arguments);
  Capture capture = read_capture(arguments.file);
  use_environment(capture);
  return capture;
}

/// Where a launch of a tuning run ended with an illegal address, as `message` says. Arrays that are shorter than the
/// problem are the likely cause; else, where the emulator saw an access behind an array's end, the rounded-up grid is.
std::string advice_on_arrays(const std::string& message, const KernelCall& call, const ProblemSize& problem) {
  if (message.find("CUDA_ERROR_ILLEGAL_ADDRESS") == std::string::npos) return {};
  unsigned long long elements = 1;
  for (std::size_t i = 0; i < problem.dimensions(); ++i) elements *= problem[i];
  std::string shorter;
  for (const CallVector& vector : call.vectors())
    if (vector.array.count() < elements)
      shorter += (shorter.empty() ? "argument " : ", argument ") + std::to_string(vector.index) + " has " +
                 std::to_string(vector.array.count()) + " elements";
  const std::string begin = "For --problem " + problem_text(problem);
  if (!shorter.empty())
    return begin + " an array may be too short: " + shorter +
           ". Give each as many as the kernel uses, or a smaller --problem\n";
  if (message.find("past the end of the allocation") == std::string::npos) return {};
  return begin + " the grid may have more threads than elements: for the last block's threads beyond the problem the " +
         "kernel needs a condition (if (i < n))\n";
}

constexpr int lost_device = 75;  // the exit status of a child alone

/// Ends the process where a candidate left nothing that destructors could do.
TuneResult tune_or_end(const TunableKernel& kernel, const ProblemSize& problem, KernelCall& call,
                       const TuneOptions& options, bool is_child) try {
  return tune(kernel, problem, call.tune_arguments(), options);
} catch (const DeviceLostError& error) {
  const std::string message = error.what();
  say("kiln: " + message + "\n" + advice_on_arrays(message, call, problem));
  std::_Exit(is_child ? lost_device : failed);
}

/// Of the default configuration, which is launched first, with what the others are compared.
void tell_of_unwritten(KernelCall& call) {
  call.note_unwritten_at_first();
  for (const CallVector& vector : call.vectors())
    if (vector.never_written)
      say("kiln: the default configuration: argument " + std::to_string(vector.index) + ": " +
          never_written_text(*vector.never_written, vector.array) + "; is --grid or --problem too small?\n");
}

/// The name that a compiler does not know; empty for another error.
std::string undefined_name(const std::string& log) {
  constexpr std::string_view begin = "identifier \"", end = "\" is undefined";
  const std::size_t last = log.find(end), first = log.rfind(begin, last);
  if (last == std::string::npos || first == std::string::npos) return {};
  return log.substr(first + begin.size(), last - first - begin.size());
}

/// The default configuration's function. A name that is undefined may be a parameter that was left out.
Function default_function(const TunableKernel& kernel, const ProblemSize& problem) try {
  return kernel.function(problem);
} catch (const CompileError& error) {
  const std::string name = undefined_name(error.log());
  if (name.empty()) throw;
  throw CompileError(std::string(error.what()) + "\nIf " + name + " is a parameter, give its values with --param " +
                         name + "=...; if it is a macro, its value with -D " + name + "=...",
                     error.log(), error.options());
}

int tune_here(const TuningArguments& arguments, const std::string& source) {
  const RunArguments& run = arguments.run;
  const std::optional<Capture> capture = capture_of(run);
  const std::vector<RunArgument> texts = capture ? capture->arguments : read_kernel_arguments(run);
  std::vector<Expected> expected = read_expected(run.expect);
  require_folder_of("--kernel-tuner-cache", arguments.kernel_tuner_cache);
  open_device(run);
  const TunableKernel kernel = tuning_kernel(arguments, source, capture);
  TuneReport report;
  report.problem = problem_of(tuning_problem(arguments, capture));
  check_parameters(kernel, report.problem,
                   arguments.defaults);  // before the default is compiled, which fails without the right name
  const TunableKernel for_arguments = default_kernel(arguments, source, capture);
  KernelCall call(default_function(for_arguments, report.problem), texts, run.seed,
                  capture ? capture->arrays() : std::vector<Array>());
  place_expected(call, expected);
  if (capture && expected.empty()) expected = captured_results(*capture, call);
  const std::string& cache = arguments.kernel_tuner_cache;
  if (!cache.empty()) (void)kernel_tuner_cache(kernel, report.problem, {});  // throws for names that it cannot have

  TuneOptions options = arguments.options;
  options.seed = run.seed;
  options.max_repetitions = std::max(options.max_repetitions, options.min_repetitions);  // there is no option for it
  options.tolerance = run.tolerance;
  options.keep_wisdom = arguments.keeps_wisdom;
  if (!expected.empty()) {
    options.reference = [&] { return is_expected(call, expected, run.tolerance); };
    options.reference_key = digest_of_expected(expected);
  }
  {
    const Progress progress;
    options.progress = [&](const TuneProgress& step) { progress.step(step.done, step.total, progress_text(step)); };
    report.result = tune_or_end(kernel, report.problem, call, options, arguments.isolated);
  }
  if (expected.empty()) tell_of_unwritten(call);
  report.file = input_name(run.file);
  report.kernel = kernel.name();
  report.device = Device::current().name();
  report.is_emulator = emulator_in_use();
  report.leaves_out_wisdom = report.is_emulator && options.keep_wisdom && !options.keep_emulator_wisdom;
  if (run.json)
    print_json(tune_json(report));
  else
    print(tune_text(report) + (arguments.plot ? tune_plot(report.result) : ""));
  if (!cache.empty()) write_output(cache, kernel_tuner_cache(kernel, report.problem, report.result));
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

/// Ends this process as soon as its parent ends: nobody would wait for it.
void end_with(pid_t parent) {
  (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) std::_Exit(failed);  // it ended before the line above
}

/// Each child goes on where the log file of the one before ends, until one gets to the end.
int tune_isolated(const TuningArguments& arguments, const std::string& source) {
  const std::filesystem::path& log = arguments.options.log_file;
  if (log.empty()) refuse("--isolate", "--log FILE, from which the next process goes on", "no --log");
  const pid_t parent = ::getpid();
  while (true) {
    const std::uintmax_t before = size_of(log);
    const pid_t child = ::fork();  // there is no other thread yet, and no driver
    if (child < 0) throw Error("no process can be started: " + errno_text());
    if (child == 0) {
      end_with(parent);
      return tune_here(arguments, source);
    }
    const std::optional<int> status = wait_for(child);
    if (status && *status != lost_device) return *status;
    if (size_of(log) == before)
      throw Error("the process that tunes ended before it could tell which candidate ended it");
    say("kiln: a candidate ended the process that tunes; the others go on in a new one\n");
  }
}

}  // namespace

int tune_command(const TuningArguments& arguments) {
  // Read here, as a second process of --isolate finds standard input at its end.
  const std::string source = is_capture(arguments.run.file) ? std::string() : read_source(arguments.run.file);
  return arguments.isolated ? tune_isolated(arguments, source) : tune_here(arguments, source);
}

}  // namespace kiln::tool
