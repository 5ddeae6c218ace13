#include "base/usable_cores.hpp"

#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <sched.h>

#include <string>

namespace usable_cores_test {

using namespace kiln;
using namespace kiln::test;

namespace {

/// A machine as a process in a container sees it.
struct Machine {
  ScratchFolder root;

  Machine(const std::string& mounts, const std::string& groups) {
    root.write("proc/self/mountinfo", "22 1 0:20 / /proc rw,nosuid shared:5 - proc proc rw\n" + mounts);
    root.write("proc/self/cgroup", groups);
  }
  std::optional<double> quota() const { return cpu_quota(root.path().string()); }
};

constexpr const char* version_2 = "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

}  // namespace

TEST_CASE("without a quota, or without control groups, there is none") {
  CHECK_FALSE(Machine("", "").quota());
  const Machine machine(version_2, "0::/user.slice\n");
  CHECK_FALSE(machine.quota());
  machine.root.write("sys/fs/cgroup/user.slice/cpu.max", "max 100000\n");
  CHECK_FALSE(machine.quota());
  machine.root.write("sys/fs/cgroup/user.slice/cpu.max", "nonsense\n");
  CHECK_FALSE(machine.quota());
}

TEST_CASE("version 2: the least of the group and of those above") {
  const Machine machine(version_2, "0::/a/b/c\n");
  machine.root.write("sys/fs/cgroup/a/b/c/cpu.max", "400000 100000\n");
  CHECK(machine.quota() == 4.0);
  machine.root.write("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  CHECK(machine.quota() == 1.5);
  machine.root.write("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  CHECK(machine.quota() == 1.5);
}

TEST_CASE("version 2 in a container, with a namespace of control groups and without") {
  const Machine with(version_2, "0::/\n");
  with.root.write("sys/fs/cgroup/cpu.max", "250000 100000\n");
  CHECK(with.quota() == 2.5);
  const Machine outside(version_2, "0::/../../other\n");  // of a process that was moved
  outside.root.write("sys/fs/cgroup/cpu.max", "250000 100000\n");
  CHECK(outside.quota() == 2.5);
  const Machine without("30 24 0:26 /docker/1f /sys/fs/cgroup ro - cgroup2 cgroup rw\n", "0::/docker/1f/inner\n");
  without.root.write("sys/fs/cgroup/cpu.max", "300000 100000\n");
  without.root.write("sys/fs/cgroup/inner/cpu.max", "100000 50000\n");
  CHECK(without.quota() == 2.0);
}

TEST_CASE("version 1: the hierarchy that has the controller cpu, in containers a part of it") {
  const std::string mounts =
      "31 30 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
      "32 30 0:28 /docker/1f /sys/fs/cgroup/cpu,cpu\\040acct rw - cgroup cgroup rw,cpu,cpuacct\n";
  const Machine machine(mounts, "5:cpuset:/docker/1f\n4:cpu,cpuacct:/docker/1f\n0::/docker/1f\n");
  machine.root.write("sys/fs/cgroup/cpuset/docker/1f/cpu.cfs_quota_us", "100000\n");  // not what is asked
  machine.root.write("sys/fs/cgroup/cpuset/docker/1f/cpu.cfs_period_us", "100000\n");
  CHECK_FALSE(machine.quota());
  machine.root.write("sys/fs/cgroup/cpu,cpu acct/cpu.cfs_quota_us", "-1\n");
  machine.root.write("sys/fs/cgroup/cpu,cpu acct/cpu.cfs_period_us", "100000\n");
  CHECK_FALSE(machine.quota());
  machine.root.write("sys/fs/cgroup/cpu,cpu acct/cpu.cfs_quota_us", "350000\n");
  CHECK(machine.quota() == 3.5);
}

TEST_CASE("both versions, as systemd has mounted them") {
  const Machine machine(
      "29 24 0:25 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n31 30 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup "
      "rw,cpu\n",
      "3:cpu:/job\n0::/job\n");
  machine.root.write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "200000");
  machine.root.write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000");
  CHECK(machine.quota() == 2.0);
}

TEST_CASE("a quota bounds the cores: a part of one is one more, and there is one at least") {
  CHECK(cores_within(16, std::nullopt) == 16);
  CHECK(cores_within(16, 3.0) == 3);
  CHECK(cores_within(16, 2.5) == 3);
  CHECK(cores_within(2, 8.0) == 2);
  CHECK(cores_within(16, 0.2) == 1);
}

TEST_CASE("the cores are those of the thread's affinity, and one at least") {
  CHECK(usable_cores() >= 1);
  CHECK(in_child([] {
          cpu_set_t cores;
          CPU_ZERO(&cores);
          CPU_SET(::sched_getcpu(), &cores);
          return ::sched_setaffinity(0, sizeof cores, &cores) == 0 && usable_cores() == 1 ? 0 : 1;
        }) == 0);
}

}  // namespace usable_cores_test
