#include "compile/request/bundled_headers.hpp"

#include "cache/key.hpp"

namespace kiln {

bool needs_bundled_headers(const Request& request) {
  return request.may_include && request.compiler.is_here && request.compiler.uses_bundled_headers() &&
         request.search.toolkit.empty();
}

KeptTree bundled_headers_in(CacheFolder& cache, const ChosenCompiler& compiler) {
  return {cache, KeyBuilder().add("headers of", compiler.identity).digest()};
}

void use_bundled_headers(Request& request, const std::string& folder) {
  HeaderSearchPaths& search = request.search;
  search.roots.complete = true;
  for (const char* part : {"/include", "/include/cccl"}) {
    search.toolkit.push_back(folder + part);
    search.dirs.push_back(search.toolkit.back());
    search.roots.paths.push_back(search.toolkit.back());
    request.job.arguments.push_back("-I" + search.toolkit.back());
  }
}

void find_bundled_headers(Request& request, CacheFolder* cache) {
  if (!needs_bundled_headers(request)) return;
  request.search.roots.complete = false;
  if (cache == nullptr || cache->state() != CacheFolder::State::good) return;
  const KeptTree tree = bundled_headers_in(*cache, request.compiler);
  if (tree.is_here()) use_bundled_headers(request, tree.path());
}

}  // namespace kiln
