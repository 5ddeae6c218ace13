#include "worker/nvrtc/host_header.hpp"

#include "base/files.hpp"
#include "base/path_text.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace kiln {

namespace {

/// The paths of what is in a folder.
std::vector<std::string> folders_in(const std::string& folder) {
  std::vector<std::string> names;
  FileSystem::real().list(folder, names);
  for (std::string& name : names) name.insert(0, folder + "/");
  return names;
}

/// Where Linux systems and their compilers have headers. Of several versions beside each other every one counts.
std::vector<std::string> system_folders() {
  std::vector<std::string> folders = {"/usr/local/include", "/usr/include"};
  const auto add = [&folders](const std::vector<std::string>& more, const char* end) {
    for (const std::string& folder : more) folders.push_back(folder + end);
  };
  add(folders_in("/usr/include/c++"), "");
  for (const std::string& folder : folders_in("/usr/include")) {
    if (!folder.ends_with("-linux-gnu")) continue;
    folders.push_back(folder);
    add(folders_in(folder + "/c++"), "");
  }
  for (const std::string& target : folders_in("/usr/lib/gcc")) add(folders_in(target), "/include");
  return folders;
}

}  // namespace

bool host_has_header(const std::string& name) {
  if (name.empty() || is_absolute(name)) return false;
  const std::vector<std::string> folders = system_folders();
  return std::any_of(folders.begin(), folders.end(),
                     [&](const std::string& folder) { return is_regular_file(joined(folder, name)); });
}

}  // namespace kiln
