#include "own_headers.hpp"

#include "base/files.hpp"
#include "base/path_text.hpp"
#include "compile/headers/called_headers.hpp"
#include "toolkit/locate/toolkit.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

namespace kiln::tool {

namespace {

[[noreturn]] void throw_two_texts(const std::string& name, const std::string& one, const std::string& other) {
  throw Error("\"" + name + "\" is in " + one + " and, with another text, in " + other +
              ": which of them an include means would hang on where it stands. Rename one, or give fewer folders");
}

namespace fs = std::filesystem;

bool are_same(const fs::path& one, const fs::path& other) {
  std::error_code none;
  return fs::equivalent(one, other, none);
}

std::vector<std::string> own_folders(const std::string& file, const CompileOptions& options) {
  const fs::path beside = fs::absolute(file).parent_path();
  std::vector<std::string> folders = {beside.string()};
  const std::vector<std::string>& toolkit = current_toolkit().include_dirs;
  for (const fs::path& folder : options.include_dirs) {
    const auto is_it = [&folder](const std::string& other) { return are_same(folder, other); };
    if (std::none_of(toolkit.begin(), toolkit.end(), is_it) && !is_it(folders.front()))
      folders.push_back(fs::absolute(folder).string());
  }
  return folders;
}

class Search {
 public:
  explicit Search(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  std::optional<std::string> text_of(const std::string& name) {
    if (is_absolute(name) && is_regular_file(name))
      throw Error("\"" + name +
                  "\" is included by its absolute path, which is another machine's elsewhere: name it by " +
                  "a folder that -I gives");
    std::optional<std::string> text;
    std::string found;
    for (const std::string& folder : folders_) {
      const std::string path = joined(folder, name);
      if (is_absolute(name) || !is_regular_file(path)) continue;
      const std::string other = read_named_file(path);
      if (text && other != *text) throw_two_texts(name, found, path);
      if (text) continue;
      text = other;
      found = path;
    }
    if (text) files_.push_back(found);
    return text;
  }

  std::vector<std::string> files() const { return files_; }

 private:
  std::vector<std::string> folders_;
  std::vector<std::string> files_;
};

}  // namespace

OwnHeaders with_own_headers(std::string_view source, const std::string& file, const CompileOptions& options) {
  Search search(own_folders(file, options));
  CompileOptions called = options;
  called.header_callback = [&search](const std::string& name) { return search.text_of(name); };
  OwnHeaders own{with_called_headers(source, called).value_or(options), {}};
  own.options.include_dirs.clear();
  own.files = search.files();
  return own;
}

}  // namespace kiln::tool
