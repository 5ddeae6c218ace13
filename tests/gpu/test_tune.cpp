// kiln::tune: candidates on the device.
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

namespace tune_gpu_test {

using kiln::DeviceBuffer;
using kiln::ProblemSize;
using kiln::TunableKernel;
using kiln::tune;
using kiln::TuneArguments;
using kiln::TuneCandidate;
using kiln::TuneConfiguration;
using kiln::TuneOptions;
using kiln::TuneResult;
using kiln::TuneStatus;

namespace {

constexpr int n = 1000;

/// y += factor * x, so that a launch on the result of another gives another result.
const char* const axpy = R"(
#if defined(BROKEN) && BROKEN
#error "this one does not compile"
#endif
__global__ void axpy(float factor, const float* x, float* y, int n) {
  for (int k = 0; k < PER_THREAD; ++k) {
    int i = (blockIdx.x * PER_THREAD + k) * blockDim.x + threadIdx.x;
    if (i < n) y[i] += factor * x[i] + WRONG;
  }
}
)";

TunableKernel axpy_kernel(std::vector<kiln::TuneValue> wrong = {0}) {
  TunableKernel kernel(axpy, "axpy");
  kernel.tune("BLOCK", {32, 64, 128}).tune("PER_THREAD", {1, 2}).tune("WRONG", std::move(wrong));
  kernel.block_size("BLOCK").grid_size("ceil_div(problem_x, BLOCK * PER_THREAD)");
  return kernel;
}

std::vector<float> counted() {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

struct Vectors {
  DeviceBuffer<float> x{counted()};
  DeviceBuffer<float> y{std::vector<float>(n, 1)};

  TuneArguments arguments() { return TuneArguments(2.0f, static_cast<const DeviceBuffer<float>&>(x), y, n); }
};

/// Few launches: what is tested is no time.
TuneOptions quick() {
  TuneOptions options;
  options.strategy = kiln::TuneStrategy::exhaustive;
  options.min_repetitions = options.max_repetitions = 2;
  options.keep_wisdom = false;
  return options;
}

const TuneCandidate& candidate(const TuneResult& result, const char* parameter, const kiln::TuneValue& value) {
  for (const TuneCandidate& one : result.candidates)
    for (const auto& [name, given] : one.configuration)
      if (name == parameter && given == value) return one;
  throw kiln::Error("there is no such candidate");
}

}  // namespace

TEST_CASE("tune: all configurations are tried, outputs get their content back, and a launch uses the best") {
  const TunableKernel kernel = axpy_kernel();
  Vectors vectors;
  std::size_t steps = 0;
  TuneOptions options = quick();
  options.progress = [&](const kiln::TuneProgress& progress) {
    ++steps;
    CHECK(progress.done == steps);
    CHECK(progress.total == 6);
  };
  const TuneResult result = tune(kernel, n, vectors.arguments(), options);
  CHECK(steps == 6);
  CHECK(result.valid == 6);
  CHECK(result.count(TuneStatus::ok) == 6);
  REQUIRE(result.best.has_value());
  for (const TuneCandidate& one : result.candidates) CHECK(one.seconds >= result.best->seconds);
  CHECK(vectors.y.to_host() == std::vector<float>(n, 1));

  CHECK(kernel.configuration(n) == result.best->configuration);
  kernel(ProblemSize(n), 2.0f, vectors.x, vectors.y, n);
  std::vector<float> expected = counted();
  for (float& value : expected) value = 1 + 2 * value;
  CHECK(vectors.y.to_host() == expected);
  CHECK(kernel.configuration(n + 1) == TuneConfiguration{{"BLOCK", 32}, {"PER_THREAD", 1}, {"WRONG", 0}});
}

TEST_CASE("tune: a problem of size 0 launches nothing, and is not tuned") {
  const TunableKernel kernel = axpy_kernel();
  Vectors vectors;
  for (int again = 0; again < 2; ++again) kernel(ProblemSize(0), 2.0f, vectors.x, vectors.y, n);
  CHECK(vectors.y.to_host() == std::vector<float>(n, 1));
  CHECK(kernel.launch_config(0).grid.x == 0);
  CHECK_THROWS_WITH_AS((void)tune(kernel, 0, vectors.arguments(), quick()), doctest::Contains("kiln::tune"),
                       kiln::ArgumentError);
  // One that has a grid all the same is launched.
  TunableKernel counts("__global__ void count(int* x) { ++*x; }", "count");
  counts.tune("BLOCK", {32}).block_size("1").grid_size("problem_x + 1");
  const DeviceBuffer<int> x(std::vector<int>{5});
  counts(ProblemSize(0), x);
  CHECK(x.to_host()[0] == 6);
}

TEST_CASE("tune: configurations are walked and asked, and a default may be of some parameters") {
  TunableKernel kernel(axpy, "axpy");
  kernel.tune("BLOCK", {32, 64, 128}).tune("PER_THREAD", {1, 2, 4}).tune("WRONG", {0});
  kernel.restriction("BLOCK * PER_THREAD <= 128").default_configuration({{"PER_THREAD", 2}});
  kernel.block_size("BLOCK").grid_size("ceil_div(problem_x, BLOCK * PER_THREAD)");
  const std::vector<TuneConfiguration> all = kernel.configurations(n);
  REQUIRE(all.size() == 6);
  CHECK(all[1] == TuneConfiguration{{"BLOCK", 32}, {"PER_THREAD", 2}, {"WRONG", 0}});
  for (const TuneConfiguration& one : all) CHECK(kernel.is_valid(one, n));
  CHECK_FALSE(kernel.is_valid({{"BLOCK", 128}, {"PER_THREAD", 2}, {"WRONG", 0}}, n));
  CHECK_FALSE(kernel.is_valid({{"BLOCK", 32}, {"PER_THREAD", 3}, {"WRONG", 0}}, n));
  CHECK_FALSE(kernel.is_valid({{"BLOCK", 32}}, n));
  CHECK(kernel.configuration(n) == all[1]);
  const auto refusal = [](TuneConfiguration values) -> std::string {
    TunableKernel other = axpy_kernel();
    other.default_configuration(std::move(values));
    try {
      (void)other.configuration(n);
    } catch (const kiln::ArgumentError& error) {
      return error.what();
    }
    return {};
  };
  CHECK(refusal({{"BLOCK", 33}}).find("default_configuration") != std::string::npos);
  CHECK(refusal({{"BLOK", 32}}).find("BLOK") != std::string::npos);
  CHECK(refusal({{"BLOCK", 32}, {"BLOCK", 64}}).find("once") != std::string::npos);
}

TEST_CASE("tune: wisdom of before a parameter was added is used, with that parameter's default") {
  TunableKernel kernel = axpy_kernel();
  kiln::WisdomRecord record;
  record.key = "axpy";
  record.source = "0";
  record.device = kiln::Device::current().name();
  record.arch = kiln::Device::current().arch();
  record.problem = n;
  record.configuration = {{"BLOCK", 64}, {"WRONG", 0}};
  record.objective = "time";
  record.date = "2026-11-27T00:00:00Z";
  kernel.default_configuration({{"PER_THREAD", 2}});
  const kiln::Wisdom wisdom = kiln::Wisdom::from_text("");
  wisdom.add(record);
  kernel.wisdom(wisdom);
  CHECK(kernel.configuration(n) == TuneConfiguration{{"BLOCK", 64}, {"PER_THREAD", 2}, {"WRONG", 0}});
}

TEST_CASE("tune: a wrong candidate is never kept, by the default's result or by a reference") {
  for (const bool has_reference : {false, true}) {
    const TunableKernel kernel = axpy_kernel({0, 1});
    Vectors vectors;
    TuneOptions options = quick();
    if (has_reference) options.reference = [&] { return vectors.y.to_host()[0] == 1; };
    const TuneResult result = tune(kernel, n, vectors.arguments(), options);
    CHECK(result.count(TuneStatus::ok) == 6);
    CHECK(result.count(TuneStatus::wrong_result) == 6);
    CHECK(candidate(result, "WRONG", 1).status == TuneStatus::wrong_result);
    REQUIRE(result.best.has_value());
    CHECK(result.best->configuration[2].second == kiln::TuneValue(0));
  }
}

TEST_CASE("tune: candidates that do not compile, or that the device cannot run, are counted") {
  TunableKernel kernel(axpy, "axpy");
  kernel.tune("BROKEN", {0, 1}).tune("PER_THREAD", {1}).tune("WRONG", {0}).tune("SHARED", {0, 1 << 20});
  kernel.block_size("64").shared_memory("SHARED");
  Vectors vectors;
  const TuneResult result = tune(kernel, n, vectors.arguments(), quick());
  CHECK_FALSE(result.all_alike);
  CHECK(result.valid == 2);  // a MB of shared memory is more than any device has: found before compiling
  CHECK(result.count(TuneStatus::ok) == 1);
  REQUIRE(result.count(TuneStatus::not_compiled) == 1);
  CHECK(candidate(result, "BROKEN", 1).error.find("this one does not compile") != std::string::npos);
}

TEST_CASE("tune: registers that a block's threads do not have are found after the compile") {
  TunableKernel kernel("__global__ void __launch_bounds__(BOUND) one(int* x) { x[threadIdx.x] = 1; }", "one");
  kernel.tune("BOUND", {256, 64}).block_size("128").grid_size("1");
  DeviceBuffer<int> x(std::vector<int>(128, 0));
  const TuneResult result = tune(kernel, 128, TuneArguments(x), quick());
  CHECK(result.count(TuneStatus::ok) == 1);
  CHECK(candidate(result, "BOUND", 64).status == TuneStatus::over_limits);
}

TEST_CASE("tune: template arguments, types and compile options are parameters, too") {
  TunableKernel kernel(R"(template <int count, class T> __global__ void fill(float* y, int n) {
#ifdef SEVEN
    T value = SEVEN;
#else
    T value = 7;
#endif
    for (int k = 0; k < count; ++k) {
      int i = (blockIdx.x * count + k) * blockDim.x + threadIdx.x;
      if (i < n) y[i] = float(value);
    }
  })",
                       "fill<COUNT, TYPE>");
  kernel.tune("COUNT", {1, 4}).tune("TYPE", {"int", "double"}).tune_option("OPTION", {"", "-DSEVEN=7"});
  kernel.block_size("TYPE == \"int\" ? 32 : 64").grid_size("ceil_div(problem_x, COUNT * 32)");
  DeviceBuffer<float> y(std::vector<float>(n, 0));
  TuneOptions options = quick();
  options.reference = [&] { return y.to_host() == std::vector<float>(n, 7); };
  const TuneResult result = tune(kernel, n, TuneArguments(y, n), options);
  CHECK(result.valid == 8);
  CHECK(result.count(TuneStatus::ok) == 8);
}

