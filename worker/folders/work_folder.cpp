#include "worker/folders/work_folder.hpp"

#include "base/files.hpp"

#include <boost/filesystem.hpp>
#include <boost/system/error_code.hpp>
#include <kiln/error.hpp>

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace kiln {

namespace fs = boost::filesystem;

namespace {

std::string reason_of(int error) { return std::generic_category().message(error); }

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
  boost::system::error_code error;
  const fs::path working_folder = fs::current_path(error);
  return error ? "/tmp" : fs::absolute(folder, working_folder).string();
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
  if (error != 0) refuse("cannot make the folder", path_, reason_of(error));
}

// The lock on the folder, which keeps others from removing it, goes after what is in it.
WorkFolder::~WorkFolder() {
  boost::system::error_code ignored;
  if (temporary_) fs::remove_all(path_, ignored);
}

void keep_folders_below(std::string folder) { kept_folders().place = std::move(folder); }
void report_kept_folders(std::function<void(const std::string&)> report) { kept_folders().report = std::move(report); }

void WorkFolder::refuse(const std::string& what, const std::string& path, const std::string& reason) const {
  throw Error(what + " " + path + ": " + reason + ". " + compiler_ +
              " needs a folder for its work: set TMPDIR to one that can be written and has room");
}

void WorkFolder::write(const std::string& name, std::string_view bytes) const {
  if (const std::size_t slash = name.rfind('/'); slash != std::string::npos) make_folder(name.substr(0, slash));
  const std::string path = path_ + "/" + name;
  const int code = publish_file(FileSystem::real(), path_, path, bytes);
  if (code < 0) refuse("cannot write", path, reason_of(-code));
}

void WorkFolder::make_folder(const std::string& name) const {
  const std::string path = path_ + "/" + name;
  boost::system::error_code error;
  fs::create_directories(path, error);
  if (error) refuse("cannot make the folder", path, error.message());
}

std::string WorkFolder::read(const std::string& name) const {
  std::string bytes;
  const int code = read_file(FileSystem::real(), path_ + "/" + name, bytes);
  if (code == -ENOENT || code == -EISDIR || code == -EINVAL) return {};
  if (code < 0) refuse("cannot read", path_ + "/" + name, reason_of(-code));
  return bytes;
}

std::vector<std::string> WorkFolder::names(const std::string& folder, std::string_view ending) const {
  std::vector<std::string> found;
  boost::system::error_code error;
  for (fs::directory_iterator at(path_ + "/" + folder, error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().string();
    if (name.ends_with(ending)) found.push_back(std::move(name));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string real_folder(const std::string& path) {
  boost::system::error_code error;
  const fs::path real = fs::canonical(path, error);
  return error ? std::string() : real.string();
}

}  // namespace kiln
