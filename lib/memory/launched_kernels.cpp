#include "memory/launched_kernels.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

namespace kiln {

namespace {

constexpr std::size_t few = 4;

struct Launched {
  ForkSafeMutex mutex;
  std::vector<std::string> names;  // one more than a few where there are too many to tell
};

}  // namespace

void note_launched(const std::string& kernel) noexcept {
  try {
    Launched& launched = fork_safe_instance<Launched>();
    const std::lock_guard lock(launched.mutex);
    std::vector<std::string>& names = launched.names;
    if (names.size() <= few && std::find(names.begin(), names.end(), kernel) == names.end()) names.push_back(kernel);
  } catch (...) {  // without memory for a name there is less to tell
  }
}

std::string describe_launched() {
  Launched& launched = fork_safe_instance<Launched>();
  const std::lock_guard lock(launched.mutex);
  const std::vector<std::string>& names = launched.names;
  if (names.empty() || names.size() > few) return {};
  if (names.size() == 1) return "the only kernel launched in this process is " + names.front();
  std::string text = "the kernels launched in this process are " + names.front();
  for (std::size_t i = 1; i < names.size(); ++i) text += (i + 1 < names.size() ? ", " : " and ") + names[i];
  return text;
}

void forget_launched() {
  Launched& launched = fork_safe_instance<Launched>();
  const std::lock_guard lock(launched.mutex);
  launched.names.clear();
}

}  // namespace kiln
