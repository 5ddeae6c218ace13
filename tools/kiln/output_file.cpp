#include "output_file.hpp"

#include "base/files.hpp"
#include "base/printable_text.hpp"

#include <kiln/error.hpp>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

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

void require_folder_of(const std::string& option, const std::string& file) {
  if (file.empty() || file == "-") return;
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::error_code none;
  if (!folder.empty() && !std::filesystem::is_directory(folder, none))
    throw Error(option + ": cannot write " + file + ": there is no folder " + folder.string());
  if (std::filesystem::is_directory(file, none)) throw Error(option + ": cannot write " + file + ": it is a folder");
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
