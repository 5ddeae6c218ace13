#include "toolkit/libraries/nvrtc_trace_file.hpp"

#include "base/argument_error.hpp"
#include "base/file_size_limit.hpp"
#include "base/owned_descriptor.hpp"
#include "base/path_text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace kiln {
namespace {

/// Why the file cannot be written; empty where it can.
std::string reason_against(const std::string& file) {
  struct stat before = {};
  const bool is_new = ::stat(file.c_str(), &before) != 0 && errno == ENOENT;
  if (!is_new && !S_ISREG(before.st_mode)) return "it is no regular file";
  const OwnedDescriptor opened(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  if (opened.get() < 0) return std::strerror(errno);
  if (is_new) ::unlink(file.c_str());
  return has_room_for_trace(folder_of_name(file, ".")) ? "" : "there is no room for it: 64 MiB must be free";
}

}  // namespace

bool has_room_for_trace(const std::string& folder) {
  constexpr std::uint64_t enough = std::uint64_t{64} << 20;  // the largest ones have some megabytes
  struct statvfs status = {};
  return file_size_limit() >= enough && ::statvfs(folder.c_str(), &status) == 0 &&
         status.f_bavail >= enough / std::max(status.f_frsize, 1UL);
}

void require_writable_traces(const std::vector<std::string>& options) {
  for (const std::string& option : options) {
    std::string_view value = option;
    if (value.substr(0, 2) == "--") value.remove_prefix(1);
    constexpr std::string_view name = "-fdevice-time-trace=";
    if (value.substr(0, name.size()) != name) continue;
    value.remove_prefix(name.size());
    const std::string subject = "NVRTC: the option " + option;
    // LLVM makes a name of its own for these, which NVRTC then does not find.
    if (value.empty() || value == "-") refuse(subject, "the name of a file", "none");
    const std::string file = std::string(value) + ".json";
    if (const std::string why = reason_against(file); !why.empty())
      refuse(subject, "a file that can be written, " + file, why, "; NVRTC would end the process");
  }
}

}  // namespace kiln
