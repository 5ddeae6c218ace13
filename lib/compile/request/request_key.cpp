#include "base/path_text.hpp"
#include "cache/key.hpp"
#include "compile/headers/source_scan.hpp"
#include "compile/options/option_files.hpp"
#include "compile/options/option_table.hpp"
#include "compile/options/target_name.hpp"
#include "compile/request/request.hpp"
#include "compile/stand_ins/stand_in_headers.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

namespace {

/// 4: entries have the kinds of parameters, without which launches of extern "C" kernels would go unchecked. 5: where
/// the working folder lies is not in it, and entries for the emulator have no places. 6: headers are those that the
/// compiler asked for; lists of before lacked some. 7: entries have the options that the compiler was given, which
/// CodeObject::effective_options() must not lack. 8: NVRTC gets the macros that the host compiler predefines, and
/// sources that still differ between NVRTC and nvcc go to nvcc.
constexpr std::string_view key_version = "8";

/// "<root>:<rest>" by the longest other root that holds roots[at], "*" where none does. From these every root that
/// lies in another is known. Toolkits differ in how many folders they have, so theirs are counted apart, and only
/// those in own folders are of interest.
std::string lies_in(const HeaderSearchPaths& search, std::size_t at) {
  const std::vector<std::string>& paths = search.roots.paths;
  const bool own = at < search.own_roots;
  std::string best = "*";
  std::size_t longest = 0;
  for (std::size_t i = 0; i < (own ? paths.size() : search.own_roots); ++i) {
    const auto rest = rest_below(paths[at], paths[i]);
    const bool holder = i >= search.own_roots || paths[i].size() < paths[at].size() || (own && i < at);
    if (!rest || !holder || i == at || paths[i].size() <= longest) continue;
    longest = paths[i].size();
    best = (i < search.own_roots ? std::to_string(i) : "toolkit " + std::to_string(i - search.own_roots)) + ":" + *rest;
  }
  return best;
}

std::vector<std::string> root_items(const Request& request) {
  const HeaderSearchPaths& search = request.search;
  std::vector<std::string> items;
  for (std::size_t i = 0; i < search.roots.paths.size(); ++i) {
    const std::string& path = search.roots.paths[i];
    if (i < search.own_roots) {
      // Paths below "/" are kept as they are. The path of the working folder does not matter.
      items.push_back(request.embeds_paths || path == "/" ? path
                      : search.is_working_folder_root(i)  ? "."
                                                          : lies_in(search, i));
    } else if (std::string place = lies_in(search, i); place != "*") {
      items.push_back("toolkit " + std::to_string(i - search.own_roots) + " in " + place);
    }
  }
  return items;
}

/// Whether the source's absolute name is to stay in the key. Where headers are looked at, Dependencies::absolute_paths
/// takes care of it.
bool keeps_name(const Request& request) {
  if (request.search.source_root < 0 || request.embeds_paths) return true;
  if (request.may_include) return false;
  return request.search.uses_own_path || !facts_of(request.job.target).is_plain || may_use_own_path(request.job.source);
}

/// "TILE=4", which a change of the value is explained by.
std::vector<std::string> late_macros(const CompilerJob& job) {
  std::vector<std::string> macros;
  for (const auto& [name, value] : job.late_defines) macros.push_back(std::string(name).append("=").append(value));
  return macros;
}

}  // namespace

std::string canonical_key(const Request& request) {
  const CompilerJob& job = request.job;
  const bool keep = keeps_name(request);
  const bool is_nvcc = request.compiler.backend == Backend::nvcc;
  const bool is_listed =
      request.explicit_arch || !request.listed_archs.empty() || !job.code.empty() || !job.arch.empty();
  KeyBuilder key;
  key.add("key", key_version).add("backend", is_nvcc ? "nvcc" : "nvrtc").add("compiler", request.compiler.identity);
  key.add("arch", request.explicit_arch ? request.explicit_arch->text() : job.arch);
  key.add("code", job.code);
  key.add("device", is_listed ? std::string() : request.context.device_arch);
  key.add("loads cubin", request.context.loads_cubin ? "1" : "0");
  key.add("plain", request.context.plain ? "1" : "0");
  key.add("target", target_name(job.target));
  add_job_options(key, job);
  // NVRTC's code for a source that nvcc would normally compile.
  if (!is_nvcc && !request.may_need_nvcc) key.add("rule that nvcc is not asked", "1");
  key.add("options", request.embeds_paths ? job.arguments : request.path_independent);
  if (!job.late_defines.empty()) key.add("late defines", late_macros(job));
  if (!request.option_files.empty()) key.add("files of options", digests_of(request.option_files));
  // A source that can include nothing does not care where folders are.
  key.add("roots", request.may_include || request.embeds_paths ? root_items(request) : std::vector<std::string>());
  key.add("name", keep ? std::string_view(job.name) : std::string_view(job.name).substr(job.name.rfind('/') + 1));
  key.add("name below a root", keep ? "0" : "1");
  // Such files are named after their text.
  if (!job.line_file.empty()) key.add("folder of source copies", folder_of(folder_of(job.line_file)));
  key.add("name expressions", job.name_expressions);
  for (const auto& header : job.headers) key.add("header", header.first).add("header text", header.second);
  key.add("stand-ins", stand_in_version());
  key.add("strict headers", request.strict_headers ? "1" : "0");
  key.add("working folder", request.embeds_paths ? request.search.working_folder : "");
  key.add("prologue", job.prologue);
  key.add("source", job.source);
  return std::move(key).take();
}

}  // namespace kiln
