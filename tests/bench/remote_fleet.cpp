// Machines that start cold on one kernel, with a cache folder each and one Redis server: wall against one of them
// alone. All are on this machine, so their own starts cost its processors: beside it the same processes with what they
// then have on disk. Then a first hit by way of a network that is slower, and what a dead remote costs. Needs
// redis-server, and no GPU.
// Usage: remote_fleet [machines] [rounds]
#include "fault_proxy.hpp"
#include "own_processes.hpp"
#include "redis_server.hpp"
#include "workloads.hpp"

#include "compile/remote/remote_calls.hpp"

#include <kiln/compile.hpp>

#include <algorithm>
#include <deque>
#include <thread>

using namespace kiln::bench;
using kiln::test::FaultProxy;
using kiln::test::RedisServer;
using kiln::test::ReplyFault;

namespace {

/// Of the remote; "patient": as long as it takes, because a real machine has processors of its own.
int child(const std::string& folder, const std::string& source, bool is_patient) {
  if (is_patient) kiln::RemoteBudget::get().allow(std::chrono::minutes(10));
  const auto options = kiln::CompileOptions{}.with_arch("sm_90").with_caching({folder});
  Report report;
  bool is_hit = false;
  report.first = nanoseconds([&] { is_hit = kiln::compile(source, options).from_cache(); }) / 1e6;
  report.second = is_hit ? 0 : 1;
  report.done = Clock::now();
  return send(report);
}

struct Start {
  double wall = 0;    // milliseconds, until the last one has its code
  double median = 0;  // of the compiles themselves
  int compiles = 0;
};

/// As many processes as folders, all at once.
Start start(const std::deque<ScratchFolder>& folders, std::size_t workload, bool is_patient = true) {
  std::deque<OwnProcess> processes;
  const auto begin = Clock::now();
  for (const ScratchFolder& folder : folders)
    processes.emplace_back(std::vector<std::string>{"--child", folder.path().string(), std::to_string(workload),
                                                    is_patient ? "patient" : "as ever"});
  Start all;
  std::vector<double> times;
  for (OwnProcess& process : processes) {
    process.finish();
    all.wall = std::max(all.wall, milliseconds_between(begin, process.report().done));
    all.compiles += process.report().second > 0;
    times.push_back(process.report().first);
  }
  all.median = median(times);
  return all;
}

class Fleet {
 public:
  Fleet(std::size_t machines, int rounds) : machines_(machines), rounds_(rounds) {}

  bool measure(std::size_t workload, std::chrono::microseconds delay) {
    const FaultProxy proxy(server_.port(), {ReplyFault::Kind::none, 0, 0, delay});
    use_remote(delay.count() == 0 ? server_.address() : "redis://" + proxy.host());
    std::vector<double> alone, cold, ratios, disk, remote, first, first_disk;
    bool is_good = true;
    for (int round = 0; round < rounds_; ++round) {
      std::deque<ScratchFolder> one(1), all(machines_), others(machines_), last(1);
      empty_remote();
      const Start by_one = start(one, workload);
      wait_for_put(workload);
      empty_remote();
      const Start by_all = start(all, workload);
      wait_for_put(workload);
      const Start again = start(all, workload), hits = start(others, workload), hit = start(last, workload);
      const Start on_disk = start(last, workload);
      is_good = is_good && by_one.compiles == 1 && by_all.compiles == 1 &&
                again.compiles + hits.compiles + hit.compiles + on_disk.compiles == 0;
      alone.push_back(by_one.wall), cold.push_back(by_all.wall), ratios.push_back(by_all.wall / by_one.wall);
      disk.push_back(again.wall), remote.push_back(hits.wall);
      first.push_back(hit.median), first_disk.push_back(on_disk.median);
    }
    std::printf("%s, replies delayed by %.1f ms: %s\n", workloads[workload].name,
                static_cast<double>(delay.count()) / 1000, is_good ? "one compile" : "FAILED: not one compile");
    std::printf("  %zu machines cold: wall %s ms; one alone %s ms: %s times as long\n", machines_,
                quartiles(cold).c_str(), quartiles(alone).c_str(), quartiles(ratios).c_str());
    std::printf("  the same processes: with a hit on disk %s ms, with a hit of the remote %s ms\n",
                quartiles(disk).c_str(), quartiles(remote).c_str());
    std::printf("  one process's first hit: remote %s ms, disk %s ms\n", quartiles(first).c_str(),
                quartiles(first_disk).c_str());
    return is_good;
  }

  static void use_remote(const std::string& address) {
    ::setenv("KILN_CACHE_REMOTE", (address + " @unsigned request-timeout=60s connect-timeout=60s").c_str(), 1);
  }

 private:
  void empty_remote() { server_.command({"FLUSHALL"}); }
  /// Until the entry is there, the manifest where there are headers, and no claim.
  void wait_for_put(std::size_t workload) {
    const std::string script = "return #redis.call('keys', '*') + 100 * #redis.call('keys', '*~claim*')";
    while (server_.command({"EVAL", script, "0"}) != (workload == 0 ? "1" : "2")) std::this_thread::yield();
  }

  RedisServer server_;
  std::size_t machines_;
  int rounds_;
};

/// What one compile takes with such a remote, and with none.
void measure_dead(const char* name, const std::string& remote, int rounds) {
  std::vector<double> with, without;
  for (int round = 0; round < rounds; ++round) {
    const std::deque<ScratchFolder> one(1), other(1);
    ::unsetenv("KILN_CACHE_REMOTE");
    without.push_back(start(one, 0).median);
    ::setenv("KILN_CACHE_REMOTE", (remote + " @unsigned").c_str(), 1);
    with.push_back(start(other, 0, false).median);
  }
  std::printf("a remote that is %s: a first compile %s ms, without it %s ms\n", name, quartiles(with).c_str(),
              quartiles(without).c_str());
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 4 && std::string(argv[1]) == "--child")
    return child(argv[2], workloads.at(std::stoul(argv[3])).source, std::string(argv[4]) == "patient");
  if (RedisServer::is_missing()) return std::printf("redis-server is not installed\n"), 77;
  const int machines = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 64;
  const int rounds = argc > 2 ? std::max(std::atoi(argv[2]), 1) : 5;
  ::setenv("KILN_PCH", "off", 1);
  Fleet fleet(static_cast<std::size_t>(machines), rounds);
  bool is_good = true;
  for (const std::size_t workload : {std::size_t{0}, std::size_t{2}})
    for (const int delay : {0, 500, 2000})
      is_good = fleet.measure(workload, std::chrono::microseconds(delay)) && is_good;
  const kiln::test::RefusingPort nobody;
  measure_dead("refusing", "redis://127.0.0.1:" + std::to_string(nobody.number()), rounds);
  const kiln::test::ScriptedServer silent(
      [](kiln::test::ScriptedServer::Connection& client) { client.wait_for_end(); });
  measure_dead("silent", "redis://" + silent.host(), rounds);
  return is_good ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
