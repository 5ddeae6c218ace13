#include "compile/include_cycle.hpp"

#include "base/files.hpp"
#include "base/path_text.hpp"
#include "compile/header_origin.hpp"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace kiln {

namespace {

using FileId = std::pair<std::uint64_t, std::uint64_t>;

class CycleSearch {
 public:
  CycleSearch(FileSystem& files, const HeaderSearch& search) : files_(files), search_(search) {}

  bool leads_back(const std::string& path) {
    FileId start;
    if (!read(path, start)) return false;
    while (!pending_.empty() && !found_) {
      const auto [header, folder] = std::move(pending_.back());
      pending_.pop_back();
      const auto memory = search_.memory.find(header.name);
      if (memory != search_.memory.end()) {
        if (seen_memory_.insert(header.name).second)
          scan(memory->second, folder_of(joined(search_.working_folder, header.name)));
        continue;
      }
      const std::string next = included_file(files_, search_, header, folder);
      FileId id;
      if (!next.empty() && read(next, id)) found_ |= id == start;
    }
    return found_;
  }

 private:
  /// Notes what an own header includes, the first time that it is met. False for any other file.
  bool read(const std::string& path, FileId& id) {
    std::string text;
    FileStatus status;
    if (origin_of(path, search_) != HeaderOrigin::own || read_file(files_, path, text, status) != 0) return false;
    id = {status.device, status.inode};
    if (seen_.insert(id).second) scan(text, folder_of(path));
    return true;
  }

  void scan(const std::string& text, const std::string& folder) {
    SourceScan scan = scan_source(text);
    found_ |= scan.macro_include;
    for (HeaderName& header : scan.includes) pending_.emplace_back(std::move(header), folder);
  }

  FileSystem& files_;
  const HeaderSearch& search_;
  std::vector<std::pair<HeaderName, std::string>> pending_;
  std::set<FileId> seen_;
  std::set<std::string> seen_memory_;
  bool found_ = false;
};

}  // namespace

std::string included_file(FileSystem& files, const HeaderSearch& search, const HeaderName& header,
                          const std::string& folder) {
  std::vector<std::string> places;
  if (header.quoted || is_absolute(header.name)) places.push_back(joined(folder, header.name));
  for (const std::string& dir : search.dirs) places.push_back(joined(dir, header.name));
  for (std::string& place : places) {
    FileStatus status;
    if (files.status(place, status) == 0 && status.is_regular()) return std::move(place);
  }
  return {};
}

bool may_include_itself(FileSystem& files, const HeaderSearch& search, const std::string& path) {
  return CycleSearch(files, search).leads_back(path);
}

}  // namespace kiln
