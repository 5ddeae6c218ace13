#include "toolkit/locate/host_compiler.hpp"

#include "base/environment.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"
#include "toolkit/locate/toolkit_places.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace kiln {
namespace {

namespace fs = std::filesystem;

// What nvcc runs where no option or variable names another.
constexpr const char* usual_compiler = "gcc";

bool is_compiler_cache(const std::string& file) {
  const std::string name = file_name_of(file);
  return name == "ccache" || name == "sccache" || name == "distcc" || name == "icecc";
}

// The program, and where that is a compiler cache all of that name after it on PATH up to a compiler.
std::vector<std::string> find_compilers(const std::string& name, const std::string& path) {
  std::vector<std::string> found;
  for (const std::string& folder : split(path, ':')) {
    auto program = find_program(folder, name);
    if (!program) continue;
    found.push_back(*std::move(program));
    if (!is_compiler_cache(found.back())) break;
  }
  return found;
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    found.push_back(it->path());
  std::sort(found.begin(), found.end());
  return found;
}

// The "x86_64-linux-gnu" of x86_64-linux-gnu-gcc-12; empty where the name has none.
std::string triple_in_name(const std::string& compiler) {
  const std::string name = file_name_of(compiler);
  const std::size_t end = std::min(name.find("-gcc"), name.find("-g++"));
  return end == std::string::npos ? "" : name.substr(0, end);
}

// The "12" of x86_64-linux-gnu-gcc-12.
std::string version_in_name(const std::string& compiler) {
  const std::string name = file_name_of(compiler);
  const std::size_t dash = name.rfind('-');
  const std::string tail = dash == std::string::npos ? "" : name.substr(dash + 1);
  const bool digits = tail.find_first_not_of("0123456789.") == std::string::npos;
  return digits ? tail : "";
}

// lib/gcc/<triple>/<version>/cc1plus beside the compiler's folder. Where several may be meant, all of them.
void add_cc1plus(const std::string& compiler, std::vector<std::string>& files) {
  const std::string prefix = folder_of(folder_of(compiler));
  const std::string version = version_in_name(compiler);
  const std::string triple_named = triple_in_name(compiler);
  if (!version.empty() && !triple_named.empty()) {
    std::string usual = prefix + "/lib/gcc/" + triple_named + "/" + version + "/cc1plus";
    if (exists(usual)) return files.push_back(std::move(usual));
  }
  const std::size_t before = files.size();
  for (const char* library : {"lib/gcc", "libexec/gcc", "lib64/gcc"}) {
    for (const fs::path& triple : folders_in(prefix + "/" + library))
      for (const fs::path& folder : version.empty() ? folders_in(triple) : std::vector<fs::path>{triple / version})
        if (auto file = resolved(folder / "cc1plus")) files.push_back(*std::move(file));
    if (files.size() != before) return;
  }
}

}  // namespace

HostCompilerSearch host_compiler_search(const std::vector<std::string>& options) {
  HostCompilerSearch search;
  search.path = environment("PATH").value_or("");
  search.wanted = environment("NVCC_CCBIN").value_or("");
  for (std::size_t at = 0; at < options.size(); ++at)
    for (const std::string& name : {std::string("-ccbin"), std::string("--compiler-bindir")}) {
      const std::string& option = options[at];
      if (option == name && at + 1 < options.size()) search.wanted = options[at + 1];
      for (const char* joint : {"=", " "})
        if (option.compare(0, name.size() + 1, name + joint) == 0) search.wanted = option.substr(name.size() + 1);
    }
  return search;
}

std::vector<std::string> host_compiler_files(const HostCompilerSearch& search) {
  std::string wanted = search.wanted.empty() ? usual_compiler : search.wanted;
  std::error_code error;
  if (wanted.find('/') != std::string::npos && fs::is_directory(wanted, error))
    wanted += std::string("/") + usual_compiler;
  std::vector<std::string> compilers;
  if (wanted.find('/') == std::string::npos) {
    compilers = find_compilers(wanted, search.path);
  } else if (auto file = resolved(wanted)) {
    compilers.push_back(std::move(*file));
  }
  std::vector<std::string> files = compilers;
  if (!compilers.empty() && !is_clang(files)) add_cc1plus(compilers.back(), files);
  return files;
}

bool is_clang(const std::vector<std::string>& host_compiler_files) {
  return std::any_of(host_compiler_files.begin(), host_compiler_files.end(), [](const std::string& file) {
    return file.find("clang", file.rfind('/') + 1) != std::string::npos;
  });
}

}  // namespace kiln
