// Warm start in fresh processes that have a context: the floor (read a cubin, load it, get a function) and Kiln (from
// source text to a function), one process of each in turn; for code of NVRTC, code of it that is linked with the device
// runtime, and code of nvcc. And, on any machine, what linking Kiln costs a process that starts and does nothing.
// Usage: warm_start [pairs]
#include "measure.hpp"
#include "raw_driver.hpp"
#include "workloads.hpp"

#include <kiln/kiln.hpp>

#include <fstream>
#include <string_view>

#include <spawn.h>
#include <sys/wait.h>

using namespace kiln::bench;

namespace {

/// What a child tells on its standard output.
struct Start {
  double nanoseconds = 0;
  long resident_kib = 0;
  bool compiler_mapped = false;
};

void report(double time) {
  const std::string status = read_whole("/proc/self/status");
  const std::size_t resident = status.find("VmRSS:");
  const long kib = resident == std::string::npos ? 0 : std::atol(status.c_str() + resident + 6);
  std::printf("%.0f %ld %d\n", time, kib, compiler_is_mapped());
}

void floor_child(const std::string& cubin_path) {
  const auto load = driver_function<decltype(cuLibraryLoadData)>(nullptr, "cuLibraryLoadData");
  const auto get_kernel = driver_function<decltype(cuLibraryGetKernel)>(nullptr, "cuLibraryGetKernel");
  const auto get_function = driver_function<decltype(cuKernelGetFunction)>(nullptr, "cuKernelGetFunction");
  report(nanoseconds([&] {
    std::FILE* const file = std::fopen(cubin_path.c_str(), "rb");
    if (!file) std::perror(cubin_path.c_str()), std::exit(1);
    std::fseek(file, 0, SEEK_END);
    std::string cubin(static_cast<std::size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    if (std::fread(cubin.data(), 1, cubin.size(), file) != cubin.size()) std::exit(1);
    std::fclose(file);
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    CUfunction function = nullptr;
    check(load(&library, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0), "cuLibraryLoadData");
    check(get_kernel(&kernel, library, "k4"), "cuLibraryGetKernel");
    check(get_function(&function, kernel), "cuKernelGetFunction");
  }));
}

void kiln_child(const std::string& source) {
  report(nanoseconds([&] { kiln::SourceModule(source).get_function("k4"); }));
}

void linked_child(const std::string& source) {
  report(nanoseconds([&] { kiln::DynamicSourceModule(source).get_function("k4"); }));
}

/// A way from source to module.
struct Way {
  const char* name;
  const char* backend;
  bool linked;
};

Start start_child(const char* program, const std::string& arguments) {
  const std::string command = std::string(program) + " " + arguments;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  Start start;
  int mapped = 0;
  const int fields = pipe ? std::fscanf(pipe, "%lf %ld %d", &start.nanoseconds, &start.resident_kib, &mapped) : 0;
  if (!pipe || ::pclose(pipe) != 0 || fields != 3) std::fprintf(stderr, "%s failed\n", command.c_str()), std::exit(1);
  start.compiler_mapped = mapped != 0;
  return start;
}

/// The code that both sides load; compiling it here fills the cache too.
kiln::CodeObject compiled(const Workload& workload, bool linked) {
  return linked ? kiln::DynamicSourceModule(workload.source).code() : kiln::SourceModule(workload.source).code();
}

std::string write(std::string_view code, const char* name, const ScratchFolder& scratch) {
  const std::string path = (scratch.path() / name).string();
  std::ofstream(path, std::ios::binary) << code;
  return path;
}

/// The same as NVRTC makes it, with constants of libraries that Kiln leaves out.
std::string nvrtc_code(const Workload& workload, const kiln::CodeObject& code) {
  kiln::nvrtc::Program program(workload.source, "kernel.cu");
  program.compile(without_own_headers(code.effective_options()));
  return program.cubin();
}

void measure(const char* program, std::size_t index, const Way& way, int pairs) {
  const ScratchFolder scratch;
  ::setenv("KILN_BACKEND", way.backend, 1);
  ::setenv("KILN_CACHE_DIR", (scratch.path() / "cache").c_str(), 1);
  const kiln::CodeObject code = compiled(workloads[index], way.linked);
  const std::string floor_arguments = "--floor " + write(code.bytes(), "floor.cubin", scratch);
  const std::string kiln_arguments = (way.linked ? "--linked " : "--kiln ") + std::to_string(index);
  std::vector<double> floor_times, kiln_times;
  Start floor, kiln;
  int mapped = 0;
  for (int pair = 0; pair < pairs; ++pair) {
    // Each goes first in every other pair: what the driver does at the end of one process slows the next one.
    if (pair % 2 == 0) floor = start_child(program, floor_arguments);
    kiln = start_child(program, kiln_arguments);
    if (pair % 2 != 0) floor = start_child(program, floor_arguments);
    floor_times.push_back(floor.nanoseconds / 1e6);
    kiln_times.push_back(kiln.nanoseconds / 1e6);
    mapped += kiln.compiler_mapped;
  }
  std::printf(
      "%-16s by %-14s floor %s ms, kiln %s ms: +%.3f ms; resident %ld and %ld KiB; compiler mapped in %d of %d\n",
      workloads[index].name, way.name, quartiles(floor_times).c_str(), quartiles(kiln_times).c_str(),
      median(kiln_times) - median(floor_times), floor.resident_kib, kiln.resident_kib, mapped, pairs);
  if (mapped != 0) std::exit(1);
  if (code.backend() != kiln::Backend::nvrtc || code.target() != kiln::Target::cubin) return;
  const std::string own = nvrtc_code(workloads[index], code);
  if (own.size() == code.bytes().size()) return;
  const std::string own_arguments = "--floor " + write(own, "own.cubin", scratch);
  std::vector<double> own_times;
  for (int round = 0; round < pairs; ++round)
    own_times.push_back(start_child(program, own_arguments).nanoseconds / 1e6);
  std::printf("%-16s NVRTC's own code, %zu bytes and not %zu: floor %s ms\n", workloads[index].name, own.size(),
              code.bytes().size(), quartiles(own_times).c_str());
}

/// Milliseconds from the start of a program that does nothing to its end.
double start_and_end(const std::string& program) {
  char* const arguments[] = {const_cast<char*>(program.c_str()), nullptr};
  int status = 0;
  const double time = nanoseconds([&] {
    pid_t child = 0;
    if (::posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0 ||
        ::waitpid(child, &status, 0) != child || status != 0)
      std::fprintf(stderr, "%s failed\n", program.c_str()), std::exit(1);
  });
  return time / 1e6;
}

void measure_linking() {
  const std::filesystem::path folder = std::filesystem::canonical("/proc/self/exe").parent_path();
  std::vector<std::string> programs;
  for (const char* name : {"start_without_kiln", "start_with_kiln", "start_with_static_kiln"})
    if (std::filesystem::exists(folder / name)) programs.push_back((folder / name).string());
  std::vector<std::vector<double>> times(programs.size());
  for (int round = 0; round < 400; ++round)
    for (std::size_t i = 0; i < programs.size(); ++i) times[i].push_back(start_and_end(programs[i]));
  for (std::size_t i = 0; i < programs.size(); ++i)
    std::printf("%-22s start to end %s ms: +%.3f ms\n", std::filesystem::path(programs[i]).filename().c_str(),
                quartiles(times[i]).c_str(), median(times[i]) - median(times[0]));
}

bool has_nvcc() try {
  kiln::get_nvcc_version();
  return true;
} catch (const kiln::ToolkitError&) {
  return false;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode.substr(0, 2) != "--") measure_linking();
  if (!make_context()) {
    std::puts("warm_start: skipped, there is no driver with a device (KILN_DRIVER may name one)");
    return 0;
  }
  if (mode == "--floor") {
    floor_child(argv[2]);
  } else if (mode == "--kiln") {
    kiln_child(workloads[static_cast<std::size_t>(std::atoi(argv[2]))].source);
  } else if (mode == "--linked") {
    linked_child(workloads[static_cast<std::size_t>(std::atoi(argv[2]))].source);
  } else {
    const int pairs = argc > 1 ? std::atoi(argv[1]) : 41;
    const bool nvcc = has_nvcc();
    for (const Way& way :
         {Way{"nvrtc", "nvrtc", false}, Way{"nvrtc, linked", "nvrtc", true}, Way{"nvcc", "nvcc", false}})
      for (std::size_t index = 0; index < workloads.size(); ++index)
        if (nvcc || std::string_view(way.backend) != "nvcc") measure(argv[0], index, way, pairs);
    if (!nvcc) std::puts("warm_start: no nvcc here, so its code is left out");
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "warm_start: %s\n", error.what());
  return 1;
}
