#include "base/path_text.hpp"

#include <unistd.h>

#include <cstddef>

namespace kiln {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

std::string file_name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string joined(const std::string& folder, const std::string& name) {
  if (is_absolute(name) || folder.empty()) return name;
  return folder == "/" ? folder + name : folder + "/" + name;
}

std::optional<std::string> rest_below(const std::string& path, const std::string& folder) {
  if (path == folder) return "";
  const std::size_t slash = folder == "/" ? 0 : folder.size();
  if (path.size() <= slash || path.compare(0, slash, folder, 0, slash) != 0 || path[slash] != '/') return std::nullopt;
  return path.substr(slash + 1);
}

std::string absolute_folder(const std::string& path, const std::string& working_folder) {
  std::string folder = is_absolute(path) ? path : (working_folder == "/" ? "" : working_folder) + "/" + path;
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder;
}

std::string folder_of_name(const std::string& name, const std::string& working_folder) {
  const std::size_t slash = name.rfind('/');
  if (slash == std::string::npos) return working_folder;
  return absolute_folder(name.substr(0, slash == 0 ? 1 : slash), working_folder);
}

std::string working_folder() {
  char buffer[4096];
  return ::getcwd(buffer, sizeof buffer) == nullptr ? "/" : buffer;
}

}  // namespace kiln
