// Small sources of PyCUDA users, in small_sources.txt, which nvcc takes: all compile by Backend::automatic, and no more
// of them go to nvcc than the file says.
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace small_sources_test {

namespace {

using kiln::Backend;

struct SmallSource {
  std::string name, text;
  Backend backend = Backend::nvrtc;
};

/// Each begins with a line `=== NAME nvrtc` or `=== NAME nvcc`.
std::vector<SmallSource> read_small_sources() {
  std::ifstream file(CORPUS_FOLDER "/small_sources.txt");
  REQUIRE(file);
  std::vector<SmallSource> sources;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string mark, name, compiler;
    if (line.rfind("=== ", 0) == 0 && words >> mark >> name >> compiler)
      sources.push_back({name, "", compiler == "nvcc" ? Backend::nvcc : Backend::nvrtc});
    else
      sources.back().text += line + "\n";
  }
  return sources;
}

bool has_nvcc() {
  try {
    kiln::get_nvcc_version();
    return true;
  } catch (const kiln::ToolkitError&) {
    return false;
  }
}

}  // namespace

TEST_CASE("small sources that nvcc takes") {
  const bool with_nvcc = has_nvcc();
  if (!with_nvcc) MESSAGE("no nvcc here: only what NVRTC compiles was compiled");
  std::vector<SmallSource> sources;
  std::vector<kiln::CompileRequest> requests;
  std::size_t for_nvcc = 0;
  const std::vector<SmallSource> all = read_small_sources();
  for (const SmallSource& source : all) {
    for_nvcc += source.backend == Backend::nvcc ? 1 : 0;
    if (source.backend == Backend::nvcc && !with_nvcc) continue;
    kiln::CompileOptions options;
    options.arch = "sm_90";
    options.cache = false;
    sources.push_back(source);
    requests.push_back({source.text, options});
  }
  CHECK(all.size() >= 60);
  CHECK(for_nvcc == 21);
  const std::vector<kiln::CompileResult> results = kiln::compile_all(requests);
  for (std::size_t k = 0; k < results.size(); ++k) {
    CAPTURE(sources[k].name);
    std::string refused;
    try {
      CHECK(results[k].get().backend() == sources[k].backend);
      CHECK_FALSE(results[k].get().kernels().empty());
    } catch (const kiln::Error& error) {
      refused = error.what();
    }
    CHECK(refused.empty());
  }
}

}  // namespace small_sources_test