TEST_CASE("tune: a run that was ended goes on from its log file") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "kiln tune log";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  Vectors vectors;
  TuneOptions options = quick();
  options.log_file = folder / "log";
  options.max_variants = 2;
  const TuneResult first = tune(axpy_kernel(), n, vectors.arguments(), options);
  CHECK(first.end == kiln::TuneEnd::max_variants);
  CHECK(first.resumed == 0);
  options.max_variants = 6;
  const TuneResult second = tune(axpy_kernel(), n, vectors.arguments(), options);
  CHECK(second.resumed == 2);
  CHECK(second.candidates.size() == 6);
  CHECK(second.candidates[1].seconds == first.candidates[1].seconds);
  CHECK_THROWS_WITH_AS(tune(axpy_kernel(), n + 1, vectors.arguments(), options), doctest::Contains("log"), kiln::Error);
  TunableKernel other = axpy_kernel();
  other.default_configuration({{"BLOCK", 64}, {"PER_THREAD", 1}, {"WRONG", 0}});
  CHECK_THROWS_WITH_AS(tune(other, n, vectors.arguments(), options), doctest::Contains("log"), kiln::Error);
  options.reference = [] { return true; };
  CHECK_THROWS_WITH_AS(tune(axpy_kernel(), n, vectors.arguments(), options), doctest::Contains("log"), kiln::Error);
  options.reference = {};
  TunableKernel wise = axpy_kernel();
  wise.wisdom(kiln::Wisdom(folder / "wisdom"));
  options.keep_wisdom = options.keep_emulator_wisdom = true;
  (void)tune(wise, n, vectors.arguments(), options);
  (void)tune(wise, n, vectors.arguments(), options);
  CHECK(kiln::Wisdom(folder / "wisdom").records("axpy").size() == 1);
  std::filesystem::remove_all(folder);
}

