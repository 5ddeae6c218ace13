#include "worker/nvcc/nvcc_times.hpp"

#include "base/path_text.hpp"
#include "compile/identity/nvcc_environment.hpp"
#include "worker/folders/work_folder.hpp"
#include "worker/nvcc/nvcc_command.hpp"
#include "worker/nvrtc/time_trace.hpp"

#include <kiln/error.hpp>

#include <chrono>
#include <utility>

namespace kiln {

namespace {

CompilerTimes traced_times(const std::string& nvcc, const CompilerJob& job, ProcessRunner& runner) {
  const NvccCommand command = nvcc_command(nvcc, job, working_folder());
  const WorkFolder folder("nvcc-times");
  for (const auto& [name, text] : command.files) folder.write(name, text);
  if (command.keeps_intermediate) folder.make_folder(intermediate_folder);
  ProcessRequest request;
  request.arguments = command.words;
  request.arguments.insert(request.arguments.end(), {"-fdevice-time-trace", "trace"});
  request.environment = nvcc_environment();
  request.working_folder = folder.path();
  runner.run(request);
  return read_time_trace(folder.read("trace.json"));
}

}  // namespace

CompilerTimes nvcc_times(const std::string& nvcc, const CompilerJob& job, ProcessRunner& runner) {
  const auto start = std::chrono::steady_clock::now();
  CompilerTimes times;
  try {
    times = traced_times(nvcc, job, runner);
  } catch (const Error&) {
    // Without them.
  }
  times.measuring = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
  return times;
}

}  // namespace kiln
