#include "compile/compiler/work_folder.hpp"

#include "base/files.hpp"

#include <kiln/error.hpp>

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace kiln {

namespace {

// Written by a worker between its jobs alone.
struct KeptFolders {
  std::string place;
  std::function<void(const std::string&)> report;
};
KeptFolders& kept_folders() {
  static KeptFolders folders;
  return folders;
}

/// nvcc hands the path to a shell within double quotes, and escapes all but that one character.
std::string usable(std::string folder) {
  if (folder.find('`') != std::string::npos) return "/tmp";
  if (folder.front() == '/') return folder;
  std::error_code error;
  const auto absolute = std::filesystem::absolute(folder, error);
  return error ? "/tmp" : absolute.string();
}

}  // namespace

WorkFolder::WorkFolder(std::string compiler, bool kept) : compiler_(std::move(compiler)) {
  int error = 0;
  if (kept) {
    const auto& [place, report] = kept_folders();
    path_ = usable(place.empty() ? temporary_files() : place) + "/kiln-" + compiler_ + "-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) error = errno;
    if (error == 0 && report) report(path_);
  } else {
    temporary_.emplace(usable(temporary_files()), compiler_);
    path_ = temporary_->path();
    error = temporary_->error();
  }
  if (error != 0) refuse("cannot make the folder", path_, error);
}

void keep_folders_below(std::string folder) { kept_folders().place = std::move(folder); }
void report_kept_folders(std::function<void(const std::string&)> report) { kept_folders().report = std::move(report); }

void WorkFolder::refuse(const std::string& what, const std::string& path, int error) const {
  throw Error(what + " " + path + ": " + std::generic_category().message(error) + ". " + compiler_ +
              " needs a folder for its work: set TMPDIR to one that can be written and has room");
}

void WorkFolder::write(const std::string& name, std::string_view bytes) const {
  if (const std::size_t slash = name.rfind('/'); slash != std::string::npos) make_folder(name.substr(0, slash));
  const std::string path = path_ + "/" + name;
  const int code = publish_file(FileSystem::real(), path_, path, bytes);
  if (code < 0) refuse("cannot write", path, -code);
}

void WorkFolder::make_folder(const std::string& name) const {
  const std::string path = path_ + "/" + name;
  const int code = make_directories(FileSystem::real(), path);
  if (code < 0) refuse("cannot make the folder", path, -code);
}

std::string WorkFolder::read(const std::string& name) const {
  std::string bytes;
  const int code = read_file(FileSystem::real(), path_ + "/" + name, bytes);
  if (code == -ENOENT || code == -EISDIR || code == -EINVAL) return {};
  if (code < 0) refuse("cannot read", path_ + "/" + name, -code);
  return bytes;
}

std::vector<std::string> WorkFolder::names(const std::string& folder, std::string_view ending) const {
  std::vector<std::string> found;
  FileSystem::real().list(path_ + "/" + folder, found);
  std::erase_if(found, [&](const std::string& name) { return !name.ends_with(ending); });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace kiln
