#include "worker/nvcc/nvcc_compile.hpp"
#include "worker/nvcc/nvcc_times.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "environment_guard.hpp"
#include "real_nvcc.hpp"
#include "scratch_folder.hpp"
#include "small_job.hpp"

namespace nvcc_times_test {

using namespace kiln;

namespace {

constexpr const char* source = "#include \"timed.h\"\nextern \"C\" __global__ void k(float* a) { a[0] = one(a[1]); }";

CompilerJob timed_job() {
  CompilerJob made = test::job(source);
  made.headers = {{"timed.h", "__device__ inline float one(float x) { return sinf(x) + 1; }\n"}};
  made.timing = true;
  return made;
}

/// An nvcc that ends as it is told, and writes no trace.
class SilentRunner final : public ProcessRunner {
 public:
  explicit SilentRunner(bool starts) : starts_(starts) {}
  ProcessResult run(const ProcessRequest& request) override {
    words = request.arguments;
    if (!starts_) throw Error("there is no such program");
    ProcessResult result;
    result.exit.code = 1;
    return result;
  }
  std::vector<std::string> words;

 private:
  bool starts_;
};

}  // namespace

TEST_CASE("nvcc tells its phases and headers, by a compile of its own" * test::needs_nvcc()) {
  const test::ScratchFolder scratch;
  const test::EnvironmentGuard guard({{"TMPDIR", scratch.path().string()}});
  const CompilerOutput output = compile_with_nvcc(*test::real_nvcc(), timed_job());
  REQUIRE(output.times.has_value());
  CHECK(output.times->front_end.has_value());
  CHECK(output.times->optimizer.has_value());
  CHECK(output.times->ptxas.has_value());
  CHECK(output.times->headers.has_value());
  CHECK(output.times->measuring.count() > 0);
  const auto& slowest = output.times->slowest_headers;
  CHECK(std::any_of(slowest.begin(), slowest.end(),
                    [](const HeaderTime& one) { return one.name.ends_with("/cuda_runtime.h"); }));
  CHECK(std::none_of(output.options.begin(), output.options.end(),
                     [](const std::string& option) { return option.find("time") != std::string::npos; }));
  CHECK(std::filesystem::is_empty(scratch.path()));
}

TEST_CASE("an nvcc that writes no trace, or does not run, gives no times and no error") {
  for (const bool starts : {true, false}) {
    SilentRunner runner(starts);
    const CompilerTimes times = nvcc_times("/nowhere/nvcc", timed_job(), runner);
    CHECK_FALSE(times.front_end.has_value());
    CHECK(times.slowest_headers.empty());
    CHECK(std::find(runner.words.begin(), runner.words.end(), "-fdevice-time-trace") != runner.words.end());
  }
}

}  // namespace nvcc_times_test
