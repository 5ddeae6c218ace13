#include "toolkit/locate/toolkit_places.hpp"

#include <algorithm>
#include <fstream>

namespace kiln {
namespace {

namespace fs = std::filesystem;

// The files that an include line of ld.so.conf means: a pattern in the last component only, as every system has it.
std::vector<fs::path> included_files(const fs::path& pattern) {
  const std::string name = pattern.filename().string();
  const std::size_t star = name.find('*');
  if (star == std::string::npos) return {pattern};
  const std::string suffix = name.substr(star + 1);
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(pattern.parent_path(), error), end; !error && it != end; it.increment(error)) {
    const std::string file = it->path().filename().string();
    if (file.size() < star + suffix.size() || file.compare(0, star, name, 0, star) != 0) continue;
    if (file.compare(file.size() - suffix.size(), suffix.size(), suffix) == 0) found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string first_word(const std::string& line, std::size_t begin) {
  const std::size_t from = line.find_first_not_of(" \t", begin);
  if (from == std::string::npos) return {};
  return line.substr(from, line.find_first_of(" \t\r#", from) - from);
}

void read_configuration(const fs::path& file, const fs::path& system_root, int depth, std::vector<fs::path>& dirs) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::string word = first_word(line, 0);
    if (word.empty() || word[0] == '#') continue;
    if (word == "include" && depth < 4) {
      const fs::path pattern = first_word(line, line.find("include") + 7);
      const fs::path absolute =
          pattern.is_absolute() ? system_root / pattern.relative_path() : file.parent_path() / pattern;
      for (const fs::path& included : included_files(absolute))
        read_configuration(included, system_root, depth + 1, dirs);
    } else if (word[0] == '/') {
      dirs.push_back(system_root / fs::path(word).relative_path());
    }
  }
}

}  // namespace

std::vector<fs::path> loader_dirs(const ToolkitSearch& search) {
  std::vector<fs::path> dirs;
  std::size_t begin = 0;
  while (begin < search.library_path.size()) {
    const std::size_t end = std::min(search.library_path.find_first_of(":;", begin), search.library_path.size());
    if (end > begin) dirs.emplace_back(search.library_path.substr(begin, end - begin));
    begin = end + 1;
  }
  read_configuration(search.system_root / "etc/ld.so.conf", search.system_root, 0, dirs);
  for (const char* folder : {"usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu", "usr/lib64", "usr/lib",
                             "usr/local/lib64", "usr/local/lib", "lib64", "lib"})
    dirs.push_back(search.system_root / folder);
  return dirs;
}

}  // namespace kiln
