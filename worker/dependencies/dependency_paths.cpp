#include "worker/dependencies/dependency_paths.hpp"

#include "base/environment.hpp"
#include "base/path_text.hpp"
#include "base/temporary_folder.hpp"
#include "base/text_parts.hpp"
#include "worker/dependencies/header_origin.hpp"
#include "worker/folders/work_folder.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace kiln {

std::string written_shorter(std::string_view path, bool up) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::string_view part = next_part(path, '/');
    if (part.empty() || part == ".") continue;
    if (up && part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string shorter;
  for (const std::string_view part : parts) shorter.append("/").append(part);
  return shorter.empty() ? "/" : shorter;
}

namespace {

bool is_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

/// The compilers' own files and the loader's, wherever the compilers are installed.
bool is_of_the_system(std::string_view path) {
  if (is_below(path, "/dev") && !is_below(path, "/dev/shm")) return true;
  for (const std::string_view folder : {"/proc", "/sys", "/etc/localtime", "/usr/lib/locale", "/usr/share/locale",
                                        "/usr/share/zoneinfo", "/etc/malloc.conf"})
    if (is_below(path, folder)) return true;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t version = name.find(".so.");
  const bool is_library =
      name.ends_with(".so") || (version < name.size() - 4 && name[version + 4] >= '0' && name[version + 4] <= '9');
  return is_library || path.starts_with("/etc/ld.so.") || name.starts_with("gconv-modules");
}

/// Its programs, and what these read of themselves.
bool is_of_the_compiler(const std::string& path, const HeaderSearchPaths& search) {
  if (search.compiler_folder.empty() || origin_of(path, search) == HeaderOrigin::toolkit) return false;
  for (const char* folder : {"bin", "lib", "lib64", "libexec", "nvvm", "targets"})
    if (is_below(path, joined(search.compiler_folder, folder))) return RootedPath::relate(path, search.roots).root < 0;
  return false;
}

/// Those that the variables list.
std::vector<std::string> listed_folders(std::initializer_list<const char*> variables) {
  std::vector<std::string> folders;
  for (const char* variable : variables) {
    const std::string list = environment(variable).value_or("");
    for (std::string_view rest = list; !rest.empty();) {
      std::string folder = written_shorter(next_part(rest, ':'), true);
      if (folder != "/") folders.push_back(std::move(folder));
    }
  }
  return folders;
}

/// Where compilers look for programs and libraries, which have nothing to do with headers. The host compiler's identity
/// is that of the programs that it finds.
bool is_looked_for_by_a_driver(const FileQuestion& question, const std::string& path, const HeaderSearchPaths& search,
                               const std::vector<std::string>& program_folders) {
  if (search.compiler_folder.empty() || RootedPath::relate(path, search.roots).root >= 0) return false;
  // Clang lists the folders in which an installation of GCC may be.
  if (question.opened && question.answer == FileQuestion::Answer::folder) return true;
  if (question.opened || origin_of(path, search) == HeaderOrigin::toolkit) return false;
  // GCC looks for libraries beside the folders of LIBRARY_PATH, too: in "folder/../lib" or "folder/../lib64".
  const std::string spelled = written_shorter(question.path);
  return is_below(path, "/lib") || is_below(path, "/lib64") ||
         std::any_of(program_folders.begin(), program_folders.end(), [&](const std::string& folder) {
           return is_below(path, folder) || spelled.starts_with(folder + "/../lib");
         });
}

constexpr std::string_view nvrtc_header = "__nv_nvrtc_builtin_header.h";

/// nvcc's host compiler is given the working folder by its path. NVRTC 13.5 puts it before each name.
bool makes_paths_absolute(const HeaderSearchPaths& search, const FileRecord& record) {
  const std::string path = joined(search.working_folder, std::string(nvrtc_header));
  return search.quotes_reach_source || std::any_of(record.questions.begin(), record.questions.end(),
                                                   [&](const FileQuestion& question) { return question.path == path; });
}

/// "t\303\244st": the assembler in NVRTC looks for the files of line information as PTX spells them, and finds none.
bool is_spelled_as_in_ptx(const FileQuestion& question) {
  const auto is_octal = [&](std::size_t at) { return question.path[at] >= '0' && question.path[at] <= '7'; };
  for (std::size_t at = question.path.find('\\'); at != std::string::npos && at + 3 < question.path.size();
       at = question.path.find('\\', at + 1))
    if (is_octal(at + 1) && is_octal(at + 2) && is_octal(at + 3))
      return question.answer == FileQuestion::Answer::absent;
  return false;
}

/// Folders of Kiln and files of nvcc, which do not exist after the compile.
bool is_temporary(std::string_view path, const std::string& folder) {
  if (path == folder) return true;
  if (!is_below(path, folder)) return false;
  const std::string_view rest = path.substr(folder == "/" ? 1 : folder.size() + 1);
  return rest.starts_with("kiln-tmp-") || rest.starts_with("tmpxft_");
}

}  // namespace

