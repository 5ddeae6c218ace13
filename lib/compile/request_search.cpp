#include "compile/request_search.hpp"

#include "base/environment.hpp"
#include "compile/path_text.hpp"
#include "toolkit/nvcc.hpp"
#include "toolkit/toolkit.hpp"

#include <algorithm>

namespace kiln {

namespace {

/// Whether a quoted name may be looked for beside the source or an in-memory header.
bool looks_beside(const SourceScan& scan) {
  const auto quoted = [](const HeaderName& header) { return header.quoted; };
  return scan.macro_include || scan.macro_has_include ||
         std::any_of(scan.includes.begin(), scan.includes.end(), quoted) ||
         std::any_of(scan.has_includes.begin(), scan.has_includes.end(), quoted);
}

/// The host compiler's variables, whose folders it searches after those of the options.
void add_folders_of_environment(HeaderSearch& search) {
  for (const char* variable : {"CPATH", "CPLUS_INCLUDE_PATH"}) {
    const std::string list = environment(variable).value_or("");
    for (std::size_t begin = 0; begin < list.size();) {
      const std::size_t end = std::min(list.find(':', begin), list.size());
      // An empty part is the working folder.
      search.dirs.push_back(
          absolute_folder(end > begin ? list.substr(begin, end - begin) : ".", search.working_folder));
      begin = end + 1;
    }
  }
}

/// All places that a search for a header may start from, but the toolkit's. How many there are is told by the rest of
/// the key.
void add_own_roots(Request& request, const SourceScan& scan) {
  HeaderSearch& search = request.search;
  const std::string& name = request.job.name;
  std::vector<std::string>& roots = search.roots.paths;
  roots = search.dirs;
  for (const std::string& file : search.forced)
    if (file.substr(0, 1) == "/") roots.push_back(folder_of_name(file, {}));
  const bool absolute = name.substr(0, 1) == "/";
  const bool beside = !absolute && looks_beside(scan);
  if (absolute) search.source_root = static_cast<int>(roots.size());
  if (absolute || beside) roots.push_back(search.source_dir);
  if (beside || !search.memory.empty() || !search.forced.empty()) roots.push_back(search.working_folder);
  search.own_roots = roots.size();
}

// How they lie to the own folders is in the key; where they lie is not, as the compiler's identity stands for the
// toolkit.
void add_toolkit_folders(Request& request) {
  HeaderSearch& search = request.search;
  const bool is_nvcc = request.compiler.backend == Backend::nvcc;
  for (const auto& folder : is_nvcc ? nvcc_include_dirs(request.compiler.nvcc) : current_toolkit().include_dirs) {
    search.toolkit.push_back(absolute_folder(folder, search.working_folder));
    search.dirs.push_back(search.toolkit.back());
    search.roots.paths.push_back(search.toolkit.back());
    if (!is_nvcc) request.job.arguments.push_back("-I" + search.toolkit.back());
  }
  if (is_nvcc) search.system = {"/usr/include", "/usr/lib", "/usr/local/include"};
}

}  // namespace

void settle_search(Request& request, const SourceScan& scan) {
  HeaderSearch& search = request.search;
  if (request.compiler.backend == Backend::nvcc) add_folders_of_environment(search);
  search.source_dir = folder_of_name(request.job.name, search.working_folder);
  search.memory = request.job.headers;
  add_own_roots(request, scan);
  search.roots.complete = request.compiler.is_here;
  if (request.may_include && request.compiler.is_here) add_toolkit_folders(request);
}

}  // namespace kiln
