#include "compile/record/record.hpp"

#include "base/digest.hpp"
#include "base/environment.hpp"
#include "base/files.hpp"
#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "base/log.hpp"
#include "base/path_text.hpp"

#include <fcntl.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <set>
#include <system_error>

namespace kiln {

namespace {

constexpr const char* variable = "KILN_RECORD";

/// What this process has listed.
class Listed {
 public:
  bool is_new(const Digest& line) {
    const std::lock_guard lock(mutex_);
    return lines_.insert(line).second;
  }

 private:
  ForkSafeMutex mutex_;
  std::set<Digest> lines_;
};

/// One write at the file's end, so that lines of several processes do not mix.
int append(const std::string& path, const std::string& line) {
  FileSystem& files = FileSystem::real();
  const int descriptor = files.open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY, 0666);
  if (descriptor < 0) return descriptor;
  const int result = write_all(files, descriptor, line);
  const int closed = files.close(descriptor);
  return result != 0 ? result : closed;
}

void warn(const std::string& path, const std::string& why) {
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true))
    log_message(LogLevel::warn, std::string(variable) + "=" + path + ": requests are not recorded: " + why);
}

}  // namespace

bool are_recorded() { return environment(variable).has_value(); }

void record(const std::string& line) noexcept try {
  const std::optional<std::string> path = environment(variable);
  if (!path || !fork_safe_instance<Listed>().is_new(digest_of(*path + '\n' + line))) return;
  if (const int error = append(joined(working_folder(), *path), line + "\n"); error != 0)
    warn(*path, std::generic_category().message(-error));
} catch (const std::exception& error) {
  warn("...", error.what());
}

}  // namespace kiln
