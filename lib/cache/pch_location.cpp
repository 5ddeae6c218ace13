#include "cache/pch_location.hpp"

#include "base/environment.hpp"
#include "base/log.hpp"
#include "base/temporary_folder.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>

namespace kiln {

namespace {

/// By their numbers in statfs(2). What is served by another program (fuse) may come from anywhere.
constexpr std::uint64_t network_file_systems[] = {
    0x6969,      // nfs
    0x517b,      // smb
    0xff534d42,  // cifs
    0xfe534d42,  // smb2
    0x5346414f,  // afs
    0x6b414653,  // kafs
    0x00c36400,  // ceph
    0x0bd00bd0,  // lustre
    0x47504653,  // gpfs
    0x19830326,  // beegfs
    0xaad7aaea,  // panfs
    0x20030528,  // orangefs
    0x013111a8,  // ibrix
    0x01161970,  // gfs2
    0x7461636f,  // ocfs2
    0x01021997,  // 9p
    0x65735546,  // fuse
};

/// Whether the folder, or what is there of the path to it, is on one. So it is where that cannot be found out.
bool is_on_network(FileSystem& files, std::string path) {
  std::uint64_t type = 0;
  while (files.file_system_type(path, type) != 0) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos || path.size() == 1) return true;
    path.resize(std::max<std::size_t>(slash, 1));
  }
  return std::find(std::begin(network_file_systems), std::end(network_file_systems), type) !=
         std::end(network_file_systems);
}

void warn_once(std::atomic<bool>& warned, const std::string& text) {
  if (!warned.exchange(true)) log_message(LogLevel::warn, text);
}

std::optional<std::string> named_folder() {
  static std::atomic<bool> warned{false};
  auto named = environment("KILN_PCH_DIR");
  if (!named || named->front() == '/') return named;
  warn_once(warned, "KILN_PCH_DIR=\"" + *named + "\" is ignored: give the folder from the root on");
  return std::nullopt;
}

}  // namespace

std::optional<std::string> pch_location(FileSystem& files, const std::string& cache_folder) {
  if (privileged_process()) return std::nullopt;
  if (auto named = named_folder()) return named;
  if (!is_on_network(files, cache_folder)) return cache_folder + "/pch";
  return temporary_files() + "/kiln-pch-" + std::to_string(files.user());
}

bool pch_disabled() {
  static std::atomic<bool> warned{false};
  const auto value = environment("KILN_PCH");
  if (value && *value != "on" && *value != "off")
    warn_once(warned, "KILN_PCH=\"" + *value + "\" is ignored: write on or off");
  return value == "off";
}

}  // namespace kiln
