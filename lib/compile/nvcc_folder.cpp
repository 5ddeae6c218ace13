#include "compile/nvcc_folder.hpp"

#include "base/environment.hpp"
#include "base/files.hpp"

#include <kiln/error.hpp>

#include <fcntl.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace kiln {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& path, int error) {
  throw Error(what + " " + path + ": " + std::generic_category().message(error) +
              ". nvcc needs a folder for its work: set TMPDIR to one that can be written and has room");
}

/// nvcc hands the path to a shell within double quotes, and escapes all but that one character.
std::string temporary_folder() {
  std::string folder = environment("TMPDIR").value_or("/tmp");
  if (folder.find('`') != std::string::npos) return "/tmp";
  if (folder.front() == '/') return folder;
  std::error_code error;
  const auto absolute = std::filesystem::absolute(folder, error);
  return error ? "/tmp" : absolute.string();
}

}  // namespace

NvccFolder::NvccFolder() : path_(temporary_folder() + "/kiln-nvcc-XXXXXX") {
  const std::string pattern = path_;
  if (::mkdtemp(path_.data()) == nullptr) refuse("cannot make the folder", pattern, errno);
}

NvccFolder::~NvccFolder() {
  std::error_code ignored;
  if (!kept_) std::filesystem::remove_all(path_, ignored);
}

void NvccFolder::write(const std::string& name, std::string_view bytes) const {
  if (const std::size_t slash = name.rfind('/'); slash != std::string::npos) make_folder(name.substr(0, slash));
  const std::string path = path_ + "/" + name;
  FileSystem& files = FileSystem::real();
  const int descriptor = files.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
  std::ptrdiff_t result = descriptor;
  while (result >= 0 && !bytes.empty()) {
    result = files.write(descriptor, bytes.data(), bytes.size());
    if (result == 0) result = -EIO;  // or a device that takes nothing would hold us for ever
    if (result > 0) bytes.remove_prefix(static_cast<std::size_t>(result));
  }
  // Some file systems report a full disk only here.
  const int closed = descriptor >= 0 ? files.close(descriptor) : 0;
  if (result >= 0) result = closed;
  if (result < 0) refuse("cannot write", path, static_cast<int>(-result));
}

void NvccFolder::make_folder(const std::string& name) const {
  const std::string path = path_ + "/" + name;
  const int code = make_directories(FileSystem::real(), path);
  if (code < 0) refuse("cannot make the folder", path, -code);
}

std::string NvccFolder::read(const std::string& name) const {
  std::string bytes;
  const int code = read_file(FileSystem::real(), path_ + "/" + name, bytes);
  if (code == -ENOENT) return {};
  if (code < 0) refuse("cannot read", path_ + "/" + name, -code);
  return bytes;
}

std::vector<std::string> NvccFolder::names(const std::string& folder, std::string_view ending) const {
  std::vector<std::string> found;
  FileSystem::real().list(path_ + "/" + folder, found);
  found.erase(std::remove_if(found.begin(), found.end(),
                             [&](const std::string& name) {
                               return name.size() < ending.size() ||
                                      name.compare(name.size() - ending.size(), ending.size(), ending) != 0;
                             }),
              found.end());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace kiln
