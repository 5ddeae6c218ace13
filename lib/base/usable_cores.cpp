#include "base/usable_cores.hpp"

#include "base/files.hpp"
#include "base/text_parts.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <thread>
#include <vector>

#include <sched.h>

namespace kiln {

namespace {

/// Where a hierarchy of control groups with quotas of CPU time is seen, and where this process is in it.
struct Hierarchy {
  bool is_version_2 = false;
  std::string mount_point;
  std::string top;    // the group that the mount point shows: containers see a part of the tree
  std::string group;  // this process's, named from the tree's root on
};

std::string content_of(const std::string& path) {
  std::string text;
  return read_file(FileSystem::real(), path, text) == 0 ? text : std::string();
}

/// Whether a list with commas between names the controller of CPU time.
bool has_cpu(std::string_view controllers) {
  while (!controllers.empty())
    if (next_part(controllers, ',') == "cpu") return true;
  return false;
}

/// A path of /proc/self/mountinfo, where a blank is \040.
std::string unescaped_path(std::string_view text) {
  std::string path;
  for (std::size_t at = 0; at < text.size(); ++at) {
    int value = 0;
    const char* const digits = text.data() + at + 1;
    const bool is_escape =
        text[at] == '\\' && at + 3 < text.size() && std::from_chars(digits, digits + 3, value, 8).ptr == digits + 3;
    path += is_escape ? static_cast<char>(value) : text[at];
    if (is_escape) at += 3;
  }
  return path;
}

/// Of a line such as "36 35 0:30 /top /mount/point rw - cgroup source rw,cpu,cpuacct".
std::optional<Hierarchy> hierarchy_of(std::string_view line) {
  const std::size_t middle = line.find(" - ");
  if (middle == std::string_view::npos) return std::nullopt;
  const std::vector<std::string> first = split(line.substr(0, middle), ' ');
  const std::vector<std::string> second = split(line.substr(middle + 3), ' ');
  if (first.size() < 5 || second.size() < 3) return std::nullopt;
  const bool is_version_2 = second[0] == "cgroup2";
  if (!is_version_2 && (second[0] != "cgroup" || !has_cpu(second[2]))) return std::nullopt;
  return Hierarchy{is_version_2, unescaped_path(first[4]), unescaped_path(first[3]), {}};
}

/// The group that a line of /proc/self/cgroup names, "4:cpu,cpuacct:/group" or "0::/group"; nothing for other lines.
std::optional<std::string> group_of(std::string_view line, bool of_version_2) {
  const std::size_t first = line.find(':');
  const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const std::string_view controllers = line.substr(first + 1, second - first - 1);
  const bool is_it = of_version_2 ? line.substr(0, first) == "0" && controllers.empty() : has_cpu(controllers);
  return is_it ? std::optional<std::string>(line.substr(second + 1)) : std::nullopt;
}

std::optional<long long> number_in(std::string_view text) {
  long long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

std::optional<double> ratio(std::optional<long long> quota, std::optional<long long> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;  // "max", or -1: none
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::optional<double> quota_of(const std::string& folder, bool is_version_2) {
  if (!is_version_2)
    return ratio(number_in(content_of(folder + "/cpu.cfs_quota_us")),
                 number_in(content_of(folder + "/cpu.cfs_period_us")));
  const std::string text = content_of(folder + "/cpu.max");  // "150000 100000"
  const std::size_t blank = text.find(' ');
  if (blank == std::string::npos) return std::nullopt;
  return ratio(number_in(text), number_in(std::string_view(text).substr(blank + 1)));
}

/// Calls `use` with the folder of the process's group, and with those above it.
template <class Use>
void for_each_folder(const std::string& root, const Hierarchy& hierarchy, const Use& use) {
  std::string below = hierarchy.group;
  if (hierarchy.top != "/")
    below = (below + "/").starts_with(hierarchy.top + "/") ? below.substr(hierarchy.top.size()) : "";
  if (below.starts_with("/..")) below.clear();  // outside of what this container sees
  const std::string top = root + hierarchy.mount_point;
  while (below.size() > 1) {
    std::string folder = top;
    use(folder.append(below));
    below.resize(below.rfind('/'));
  }
  use(top);
}

}  // namespace

std::optional<double> cpu_quota(const std::string& root) {
  const std::string mounts = content_of(root + "/proc/self/mountinfo");
  const std::string groups = content_of(root + "/proc/self/cgroup");
  std::optional<double> least;
  for (std::string_view rest = mounts; !rest.empty();) {
    std::optional<Hierarchy> hierarchy = hierarchy_of(next_line(rest));
    if (!hierarchy) continue;
    for (std::string_view lines = groups; !lines.empty();) {
      const auto group = group_of(next_line(lines), hierarchy->is_version_2);
      if (!group) continue;
      hierarchy->group = *group;
      for_each_folder(root, *hierarchy, [&](const std::string& folder) {
        const auto quota = quota_of(folder, hierarchy->is_version_2);
        if (quota && (!least || *quota < *least)) least = quota;
      });
    }
  }
  return least;
}

unsigned cores_within(unsigned cores, std::optional<double> quota) {
  const double most = quota ? std::ceil(*quota) : HUGE_VAL;
  return std::max(1U, static_cast<unsigned>(std::min(static_cast<double>(cores), most)));
}

unsigned usable_cores() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  const bool is_known = ::sched_getaffinity(0, sizeof usable, &usable) == 0;  // or more cores than the set can hold
  const unsigned cores = is_known ? static_cast<unsigned>(CPU_COUNT(&usable)) : std::thread::hardware_concurrency();
  constexpr double unknown = -1;
  static std::atomic<double> quota{unknown};  // not initialised under a lock, which a child of fork may find locked
  if (quota.load() == unknown) quota.store(cpu_quota().value_or(HUGE_VAL));
  return cores_within(cores, quota.load());
}

}  // namespace kiln
