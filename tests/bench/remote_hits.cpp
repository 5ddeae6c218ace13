// Hits of a remote cache: a Redis server on this machine, and processes whose cache folder is empty. Beside it the same
// processes with what they then have on disk. Needs redis-server, and no GPU.
// Usage: remote_hits [rounds]
#include "own_processes.hpp"
#include "redis_server.hpp"

#include <kiln/kiln.hpp>

#include <algorithm>
#include <memory>
#include <thread>

using namespace kiln::bench;

namespace {

constexpr int single = 11;  // kernels that are compiled one after the other
constexpr int batch = 100;

struct Source {
  const char* name;
  const char* begin;
};
constexpr Source sources[] = {{"no include", ""},
                              {"cuda_fp16.h", "#include <cuda_fp16.h>\n"},
                              {"CUB", "#include <cub/block/block_reduce.cuh>\n"}};

std::string kernel(std::size_t source, int number) {
  return std::string(sources[source].begin) +
         "extern \"C\" __global__ void k(int* p) { *p = " + std::to_string(number) + "; }\n";
}

const kiln::CompileOptions options = kiln::CompileOptions{}.with_arch("sm_90");

/// What the first one took, the median of the others, and all of a batch.
int child(std::size_t source) {
  const auto one = [&](int number) {
    return nanoseconds([&] { kiln::compile(kernel(source, number), options); }) / 1e6;
  };
  Report report;
  report.first = one(0);
  std::vector<double> others;
  for (int i = 1; i < single; ++i) others.push_back(one(i));
  report.second = median(others);
  report.done = Clock::now();
  return send(report);
}

int batch_child() {
  std::vector<kiln::CompileRequest> requests;
  for (int i = 0; i < batch; ++i) requests.push_back({kernel(0, i), options});
  Report report;
  report.first = nanoseconds([&] {
                   for (const kiln::CompileResult& result : kiln::compile_all(requests)) result.get();
                 }) /
                 1e6;
  report.done = Clock::now();
  return send(report);
}

Report run(const std::vector<std::string>& arguments) {
  OwnProcess process(arguments);
  process.finish();
  return process.report();
}

/// Removed when all is measured: for a minute or more ext4 does not use a removed file's inode again, and looks for
/// another one past all of them.
std::vector<std::unique_ptr<ScratchFolder>> scratch_folders;

void use_new_folder() {
  scratch_folders.push_back(std::make_unique<ScratchFolder>());
  ::setenv("KILN_CACHE_DIR", scratch_folders.back()->path().c_str(), 1);
}

class Rounds {
 public:
  /// `puts`: how many values the processes have put, when the remote has all that these ask for.
  Rounds(kiln::test::RedisServer& server, const std::vector<std::string>& arguments, std::uint64_t puts)
      : server_(server), arguments_(arguments) {
    ::setenv("KILN_CACHE_REMOTE", (server_.address() + " @unsigned").c_str(), 1);
    use_new_folder();
    run(arguments_);  // fills the remote
    while (server_.calls("set") < puts) std::this_thread::yield();
  }
  void add() {
    use_new_folder();
    const Report remote = run(arguments_);
    if (kiln::Cache(scratch_folders.back()->path()).stats().compiles != 0)
      std::fprintf(stderr, "compiled\n"), std::exit(1);
    const Report disk = run(arguments_);
    first_.push_back(remote.first), first_disk_.push_back(disk.first);
    further_.push_back(remote.second), further_disk_.push_back(disk.second);
  }
  void print(const char* name, bool has_further) const {
    std::printf("%s\n", name);
    print("first", first_, first_disk_);
    if (has_further) print("each further one", further_, further_disk_);
  }

 private:
  static void print(const char* what, const std::vector<double>& remote, const std::vector<double>& disk) {
    std::printf("  %-17s remote %s ms, disk %s ms: +%.3f ms\n", what, quartiles(remote).c_str(),
                quartiles(disk).c_str(), median(remote) - median(disk));
  }

  kiln::test::RedisServer& server_;
  const std::vector<std::string> arguments_;
  std::vector<double> first_, first_disk_, further_, further_disk_;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 2 && std::string(argv[1]) == "--child") return child(std::stoul(argv[2]));
  if (argc > 1 && std::string(argv[1]) == "--batch") return batch_child();
  if (kiln::test::RedisServer::is_missing()) return std::printf("redis-server is not installed\n"), 77;
  const int rounds = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 15;
  ::setenv("KILN_PCH", "off", 1);
  kiln::test::RedisServer server;
  std::uint64_t puts = 0;
  for (std::size_t i = 0; i < std::size(sources); ++i) {
    puts += i == 0 ? single : 2 * single;  // an entry, and where there are headers a manifest
    Rounds all(server, {"--child", std::to_string(i)}, puts);
    for (int round = 0; round < rounds; ++round) all.add();
    all.print(sources[i].name, true);
  }
  Rounds all(server, {"--batch"}, puts + batch - single);
  for (int round = 0; round < rounds; ++round) all.add();
  all.print("compile_all of 100", false);
  scratch_folders.clear();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
