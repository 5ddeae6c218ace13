// Launches the kernels that its arguments name, in each of the ways that there are: what KILN_CAPTURE is to write.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace {

constexpr const char* source = R"(
__constant__ float factors[4] = {1, 2, 3, 4};
struct View { float* data; int count; };
__device__ int index() { return blockIdx.x * blockDim.x + threadIdx.x; }
__global__ void scale(const float* in, float* out, float factor, int n) {
  if (index() < n) out[index()] = in[index()] * factor;
}
template <class T, int N> __global__ void add(T* data, int n) {
  if (index() < n) data[index()] += N;
}
extern "C" __global__ void shift(int* data, int n) {
  if (index() < n) data[index()] += 1;
}
__global__ void weigh(float* data, int n) {
  if (index() < n) data[index()] *= factors[index() % 4];
}
__global__ void through(View view) {
  if (index() < view.count) view.data[index()] = 0;
}
__global__ void lists(float** data) { data[0][0] = 0; }
__global__ void beyond(float* data, int n) { data[n] = 1; }
)";

constexpr const char* tunable_source = R"(
__global__ void scale_tuned(const float* in, float* out, float factor, int n) {
  const int first = (blockIdx.x * BLOCK + threadIdx.x) * PER_THREAD;
  for (int i = first; i < first + PER_THREAD && i < n; ++i) out[i] = in[i] * factor;
}
)";

constexpr int count = 1000;

struct View {
  float* data;
  int count;
};

std::vector<float> numbers() {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

struct Program {
  kiln::SourceModule module{source};
  kiln::DeviceBuffer<float> in{numbers()};
  kiln::DeviceBuffer<float> out{numbers()};

  void scale() { module.get_function("scale")({4, 256}, in, out, 1.5F, count); }
  void larger() { module.get_function("scale")({8, 128}, in, out, 1.5F, count); }
  void prepared() { module.get_function("scale").prepare("PPfi", 256).prepared_call(4, in, out, 2.0F, count); }
  void timed() { (void)module.get_function("scale").timed({5, 256}, in, out, 2.0F, count); }
  void host() {
    std::vector<float> values = numbers();
    module.get_function("add<float, 3>")({4, 256}, kiln::InOut(values), count);
  }
  void plan() {
    kiln::LaunchPlan launches;
    launches.add(module.get_function("scale"), {6, 256}, in, out, 2.0F, count);
    launches(nullptr);
  }
  void instance() { module.get_function("add<float, 3>")({4, 256}, in, count); }
  void plain() {
    const kiln::DeviceBuffer<int> data(std::vector<int>(count, 7));
    module.get_function("shift")({4, 256}, data, count);
  }
  void alias() { module.get_function("scale")({4, 250}, in, in, 2.0F, count); }
  void interior() { module.get_function("scale")({1, 250}, in.data() + 100, in.data() + 500, 2.0F, 250); }
  void constant() {
    module.get_global("factors").copy_from(std::vector<float>{5, 6, 7, 8});
    module.get_function("weigh")({4, 256}, in, count);
  }
  void view() { module.get_function("through")({4, 256}, View{in.data(), count}); }
  void lists() {
    const kiln::DeviceBuffer<float*> pointers(std::vector<float*>{in.data()});
    module.get_function("lists")({1, 1}, pointers);
  }
  void graph() {
    const kiln::Stream stream;
    (void)kiln::capture(stream, [&] { module.get_function("scale")({7, 256, 0, stream}, in, out, 1.5F, count); });
  }
  void crash() {
    module.get_function("beyond")({1, 1}, in, 1 << 28);
    kiln::synchronize();
  }
  void tuned() {
    kiln::TunableKernel kernel(tunable_source, "scale_tuned");
    kernel.tune("BLOCK", {32, 64, 128}).tune("PER_THREAD", {1, 2}).restriction("BLOCK * PER_THREAD <= 128");
    kernel.restriction([](const kiln::TuneConfiguration&) { return true; });
    kernel.block_size("BLOCK").grid_size("ceil_div(problem_x, BLOCK * PER_THREAD)").tuning_key("scale tuned");
    kernel.default_configuration({{"BLOCK", 64}, {"PER_THREAD", 1}});
    for (int i = 0; i < 3; ++i) kernel(kiln::ProblemSize{count}, in, out, 1.5F, count);
  }
};

const std::map<std::string, void (Program::*)()> ways = {
    {"scale", &Program::scale},       {"larger", &Program::larger},     {"prepared", &Program::prepared},
    {"timed", &Program::timed},       {"host", &Program::host},         {"plan", &Program::plan},
    {"instance", &Program::instance}, {"plain", &Program::plain},       {"alias", &Program::alias},
    {"interior", &Program::interior}, {"constant", &Program::constant}, {"view", &Program::view},
    {"lists", &Program::lists},       {"graph", &Program::graph},       {"crash", &Program::crash},
    {"tuned", &Program::tuned},
};

}  // namespace

int main(int argc, char** argv) try {
  Program program;
  for (int i = 1; i < argc; ++i) (program.*ways.at(argv[i]))();
  kiln::synchronize();
  float sum = 0;
  for (const float value : program.out.to_host()) sum += value;
  std::printf("%g\n", sum);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
