#include "cache/remote/remote_counters.hpp"

#include "base/files.hpp"
#include "cache/remote/percent_text.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <string_view>
#include <utility>

namespace kiln {

namespace {

constexpr std::string_view end_of_name = ".counters";
constexpr std::size_t longest_name = 200;

/// The address as a file's name, from which it can be restored.
std::string file_name(const std::string& remote) {
  std::string name = percent_encoded(remote);
  if (name.size() > longest_name)
    name = name.substr(0, longest_name - 2 * sizeof(Digest) - 1) + "-" + digest_of(remote).hex();
  return name + std::string(end_of_name);
}

std::string remote_of(std::string_view file) {
  file.remove_suffix(end_of_name.size());
  return percent_decoded(file);
}

std::string path_of(std::string folder, const std::string& file) { return folder.append("/").append(file); }

std::vector<std::string> files_of(FileSystem& files, const std::string& folder) {
  std::vector<std::string> names;
  files.list(folder, names);
  std::erase_if(names, [](const std::string& name) { return !name.ends_with(end_of_name); });
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

RemoteCounters::RemoteCounters(FileSystem& files, std::string folder, const std::string& remote)
    : files_(files), folder_(std::move(folder)), counts_(files, folder_ + "/" + file_name(remote)) {}

RemoteCounters::~RemoteCounters() {
  try {
    if (make_directories(files_, folder_) == 0) counts_.flush();
  } catch (const std::exception&) {  // no memory
  }
}

std::vector<RemoteCacheStats> remote_stats(FileSystem& files, const std::string& folder) {
  std::vector<RemoteCacheStats> all;
  for (const std::string& file : files_of(files, folder)) {
    const Statistics::Counts counts = Statistics(files, path_of(folder, file)).totals();
    const auto of = [&counts](Counter counter) { return counts[static_cast<std::size_t>(counter)]; };
    all.push_back({remote_of(file), of(Counter::hits), of(Counter::misses), of(Counter::stores),
                   of(Counter::store_failures), of(Counter::refused), of(Counter::corrupt), of(Counter::waits)});
  }
  return all;
}

bool reset_remote_stats(FileSystem& files, const std::string& folder) {
  bool all = true;
  for (const std::string& file : files_of(files, folder)) all &= Statistics(files, path_of(folder, file)).reset();
  return all;
}

}  // namespace kiln
