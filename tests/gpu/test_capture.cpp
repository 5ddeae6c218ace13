// KILN_CAPTURE: what real launches are written as. tests/unit/tools runs and tunes such captures.
#include "environment_guard.hpp"
#include "scratch_folder.hpp"

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

namespace capture_test {

namespace {

namespace fs = std::filesystem;

constexpr const char* source = R"(
__constant__ float captured_factor = 1;
__device__ int index() { return blockIdx.x * blockDim.x + threadIdx.x; }
__global__ void captured_scale(const float* in, float* out, float factor, int n) {
  if (index() < n) out[index()] = in[index()] * factor * captured_factor;
}
template <class T, int N> __global__ void captured_add(T* data, int n) {
  if (index() < n) data[index()] += N;
}
)";

constexpr const char* tunable_source = R"(
__global__ void captured_tuned(const float* in, float* out, float factor, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) out[i] = in[i] * factor;
}
)";

constexpr int count = 1000;

std::vector<float> numbers() {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

/// What is captured in its life goes to a folder of its own.
struct Capturing {
  explicit Capturing(const std::string& pattern = "captured_*")
      : environment({{"KILN_CAPTURE", pattern}, {"KILN_CAPTURE_DIR", scratch.path().string()}}) {}

  std::vector<fs::path> captures() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(scratch.path())) found.push_back(entry.path());
    return found;
  }
  fs::path only() const {
    const std::vector<fs::path> found = captures();
    REQUIRE(found.size() == 1);
    return found[0];
  }

  kiln::test::ScratchFolder scratch;
  kiln::test::EnvironmentGuard environment;
};

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  REQUIRE(stream);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The elements of a file of NumPy's end it.
bool ends_with_elements(const fs::path& file, const std::vector<float>& values) {
  const std::string elements(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  const std::string text = content(file);
  return text.size() > elements.size() && text.substr(text.size() - elements.size()) == elements;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What a result is written over: a buffer without content may have a result of the test before.
std::vector<float> zeros() { return std::vector<float>(count, 0); }

std::vector<float> scaled(float factor) {
  std::vector<float> values = numbers();
  for (float& value : values) value *= factor;
  return values;
}

}  // namespace

TEST_CASE("a function's launch is captured with source, options and data, once for each problem size") {
  const Capturing capturing;
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_defines({{"DEFINED", 7}}));
  module.get_global("captured_factor").set(2.0F);
  const kiln::DeviceBuffer<float> in(numbers()), out(zeros());
  const kiln::Function scale = module.get_function("captured_scale");
  for (int i = 0; i < 3; ++i) scale({4, 256}, in, out, 1.5F, count);
  const fs::path capture = capturing.only();
  CHECK(contains(capture.filename().string(), "captured_scale-4x1x1-256x1x1-"));
  CHECK(content(capture / "source.cu") == source);
  CHECK(ends_with_elements(capture / "memory-0.npy", numbers()));
  CHECK(ends_with_elements(capture / "memory-1-after.npy", scaled(3)));
  CHECK_FALSE(fs::exists(capture / "memory-0-after.npy"));
  const std::string json = content(capture / "capture.json");
  CHECK(contains(json, R"-("kernel":"captured_scale(float const*, float*, float, int)")-"));
  CHECK(contains(json, R"(["DEFINED","7"])"));
  CHECK(contains(json, R"("element":"float","bytes":4000)"));
  const float factor = 2;
  const std::string variable = content(capture / "variable-0.npy");
  CHECK(variable.substr(variable.size() - 4) == std::string(reinterpret_cast<const char*>(&factor), 4));
  scale({8, 128}, in, out, 1.5F, count);
  kiln::SourceModule(source, module.code().options()).get_function("captured_scale")({4, 256}, in, out, 1.5F, count);
  CHECK(capturing.captures().size() == 2);
  CHECK(out.to_host() == scaled(1.5F));  // the last module has a factor of its own
}

