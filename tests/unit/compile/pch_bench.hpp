// A bench whose worker makes a precompiled header after every compile, at once.
#pragma once

#include "compile/worker/worker_pool.hpp"
#include "compile_bench.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace kiln::test {

/// A bench with a worker of its own, a header, and sources that include it.
struct PchBench : Bench {
  EnvironmentGuard environment;

  PchBench() {
    environment.set("KILN_WORKER", KILN_EAGER_WORKER_PROGRAM);
    environment.unset("KILN_PCH");
    environment.unset("KILN_PCH_DIR");
    environment.set("KILN_BACKEND", "nvrtc");
    WorkerPool::get().clear();
    header("inc/value.h", "#define VALUE 1\ntemplate <class T> __device__ T twice(T a) { return a + a; }\n");
  }
  ~PchBench() { WorkerPool::get().clear(); }
  PchBench(const PchBench&) = delete;
  PchBench& operator=(const PchBench&) = delete;

  CompileOptions options() const { return Bench::options().with_include_dirs({scratch / "inc"}); }
  /// With the cache, and the same without, where the code must be equal.
  std::string compiled(const std::string& source, const CompileOptions& options) const {
    const CodeObject code = compile(source, options);
    CHECK_FALSE(code.from_cache());
    CHECK(std::string(code.bytes()) == std::string(compile(source, options.with_cache(false)).bytes()));
    return std::string(code.bytes());
  }
  std::string compiled(const std::string& source) const { return compiled(source, options()); }
  std::uint64_t used() const { return stats().pch_used; }
  std::uint64_t made() const { return stats().pch_made; }

  std::filesystem::path pch_folder() const { return scratch / "cache/pch"; }
  std::filesystem::path pch_file() const {
    std::filesystem::path found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(pch_folder()))
      if (entry.path().extension() == ".pch") found = entry.path();
    return found;
  }
};

inline std::string pch_kernel(int number) {
  return "#include <value.h>\n__global__ void k(int* o) { *o = twice(VALUE) + " + std::to_string(number) + "; }\n";
}

}  // namespace kiln::test
