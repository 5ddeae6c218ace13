#include "worker/nvcc/nvcc_advice.hpp"

#include "base/environment.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"
#include "compile/options/arch.hpp"
#include "compile/options/option_file_advice.hpp"
#include "worker/nvcc/nvcc_version.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace kiln {

namespace {

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return contains(text, part); });
}

/// nvcc's #error for a host compiler of another version than it supports, in a header of its own.
bool is_other_version(std::string_view text) {
  return contains(text, "#error") && contains_any(text, {"unsupported GNU version", "unsupported clang version",
                                                         "unsupported Intel", "unsupported PGI"});
}

/// Missing, without one of its parts (cc1plus), or none at all; not where it lacks a file of the user's.
bool is_of_host_compiler(std::string_view text) {
  if (contains_any(text, {"host compiler", "Host compiler", "cannot execute", "Unsupported compiler"})) return true;
  const std::string program = file_name_of(std::string(text.substr(0, text.find(':'))));
  return !contains(text, "error") && contains_any(program, {"gcc", "g++", "cc", "clang"}) &&
         !contains_any(program, {"nvcc", "cicc"});  // NVIDIA's own
}

std::string advice_for_host_compiler(std::string_view text) {
  constexpr const char* by_name = "name another by NVCC_CCBIN or the option -ccbin";
  if (is_other_version(text))
    return std::string("nvcc takes host compilers of certain versions: install an older one, such as g++-13, and ") +
           by_name + "; the option -allow-unsupported-compiler makes it try this one.\n";
  if (!is_of_host_compiler(text)) return {};
  return std::string("nvcc needs a whole host compiler: install g++ (apt-get install g++, dnf install gcc-c++), or ") +
         by_name + ".\n";
}

/// The libraries of LD_PRELOAD that check a program's memory or threads.
std::string sanitizers_in_preload() {
  std::string found;
  std::string list = environment("LD_PRELOAD").value_or("");
  std::replace(list.begin(), list.end(), ' ', ':');
  for (const std::string& library : split(list, ':')) {
    const std::string name = file_name_of(library);
    const std::initializer_list<std::string_view> sanitizers = {"libasan",  "liblsan", "libtsan",
                                                                "libubsan", "libmsan", "libclang_rt."};
    if (contains_any(name, sanitizers)) found += (found.empty() ? "" : ", ") + library;
  }
  return found;
}

std::string advice_for_preload() {
  const std::string sanitizers = sanitizers_in_preload();
  if (sanitizers.empty()) return {};
  return "LD_PRELOAD has " + sanitizers +
         ", which nvcc and the compilers that it runs load, too, and which ends them for what it finds in them: link "
         "the sanitizer into the program instead, set ASAN_OPTIONS=detect_leaks=0, or have the code in the cache "
         "before.\n";
}

/// The user's: a worker's own folder, and nvcc's, are below it.
std::string folder_for_temporary_files(std::string folder) {
  while (file_name_of(folder).starts_with("kiln-tmp-")) folder = folder_of(folder);
  return folder;
}

std::string advice_for_arch(const std::string& nvcc, ProcessRunner& runner) {
  const std::vector<int> archs = archs_of_nvcc(nvcc, runner);
  if (archs.empty()) return {};
  return "This nvcc knows " + arch_list(archs) + ": choose one of these, or another CUDA toolkit (CUDA_HOME).\n";
}

}  // namespace

std::string nvcc_advice(const std::optional<Diagnostic>& said, const std::vector<std::string>& command,
                        const std::string& folder, ProcessRunner& runner) {
  const std::string text = said ? said->text : std::string();
  if (contains_any(text, {"No space left on device", "Disk quota exceeded"}))
    return "The folder for temporary files, " + folder_for_temporary_files(folder) +
           ", is full: make room there, or name another by TMPDIR.\n";
  if (contains(text, "Unsupported gpu architecture")) return advice_for_arch(command.front(), runner);
  if (std::string advice = advice_for_host_compiler(text); !advice.empty()) return advice;
  if (!said || !said->file.empty()) return said ? std::string() : advice_for_preload();
  const std::string advice = option_file_advice(text, quoted_words(text), command, folder);
  return advice.empty() ? advice_for_preload() : advice + "\n";
}

}  // namespace kiln
