#include "worker/nvrtc/give_stand_in.hpp"

#include "base/files.hpp"
#include "base/path_text.hpp"
#include "compile/compiler/inform.hpp"
#include "compile/headers/source_scan.hpp"
#include "compile/stand_ins/stand_in_headers.hpp"

#include <algorithm>

namespace kiln {

namespace {

bool is_in_folder(const Request& request, const std::string& name) {
  const std::vector<std::string>& dirs = request.search.dirs;
  return std::any_of(dirs.begin(), dirs.end(),
                     [&name](const std::string& dir) { return is_regular_file(joined(dir, name)); });
}

}  // namespace

bool give_stand_in(Request& request, const std::string& name) {
  const auto stand_in = stand_in_headers().find(name);
  if (stand_in == stand_in_headers().end()) return false;
  if (request.compiler.backend == Backend::nvcc && nvcc_has(name)) return false;
  if (request.job.headers.count(name) != 0) return false;
  // A source without includes has no folder in its key; what comes with Kiln's own header is Kiln's.
  if (request.may_include && is_in_folder(request, name)) return false;
  request.job.headers[name] = stand_in->second;
  request.search.memory[name] = stand_in->second;
  request.search.stand_ins.insert(name);
  for (const HeaderName& header : scan_source(stand_in->second).includes) give_stand_in(request, header.name);
  return true;
}

bool give_cucomplex(Request& request) {
  if (request.context.plain || !give_stand_in(request, cucomplex_header)) return false;
  inform(request.job.name, "compiled again with cuComplex.h, which the source does not include");
  request.job.arguments.push_back(std::string("--pre-include=") + cucomplex_header);
  return true;
}

void give_stand_ins(Request& request) {
  if (!request.may_include) return;
  for (const HeaderName& header : scan_source(request.job.source).includes)
    if (!header.quoted || !is_regular_file(joined(request.search.source_dir, header.name)))
      give_stand_in(request, header.name);
}

}  // namespace kiln
