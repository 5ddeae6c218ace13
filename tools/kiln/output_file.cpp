#include "output_file.hpp"

#include "base/files.hpp"
#include "base/printable_text.hpp"

#include <kiln/error.hpp>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <unistd.h>

namespace kiln::tool {

namespace {

[[noreturn]] void throw_unwritable(const std::string& path, int error) {
  throw Error("cannot write " + path + ": " + std::generic_category().message(error));
}

void write_standard_output(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0)
    throw_unwritable("standard output", errno);
}

}  // namespace

void write_output(const std::string& path, std::string_view bytes) {
  if (path == "-") return write_standard_output(bytes);
  if (const int code = write_named_file(path, bytes); code != 0) throw_unwritable(path, -code);
}

std::string why_unwritable(const std::string& file) {
  if (file.empty() || file == "-") return {};
  std::error_code none;
  if (std::filesystem::is_directory(file, none)) return "it is a folder";
  if (std::filesystem::exists(file, none)) return {};
  const std::filesystem::path parent = std::filesystem::path(file).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (!std::filesystem::exists(folder, none)) return "there is no folder " + folder;
  if (!std::filesystem::is_directory(folder, none)) return folder + " is no folder";
  if (::access(folder.c_str(), W_OK) == 0) return {};
  return "nothing can be made in the folder " + folder + ": " + std::generic_category().message(errno);
}

void require_folder_of(const std::string& option, const std::string& file) {
  if (const std::string why = why_unwritable(file); !why.empty())
    throw Error(option + ": cannot write " + file + ": " + why);
}

void print(std::string_view text) { write_standard_output(printable_text(text)); }

void print_json(std::string_view json) { write_standard_output(printable_json(json)); }

void say(std::string_view text) noexcept {
  try {
    const std::string printable = printable_text(text);
    std::fwrite(printable.data(), 1, printable.size(), stderr);
  } catch (...) {  // no memory for the text
  }
}

void check_standard_output() {
  if (std::fflush(stdout) != 0) throw_unwritable("standard output", errno);
  if (std::ferror(stdout) != 0) throw Error("cannot write standard output: not all of it was written");
}

}  // namespace kiln::tool
