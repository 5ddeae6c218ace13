#include "base/path_text.hpp"
#include "compile/headers/source_scan.hpp"
#include "compile/identity/nvcc_environment.hpp"
#include "compile/request/request.hpp"
#include "toolkit/locate/nvcc.hpp"
#include "toolkit/locate/toolkit.hpp"

#include <algorithm>

namespace kiln {

namespace {

/// Whether a quoted name may be looked for beside the source or an in-memory header.
bool looks_beside(const SourceScan& scan, std::string_view source) {
  const auto quoted = [](const HeaderName& header) { return header.quoted; };
  return scan.macro_include || scan.macro_has_include || source.find("##") != std::string_view::npos ||
         std::any_of(scan.includes.begin(), scan.includes.end(), quoted) ||
         std::any_of(scan.has_includes.begin(), scan.has_includes.end(), quoted);
}

/// In the host compiler's order: CPATH is as good as -I, and CPLUS_INCLUDE_PATH as -isystem, behind those of options.
void add_later_folders(Request& request, const std::vector<std::string>& system_dirs) {
  HeaderSearchPaths& search = request.search;
  const auto add = [&search](const std::vector<std::string>& dirs) {
    search.dirs.insert(search.dirs.end(), dirs.begin(), dirs.end());
  };
  const bool is_nvcc = request.compiler.backend == Backend::nvcc;
  if (is_nvcc) add(folders_of_variable("CPATH", search.working_folder));
  add(system_dirs);
  if (is_nvcc) add(folders_of_variable("CPLUS_INCLUDE_PATH", search.working_folder));
}

/// All places that a search for a header may start from, but the toolkit's. How many there are follows from the rest of
/// the key.
void add_own_roots(Request& request, const SourceScan& scan) {
  HeaderSearchPaths& search = request.search;
  const std::string& name = request.job.name;
  std::vector<std::string>& roots = search.roots.paths;
  roots = search.dirs;
  for (const std::string& file : search.forced)
    if (file.starts_with("/")) roots.push_back(folder_of_name(file, {}));
  const bool absolute = name.starts_with("/");
  const bool beside =
      !absolute && (search.quotes_reach_source || !search.memory.empty() || looks_beside(scan, request.job.source));
  if (absolute) search.source_root = static_cast<int>(roots.size());
  if (absolute) roots.push_back(search.source_dir);
  const std::size_t absolute_roots = roots.size();
  if (beside) roots.push_back(search.source_dir);
  if (beside || !search.forced.empty()) roots.push_back(working_folder_root(search.working_folder));
  search.own_roots = roots.size();
  search.working_folder_roots = roots.size() - absolute_roots;
}

// How they lie to the own folders is in the key; where they lie is not, as the compiler's identity stands for the
// toolkit.
void add_toolkit_folders(Request& request) {
  HeaderSearchPaths& search = request.search;
  const bool is_nvcc = request.compiler.backend == Backend::nvcc;
  if (is_nvcc) search.compiler_folder = nvcc_root(request.compiler.nvcc);
  for (const auto& folder : is_nvcc ? nvcc_include_dirs(search.compiler_folder) : current_toolkit().include_dirs) {
    search.toolkit.push_back(absolute_folder(folder, search.working_folder));
    search.dirs.push_back(search.toolkit.back());
    search.roots.paths.push_back(search.toolkit.back());
    if (!is_nvcc) request.job.arguments.push_back("-I" + search.toolkit.back());
  }
  if (is_nvcc) search.system = host_compiler_folders();
}

}  // namespace

void resolve_search(Request& request, const SourceScan& scan, const std::vector<std::string>& system_dirs) {
  HeaderSearchPaths& search = request.search;
  add_later_folders(request, system_dirs);
  search.quotes_reach_source = request.compiler.backend == Backend::nvcc;
  const std::string& name = request.job.name;
  search.source_dir =
      folder_of_name(name, is_absolute(name) ? search.working_folder : working_folder_root(search.working_folder));
  search.source_name = name;
  search.memory = request.job.headers;
  add_own_roots(request, scan);
  search.roots.complete = request.compiler.is_here;
  const ChosenCompiler& compiler = request.compiler;
  if (request.may_include && compiler.is_here && !compiler.uses_bundled_headers()) add_toolkit_folders(request);
}

}  // namespace kiln
