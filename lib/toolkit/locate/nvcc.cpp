#include "toolkit/locate/nvcc.hpp"

#include "base/files.hpp"
#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"
#include "toolkit/locate/host_compiler.hpp"
#include "toolkit/locate/toolkit_places.hpp"

#include <kiln/error.hpp>

#include <unistd.h>

#include <cerrno>
#include <map>
#include <mutex>
#include <tuple>

namespace kiln {
namespace {

namespace fs = std::filesystem;

// A link that leads elsewhere, to a compiler cache, is what must be called.
std::string followed_to_nvcc(const std::string& path) {
  const auto target = resolved(path);
  return target && target->compare(target->rfind('/') + 1, 4, "nvcc") == 0 ? *target : path;
}

std::optional<std::string> on_path(const std::string& path_variable, const std::string& name) {
  for (const std::string& folder : split(path_variable, ':')) {
    if (folder.front() != '/') continue;  // another user who can write there could choose the program
    if (is_program(folder + "/" + name)) return followed_to_nvcc(folder + "/" + name);
  }
  return std::nullopt;
}

std::optional<std::string> usual_nvcc(const Toolkit& toolkit, const ToolkitSearch& search) {
  if (toolkit.root)
    for (const char* place : {"/bin/nvcc", "/cuda_nvcc/bin/nvcc"})  // the second of CUDA 12's wheels
      if (is_program(*toolkit.root + place)) return followed_to_nvcc(*toolkit.root + place);
  if (auto found = on_path(search.path, "nvcc")) return found;
  for (const fs::path& root : default_toolkit_roots(search))
    if (const std::string nvcc = (root / "bin/nvcc").string(); is_program(nvcc)) return followed_to_nvcc(nvcc);
  return std::nullopt;
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  return error ? path : whole.string();
}

[[noreturn]] void throw_no_nvcc(const std::string& wanted, const Toolkit& toolkit, const ToolkitSearch& search,
                                const std::string& what_else) {
  const std::string advice =
      "\nInstall a CUDA toolkit from https://developer.nvidia.com/cuda-downloads, or name an nvcc "
      "by CompileOptions::nvcc.path or PATH; or compile with NVRTC, which needs none.";
  if (wanted.find('/') != std::string::npos) {
    const std::string path = absolute(wanted);
    const fs::file_status status = [&] {
      std::error_code ignored;
      return fs::status(path, ignored);
    }();
    const std::string fault = !fs::exists(status)        ? "is not there"
                              : fs::is_directory(status) ? "is a folder: name the program in it"
                                                         : "is not executable";
    throw ToolkitError("the nvcc " + path + " " + fault + "." + advice, {path});
  }
  std::vector<std::string> places;
  if (wanted.empty()) {
    places.push_back("the toolkit " + toolkit.root.value_or("(none found)"));
    places.push_back("PATH: " + search.path);
    places.push_back("the default install folders below " + (search.system_root / "usr/local").string());
  } else {
    places.push_back("PATH: " + search.path);
  }
  std::string text = "no " + (wanted.empty() ? "nvcc" : wanted) + " was found" + what_else + ". Searched, in order:";
  for (const std::string& place : places) text += "\n  " + place;
  throw ToolkitError(text + advice, places);
}

// Debian's /usr/bin/nvcc is a shell script that calls the one in the toolkit's own folder.
std::optional<std::string> called_by_script(const std::string& nvcc) {
  constexpr std::uint64_t largest_script = 65536;
  std::string text;
  FileStatus status;
  FileSystem& files = FileSystem::real();
  if (files.status(nvcc, status) != 0 || status.size > largest_script) return std::nullopt;
  if (read_file(files, nvcc, text, status, {0, largest_script}) != 0 || text.substr(0, 2) != "#!") return std::nullopt;
  for (std::size_t end = text.find("/nvcc"); end != std::string::npos; end = text.find("/nvcc", end + 1)) {
    const std::size_t begin = text.find_last_of(" \t\n\"'=", end) + 1;
    const std::string path = text.substr(begin, end + 5 - begin);
    if (path.front() == '/' && path != nvcc && is_program(path)) return followed_to_nvcc(path);
  }
  return std::nullopt;
}

// One call where the last part of the path is no link, as in toolkits; nothing where there is no such file.
std::optional<std::string> file_at(const std::string& path) {
  char ignored;
  if (::readlink(path.c_str(), &ignored, 1) < 0) return errno == EINVAL ? std::optional(path) : std::nullopt;
  return resolved(path);
}

std::vector<std::string> look_for_parts(const std::string& nvcc, const HostCompilerSearch& host) {
  std::vector<std::string> parts = {nvcc};
  if (const auto target = file_at(nvcc); target && *target != nvcc) parts.push_back(*target);
  const auto called = called_by_script(nvcc);
  if (called) parts.push_back(*called);
  const std::string folder = folder_of(called.value_or(nvcc));
  const std::string root = folder_of(folder);
  const auto add = [&](std::initializer_list<std::string> places) {
    for (const std::string& place : places)
      if (auto file = file_at(place)) return parts.push_back(*std::move(file));
  };
  add({folder + "/nvcc.profile", "/etc/nvcc.profile"});
  add({root + "/nvvm/bin/cicc", folder + "/cicc"});
  for (const char* name : {"/ptxas", "/cudafe++", "/fatbinary", "/nvlink"}) add({folder + name});
  add({root + "/nvvm/libdevice/libdevice.10.bc", root + "/libdevice/libdevice.10.bc"});
  for (std::string& file : host_compiler_files(host)) parts.push_back(std::move(file));
  return parts;
}

struct PartsMemo {
  ForkSafeMutex mutex;
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::string>> known;
};

}  // namespace

std::optional<std::string> look_for_nvcc(const std::string& wanted, const Toolkit& toolkit,
                                         const ToolkitSearch& search) {
  if (wanted.empty()) return usual_nvcc(toolkit, search);
  if (wanted.find('/') == std::string::npos) return on_path(search.path, wanted);
  const std::string path = absolute(wanted);
  return is_program(path) ? std::optional(followed_to_nvcc(path)) : std::nullopt;
}

std::optional<std::string> look_for_nvcc(const std::string& wanted) {
  return look_for_nvcc(wanted, current_toolkit(), ToolkitSearch::from_environment());
}

void throw_no_nvcc(const std::string& what_else) {
  throw_no_nvcc({}, current_toolkit(), ToolkitSearch::from_environment(), what_else);
}

std::string require_nvcc(const std::string& wanted, const Toolkit& toolkit, const ToolkitSearch& search) {
  if (auto nvcc = look_for_nvcc(wanted, toolkit, search)) return *std::move(nvcc);
  throw_no_nvcc(wanted, toolkit, search, {});
}

std::string require_nvcc(const std::string& wanted) {
  return require_nvcc(wanted, current_toolkit(), ToolkitSearch::from_environment());
}

std::vector<std::string> nvcc_parts(const std::string& nvcc, const std::vector<std::string>& options) {
  const HostCompilerSearch host = host_compiler_search(options);
  auto& memo = fork_safe_instance<PartsMemo>();
  const auto key = std::make_tuple(nvcc, host.wanted, host.path);
  {
    const std::lock_guard lock(memo.mutex);
    if (const auto found = memo.known.find(key); found != memo.known.end()) return found->second;
  }
  std::vector<std::string> parts = look_for_parts(nvcc, host);
  const std::lock_guard lock(memo.mutex);
  memo.known[key] = parts;
  return parts;
}

std::vector<std::string> nvcc_include_dirs(const std::string& root) {
  std::vector<std::string> dirs;
  for (const char* folder :
       {"/targets/x86_64-linux/include", "/targets/sbsa-linux/include", "/targets/aarch64-linux/include", "/include"}) {
    const std::string include = root + folder;
    if (!exists(include + "/cuda_runtime.h")) continue;
    dirs.push_back(include);
    if (exists(include + "/cccl")) dirs.push_back(include + "/cccl");
    break;
  }
  return dirs;
}

std::string nvcc_root(const std::string& nvcc) { return folder_of(folder_of(called_by_script(nvcc).value_or(nvcc))); }

}  // namespace kiln