TEST_CASE("tune: a parameter that changes nothing is refused, unless a callable may use it") {
  Vectors vectors;
  TunableKernel misspelt = axpy_kernel();
  misspelt.tune("PER_TREAD", {1, 2});
  CHECK_THROWS_WITH_AS(tune(misspelt, n, vectors.arguments(), quick()),
                       doctest::Contains("given PER_TREAD, which changes neither code nor launch; did you mean "
                                         "PER_THREAD?"),
                       kiln::ArgumentError);
  TunableKernel none(axpy, "axpy",
                     kiln::CompileOptions().with(&kiln::CompileOptions::defines, {{"PER_THREAD", 1}, {"WRONG", 0}}));
  none.block_size("32");
  CHECK_THROWS_WITH_AS(tune(none, n, vectors.arguments(), quick()), doctest::Contains("a parameter to tune"),
                       kiln::ArgumentError);
  TunableKernel called = axpy_kernel();
  called.tune("WEIGHT", {1, 2});
  TuneOptions options = quick();
  options.objective = [](const TuneConfiguration& values, double seconds) {
    return values.back().second == kiln::TuneValue(1) ? seconds : 2 * seconds;
  };
  const TuneResult result = tune(called, n, vectors.arguments(), options);
  CHECK(result.candidates.size() == 12);
  REQUIRE(result.best.has_value());
  CHECK(result.best->configuration.back().second == kiln::TuneValue(1));
}

