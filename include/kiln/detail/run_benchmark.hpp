// The measuring behind kiln::benchmark.
#pragma once

#include <kiln/export.hpp>

#include <functional>

namespace kiln {
struct BenchmarkOptions;
struct BenchmarkResult;
}  // namespace kiln

namespace kiln::detail {

KILN_EXPORT BenchmarkResult run_benchmark(const std::function<void()>& call, const BenchmarkOptions& options);

}  // namespace kiln::detail
