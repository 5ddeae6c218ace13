// From nothing to the code of one small source: by a new worker, and by a bare process of its own that opens NVRTC and
// compiles the same. Usage: worker_start [rounds]
#include "bare_nvrtc.hpp"
#include "base/spawn.hpp"
#include "compile/ask_worker.hpp"
#include "compile/worker_compile.hpp"
#include "compile/worker_pool.hpp"
#include "compile/worker_program.hpp"
#include "measure.hpp"
#include "workloads.hpp"

#include <unistd.h>

#include <fcntl.h>

using namespace kiln::bench;

namespace {

const std::string& source = workloads[0].source;

/// What a bare process does: its arguments are the library and the options.
int bare(int argc, char** argv) {
  const kiln::NvrtcLibrary& nvrtc = kiln::NvrtcLibrary::get(argv[2]);
  compile_bare(nvrtc, source, std::vector<std::string>(argv + 3, argv + argc));
  return ::write(STDOUT_FILENO, "x", 1) == 1 ? 0 : 1;
}

double bare_milliseconds(const std::vector<std::string>& options) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) std::perror("pipe"), std::exit(1);
  kiln::SpawnRequest request;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  request.arguments = {self, "bare", kiln::NvrtcLibrary::get().path};
  request.arguments.insert(request.arguments.end(), options.begin(), options.end());
  request.output = ends[1];
  char byte = 0;
  const double time = nanoseconds([&] {
    kiln::spawn_orphan(request);
    if (::read(ends[0], &byte, 1) != 1) std::exit(1);
  });
  ::close(ends[1]);
  while (::read(ends[0], &byte, 1) > 0) {  // until it has ended
  }
  ::close(ends[0]);
  return time / 1e6;
}

double worker_milliseconds(const std::string& arch) {
  kiln::WorkerPool::get().clear();
  kiln::Request request;
  request.compiler = *kiln::nvrtc_here();
  request.job.source = source;
  request.job.name = "kernel.cu";
  request.job.arch = arch;
  return nanoseconds([&] { kiln::make_code_in_worker(request, false); }) / 1e6;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 2 && std::string(argv[1]) == "bare") return bare(argc, argv);
  if (!kiln::find_worker_program()) std::fprintf(stderr, "worker_start: set KILN_WORKER\n"), std::exit(1);
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 25;
  const std::vector<std::string> options = options_of(source);
  std::string arch;
  for (const std::string& option : options)
    if (option.compare(0, 6, "-arch=") == 0) arch = option.substr(6);
  std::vector<double> bare_times, worker_times, ratios;
  for (int round = 0; round <= rounds; ++round) {
    const double bare = bare_milliseconds(options);
    const double worker = worker_milliseconds(arch);
    if (round == 0) continue;
    bare_times.push_back(bare);
    worker_times.push_back(worker);
    ratios.push_back(worker / bare);
  }
  std::printf("a process's first compile: bare %s ms, worker %s ms, ratio %s\n", quartiles(bare_times).c_str(),
              quartiles(worker_times).c_str(), quartiles(ratios).c_str());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "worker_start: %s\n", error.what());
  return 1;
}
