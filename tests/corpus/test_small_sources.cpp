// Small sources of PyCUDA users, in small_sources.txt, which nvcc takes: all compile by Backend::automatic, and no more
// of them go to nvcc than the file says.
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <fstream>
#include <limits>
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
  CHECK(all.size() >= 120);
  CHECK(for_nvcc == 26);
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

TEST_CASE("macros of numbers and sizes") {
  CHECK(kiln::Define("A", 0.5).value == "0.5");
  CHECK(kiln::Define("A", 2.0).value == "2.0");
  CHECK(kiln::Define("A", 0.1f).value == "0.1f");
  CHECK(kiln::Define("A", 1e-300).value == "1e-300");
  CHECK(kiln::Define("A", true).value == "1");
  CHECK(kiln::Define("A", kiln::Dim3(16, 8)).value == "dim3(16, 8, 1)");
  CHECK_THROWS_AS(kiln::Define("A", std::numeric_limits<double>::infinity()), kiln::ArgumentError);
  kiln::CompileOptions options;
  options.arch = "sm_90";
  options.cache = false;
  options.defines = {{"TILE", kiln::Dim3(16, 8)}, {"HALF", 0.5}, {"N", 4}, {"TEXT", "x"}};
  const std::string source =
      "static_assert(sizeof(HALF) == 8 && 1 / (4 * HALF) == 0.5, \"\");\n"
      "__global__ void k(float* TEXT) { const dim3 tile = TILE; x[0] = tile.x * tile.y * N; }\n";
  CHECK(kiln::compile(source, options).kernels().size() == 1);
}

}  // namespace small_sources_test