TEST_CASE("instances, prepared functions, plans and host arguments are captured") {
  const Capturing capturing;
  const kiln::SourceModule module(source);
  std::vector<float> expected = numbers();
  SUBCASE("an instance, in place") {
    const kiln::DeviceBuffer<float> data(numbers());
    module.get_function("captured_add<float, 3>")({4, 256}, data, count);
    for (float& value : expected) value += 3;
    CHECK(ends_with_elements(capturing.only() / "memory-0.npy", numbers()));
    CHECK(ends_with_elements(capturing.only() / "memory-0-after.npy", expected));
  }
  SUBCASE("a prepared function on a stream") {
    const kiln::Stream stream;
    const kiln::DeviceBuffer<float> in(numbers()), out(zeros());
    module.get_function("captured_scale").prepare("PPfi", 256).prepared_async_call(4, stream, in, out, 2.0F, count);
    CHECK(ends_with_elements(capturing.only() / "memory-1-after.npy", scaled(2)));
  }
  SUBCASE("a plan") {
    const kiln::DeviceBuffer<float> in(numbers()), out(zeros());
    kiln::LaunchPlan plan;
    plan.add(module.get_function("captured_scale"), {4, 256}, in, out, 2.0F, count);
    plan(nullptr);
    plan(nullptr);
    CHECK(ends_with_elements(capturing.only() / "memory-1-after.npy", scaled(2)));
  }
  SUBCASE("an array of the host") {
    module.get_function("captured_add<float, 3>")({4, 256}, kiln::InOut(expected), count);
    CHECK(ends_with_elements(capturing.only() / "memory-0-after.npy", expected));
  }
}

TEST_CASE("arguments that point into one allocation are captured as they lie there") {
  const Capturing capturing;
  const kiln::SourceModule module(source);
  const kiln::DeviceBuffer<float> data(numbers());
  module.get_function("captured_scale")({1, 250}, data.data() + 100, data.data() + 500, 2.0F, 250);
  const fs::path capture = capturing.only();
  CHECK_FALSE(fs::exists(capture / "memory-1.npy"));
  CHECK(ends_with_elements(capture / "memory-0.npy", numbers()));
  CHECK(ends_with_elements(capture / "memory-0-after.npy", data.to_host()));
  const std::string json = content(capture / "capture.json");
  CHECK(contains(json, R"("memory":0,"offset":400)"));
  CHECK(contains(json, R"("memory":0,"offset":2000)"));
}

TEST_CASE("a tunable kernel's capture has its definition; candidates of a tuning run are not captured") {
  const Capturing capturing("a key");
  kiln::TunableKernel kernel(tunable_source, "captured_tuned");
  kernel.tune("BLOCK", {64, 128}).block_size("BLOCK").tuning_key("a key");
  const kiln::DeviceBuffer<float> in(numbers()), out(zeros());
  kiln::TuneOptions options;
  options.keep_wisdom = false;
  options.min_repetitions = options.max_repetitions = 1;
  (void)kiln::tune(kernel, count, kiln::TuneArguments(in, out, 2.0F, count), options);
  CHECK(capturing.captures().empty());
  kernel(kiln::ProblemSize{count}, in, out, 2.0F, count);
  kernel(kiln::ProblemSize{count}, in, out, 2.0F, count);
  const fs::path capture = capturing.only();
  CHECK(contains(capture.filename().string(), "a_key-1000-"));
  CHECK(ends_with_elements(capture / "memory-1-after.npy", scaled(2)));
  const std::string json = content(capture / "capture.json");
  CHECK(contains(json, R"("parameters":[{"name":"BLOCK","values":[64,128]}])"));
  CHECK(contains(json, R"("problem":[1000])"));
  kernel(kiln::ProblemSize{500}, in, out, 2.0F, 500);
  CHECK(capturing.captures().size() == 2);
}

TEST_CASE("what is launched while its stream is captured into a graph is not captured") {
  const Capturing capturing;
  const kiln::SourceModule module(source);
  const kiln::DeviceBuffer<float> in(numbers()), out(zeros());
  const kiln::Function scale = module.get_function("captured_scale");
  const kiln::Stream stream;
  const kiln::Graph graph = kiln::capture(stream, [&] { scale({4, 256, 0, stream}, in, out, 2.0F, count); });
  CHECK(capturing.captures().empty());
  graph.launch(stream);
  stream.synchronize();
  CHECK(out.to_host() == scaled(2));
}

}  // namespace capture_test