DependencyPaths::DependencyPaths(FileSystem& files, const HeaderSearchPaths& search, const FileRecord& record)
    : files_(files),
      search_(search),
      working_folder_root_(working_folder_root(search.working_folder)),
      temporary_folder_(written_shorter(temporary_files(), true)),
      program_folders_(listed_folders({"PATH", "LIBRARY_PATH"})),
      asks_absolutely_(makes_paths_absolute(search, record)) {
  const auto add = [](auto& links, const std::string& folder) {
    std::string real = real_folder(folder);
    if (!real.empty() && real != folder) links.emplace_back(std::move(real), folder);
  };
  for (const std::string& folder : search.toolkit) add(links_, folder);
  if (search.compiler_folder.empty()) return;
  for (std::size_t i = 0; i < search.own_roots; ++i)
    if (!search.is_working_folder_root(i)) add(own_links_, search.roots.paths[i]);
}

/// GCC goes on from a system header by the path to which links lead, where that is shorter.
std::string DependencyPaths::as_spelled(std::string path) const {
  for (const auto& [real, spelled] : links_)
    if (const auto rest = rest_below(path, real); rest && RootedPath::relate(path, search_.roots).root < 0)
      return rest->empty() ? spelled : joined(spelled, *rest);
  return path;
}

bool DependencyPaths::is_from_working_folder(const std::string& path) const {
  if (is_below(path, working_folder_root_)) return true;
  return asks_absolutely_ && !search_.quotes_reach_source && rest_below(path, search_.working_folder) &&
         RootedPath::relate(path, search_.roots).root < 0;
}

bool DependencyPaths::is_irrelevant(const FileQuestion& question) const {
  if (!question.by_compiler) return true;
  const std::string path = as_spelled(written_shorter(question.path, true));
  if (is_temporary(path, temporary_folder_) || is_of_the_system(path) || is_of_the_compiler(path, search_) ||
      is_looked_for_by_a_driver(question, path, search_, program_folders_) || is_spelled_as_in_ptx(question))
    return true;
  // NVRTC accesses the working folder, perhaps by the name that a shell has for it, and looks there for headers that it
  // has in memory.
  if (question.answer == FileQuestion::Answer::folder)
    return path == search_.working_folder || path == environment("PWD") || is_below(search_.compiler_folder, path) ||
           is_given(path);
  if (question.opened) return false;
  const std::string name = file_name_of(path);
  return name == "__nv_name_map" || name == nvrtc_header || is_given(path);
}

/// The source; of what NVRTC looks for without reading it the source's folder, too, and in the working folder each
/// header that it has in memory.
bool DependencyPaths::is_given(const std::string& path) const {
  const auto is = [&](const std::string& name) {
    return !name.empty() && path == written_shorter(joined(search_.working_folder, name), true);
  };
  if (is(search_.source_name)) return true;
  return search_.compiler_folder.empty() &&
         (is(folder_of(search_.source_name)) || std::any_of(search_.memory.begin(), search_.memory.end(),
                                                            [&](const auto& header) { return is(header.first); }));
}

std::string DependencyPaths::normalized(const std::string& path) {
  if (const auto rest = rest_below(path, working_folder_root_); rest && !rest->empty())
    return joined(working_folder_root_, written_shorter(*rest).substr(1));
  std::string shorter = as_spelled(written_shorter(path));
  if (shorter.find("/../") == std::string::npos && !shorter.ends_with("/..")) return shorter;
  std::string straight = as_spelled(written_shorter(path, true));
  const bool is_toolkits =
      origin_of(shorter, search_) == HeaderOrigin::toolkit || origin_of(straight, search_) == HeaderOrigin::toolkit;
  const bool is_same = shorter.ends_with("/..") ? is_same_folder(shorter, straight)
                                                : is_same_folder(folder_of(shorter), folder_of(straight));
  return is_toolkits && is_same ? straight : shorter;
}

/// Also where neither is there.
bool DependencyPaths::is_same_folder(const std::string& a, const std::string& b) {
  const auto [known, is_new] = same_folders_.try_emplace(a + '\0' + b);
  if (is_new) {
    FileStatus first;
    FileStatus second;
    const bool is_there = files_.status(a, first) == 0;
    known->second =
        is_there == (files_.status(b, second) == 0) && first.inode == second.inode && first.device == second.device;
  }
  return known->second;
}

/// If GCC resolved a link of the user's, the path through the link is included, as the link may lead elsewhere next
/// time.
std::vector<std::string> DependencyPaths::spellings(const std::string& path) const {
  std::vector<std::string> all = spellings_from_folder(path);
  if (RootedPath::relate(path, search_.roots).root >= 0) return all;
  for (const auto& [real, spelled] : own_links_)
    if (const auto rest = rest_below(path, real); rest && !rest->empty()) all.push_back(joined(spelled, *rest));
  return all;
}

std::vector<std::string> DependencyPaths::spellings_from_folder(const std::string& path) const {
  // Through which root it came to a file cannot be seen then, and so each that holds it is to have it still.
  const auto rest = rest_below(path, search_.working_folder);
  const bool is_clear = is_below(path, working_folder_root_) || !asks_absolutely_ || search_.working_folder_roots == 0;
  if (is_clear || !rest || rest->empty() || origin_of(path, search_) == HeaderOrigin::toolkit) return {path};
  std::vector<std::string> both = {joined(working_folder_root_, *rest)};
  if (RootedPath::relate(path, search_.roots).root >= 0) both.push_back(path);
  return both;
}

}  // namespace kiln
