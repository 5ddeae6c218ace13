#include "output_file.hpp"

#include "base/files.hpp"

#include <kiln/error.hpp>

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace kiln::tool {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void throw_unwritable(const std::string& path, int error) {
  throw Error("cannot write " + path + ": " + std::generic_category().message(error));
}

void write_stream(std::FILE* stream, const std::string& path, std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stream) != bytes.size() || std::fflush(stream) != 0)
    throw_unwritable(path, errno);
}

void write_in_place(const std::string& path, std::string_view bytes) {
  std::FILE* stream = std::fopen(path.c_str(), "we");
  if (!stream) throw_unwritable(path, errno);
  try {
    write_stream(stream, path, bytes);
  } catch (...) {
    std::fclose(stream);
    throw;
  }
  if (std::fclose(stream) != 0) throw_unwritable(path, errno);
}

/// The permissions that an ordinary new file gets.
mode_t new_file_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

void write_output(const std::string& path, std::string_view bytes) {
  if (path == "-") return write_stream(stdout, "standard output", bytes);
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);  // or what is not there yet would have no parent
  if (error) throw_unwritable(path, error.value());
  const fs::path target = fs::weakly_canonical(absolute, error);  // a link stays a link
  if (error) throw_unwritable(path, error.value());
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status)) throw_unwritable(path, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_in_place(path, bytes);

  const mode_t mode = fs::exists(status) ? static_cast<mode_t>(status.permissions()) : new_file_mode();
  const int result = publish_file(FileSystem::real(), target.parent_path().string(), target.string(), bytes);
  if (result < 0) throw_unwritable(path, -result);
  ::chmod(target.c_str(), mode);
}

}  // namespace kiln::tool
