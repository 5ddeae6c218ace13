#include "toolkit/locate/toolkit_places.hpp"

#include "base/text_parts.hpp"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

namespace kiln {
namespace {

namespace fs = std::filesystem;

// "cuda-12.10" gives {12, 10}: versions sort by number.
std::vector<int> version_in(const std::string& name) {
  std::vector<int> version;
  for (std::size_t at = name.find_first_of("0123456789"); at != std::string::npos;) {
    int part = 0;
    const auto [end, error] = std::from_chars(name.data() + at, name.data() + name.size(), part);
    version.push_back(error == std::errc() ? part : 0);
    at = name.find_first_of("0123456789", static_cast<std::size_t>(end - name.data()));
  }
  return version;
}

// Folders whose names begin so, the newest version first.
std::vector<fs::path> versioned(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().filename().string().compare(0, prefix.size(), prefix) == 0) found.push_back(it->path());
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    return version_in(a.filename().string()) > version_in(b.filename().string());
  });
  return found;
}

// As PATH names it, links not followed.
std::optional<std::string> first_on_path(const std::string& path_variable, const std::string& name) {
  for (const std::string& folder : split(path_variable, ':')) {
    if (folder.front() != '/') continue;  // another user who can write there could choose the program
    std::string candidate = folder + '/' + name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return std::nullopt;
}

}  // namespace

bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

bool is_program(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<std::string> resolved(const std::string& path) {
  char buffer[PATH_MAX];
  if (::realpath(path.c_str(), buffer) == nullptr) return std::nullopt;
  return std::string(buffer);
}

std::optional<std::string> followed(std::string path) {
  std::array<char, 4096> buffer;
  for (int links = 0; links < 16; ++links) {
    const ssize_t size = ::readlink(path.c_str(), buffer.data(), buffer.size());
    if (size < 0 && errno == EINVAL) return path;  // no link
    if (size <= 0) return std::nullopt;
    const std::string target(buffer.data(), static_cast<std::size_t>(size));
    path = target.front() == '/' ? target : path.substr(0, path.rfind('/') + 1) + target;
  }
  return std::nullopt;
}

std::optional<std::string> find_program(const std::string& path_variable, const std::string& name) {
  const auto found = first_on_path(path_variable, name);
  return found ? resolved(*found) : std::nullopt;
}

std::vector<fs::path> default_toolkit_roots(const ToolkitSearch& search) {
  const fs::path local = search.system_root / "usr/local";
  std::vector<fs::path> roots = versioned(local, "cuda-");
  roots.insert(roots.begin(), local / "cuda");
  return roots;
}

std::vector<fs::path> python_package_dirs(const ToolkitSearch& search) {
  std::vector<fs::path> dirs;
  const auto add = [&](const fs::path& lib, const char* packages) {
    for (const fs::path& python : versioned(lib, "python3.")) dirs.push_back(python / packages);
  };
  if (!search.virtual_env.empty()) add(fs::path(search.virtual_env) / "lib", "site-packages");
  if (!search.conda_prefix.empty()) add(fs::path(search.conda_prefix) / "lib", "site-packages");
  if (const auto python = first_on_path(search.path, "python3")) {
    // In a virtual environment python3 is a link to the one that it was made from, whose packages are not its own.
    const fs::path root = fs::path(*python).parent_path().parent_path();
    if (exists(root / "pyvenv.cfg")) add(root / "lib", "site-packages");
    if (const auto real = resolved(*python)) add(fs::path(*real).parent_path().parent_path() / "lib", "site-packages");
  }
  if (!search.home.empty()) add(fs::path(search.home) / ".local/lib", "site-packages");
  dirs.push_back(search.system_root / "usr/lib/python3/dist-packages");
  add(search.system_root / "usr/local/lib", "dist-packages");
  add(search.system_root / "usr/local/lib", "site-packages");
  return dirs;
}

}  // namespace kiln