TEST_CASE("tune: what the emulator measured becomes no wisdom unless it is asked for, nor what was one program") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "kiln tune wisdom";
  std::filesystem::remove_all(folder);
  Vectors vectors;
  const bool is_emulator = kiln::Device::current().name() == "Kiln PTX emulator";
  TuneOptions options = quick();
  options.keep_wisdom = true;
  TunableKernel kernel = axpy_kernel();
  kernel.wisdom(kiln::Wisdom(folder));
  (void)tune(kernel, n, vectors.arguments(), options);
  CHECK(kiln::Wisdom(folder).records("axpy").size() == (is_emulator ? 0 : 1));
  options.keep_emulator_wisdom = true;
  (void)tune(kernel, n, vectors.arguments(), options);
  CHECK(kiln::Wisdom(folder).records("axpy").size() == (is_emulator ? 1 : 2));

  TunableKernel alike("__global__ void one(int* x) { x[threadIdx.x] = UNUSED < 0 ? 2 : 1; }", "one");
  alike.tune("UNUSED", {1, 2, 3}).block_size("32").grid_size("1").wisdom(kiln::Wisdom(folder));
  DeviceBuffer<int> x(std::vector<int>(32, 0));
  const TuneResult result = tune(alike, 32, TuneArguments(x), options);
  CHECK(result.all_alike);
  CHECK(result.count(TuneStatus::ok) == 3);
  REQUIRE(result.best.has_value());
  CHECK(result.best->configuration == TuneConfiguration{{"UNUSED", 1}});
  CHECK(kiln::Wisdom(folder).records("one").empty());
  std::filesystem::remove_all(folder);
}

TEST_CASE("tune: what cannot be tuned is refused") {
  Vectors vectors;
  TunableKernel none = axpy_kernel();
  none.restriction("BLOCK > 1000");
  CHECK_THROWS_WITH_AS(tune(none, n, vectors.arguments(), quick()), doctest::Contains("BLOCK > 1000"),
                       kiln::ArgumentError);
  TunableKernel unknown = axpy_kernel();
  unknown.restriction("BLOK > 1");
  CHECK_THROWS_WITH_AS(tune(unknown, n, vectors.arguments(), quick()), doctest::Contains("BLOCK"), kiln::ArgumentError);
  TunableKernel broken(axpy, "axpy");
  broken.tune("BLOCK", {32}).block_size("BLOCK +");
  CHECK_THROWS_WITH_AS(broken.configuration(n), doctest::Contains("the expression 'BLOCK +'"), kiln::ArgumentError);
  TunableKernel large(axpy, "axpy");
  large.tune("BLOCK", {32}).block_size("BLOCK * 100");
  CHECK_THROWS_WITH_AS(large.configuration(n),
                       doctest::Contains("where BLOCK = 32 the block (--block) is 3200 x 1 x 1 threads"),
                       kiln::ArgumentError);
  const TunableKernel kernel = axpy_kernel();
  CHECK_THROWS_WITH_AS(tune(kernel, n, TuneArguments(2.0f, vectors.x), quick()), doctest::Contains("arguments"),
                       kiln::Error);
  TuneOptions never = quick();
  never.max_variants = 0;
  CHECK_THROWS_AS(tune(kernel, n, vectors.arguments(), never), kiln::ArgumentError);
}

}  // namespace tune_gpu_test
