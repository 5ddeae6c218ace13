// A sequence of small kernels (of one warp that touches no memory, then of four blocks that read and write it) with all
// arguments new each time: by cuLaunchKernel, by a graph whose nodes are set by hand, and by LaunchPlan, in turn.
// Submit is until the driver has taken all, completion until the device is done. Usage: launch_plan [rounds]
#include "measure.hpp"
#include "raw_driver.hpp"

#include <kiln/kiln.hpp>

#include <cstddef>
#include <memory>

using namespace kiln::bench;

namespace {

const char* const source = R"(
extern "C" __global__ void nothing(const float* a, float* b, float factor, int n) {
  if (n < 0) b[0] = factor * a[0];
}
extern "C" __global__ void step(const float* a, float* b, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = factor * a[i];
})";

/// The smallest kernel, and one that works: with n of at least 1 the first stores nothing.
struct Workload {
  const char* kernel;
  unsigned grid;
  unsigned block;
};
constexpr Workload smallest{"nothing", 1, 32};
constexpr Workload working{"step", 4, 128};

/// The arguments of one replay: different ones each time.
struct Arguments {
  const float* a;
  float* b;
  float factor;
  int n;
};

struct Times {
  std::vector<double> submit;
  std::vector<double> complete;
};

class Steps {
 public:
  Steps(const kiln::Function& function, const Workload& work, const kiln::Stream& stream, std::size_t count)
      : stream_(stream), work_(work), count_(count) {
    check(driver_function<decltype(cuKernelGetFunction)>(nullptr, "cuKernelGetFunction")(&function_, function.handle()),
          "cuKernelGetFunction");
    make_graph();
    const auto a = plan_.parameter<const float*>("a");
    const auto b = plan_.parameter<float*>("b");
    const auto factor = plan_.parameter<float>("factor");
    const auto n = plan_.parameter<int>("n");
    for (std::size_t i = 0; i < count_; ++i) plan_.add(function, {work.grid, work.block}, a, b, factor, n);
  }
  ~Steps() {
    (void)driver_function<decltype(cuGraphExecDestroy)>(nullptr, "cuGraphExecDestroy")(executable_);
    (void)driver_function<decltype(cuGraphDestroy)>(nullptr, "cuGraphDestroy")(graph_);
  }
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  void one_by_one(Arguments arguments) const {
    static const auto launch = driver_function<decltype(cuLaunchKernel)>(nullptr, "cuLaunchKernel");
    void* pointers[] = {&arguments.a, &arguments.b, &arguments.factor, &arguments.n};
    for (std::size_t i = 0; i < count_; ++i)
      check(launch(function_, work_.grid, 1, 1, work_.block, 1, 1, 0, stream_, pointers, nullptr), "cuLaunchKernel");
  }
  void by_bare_graph(Arguments arguments) const {
    static const auto set =
        driver_function<decltype(cuGraphExecKernelNodeSetParams)>(nullptr, "cuGraphExecKernelNodeSetParams_v2");
    static const auto launch = driver_function<decltype(cuGraphLaunch)>(nullptr, "cuGraphLaunch");
    void* pointers[] = {&arguments.a, &arguments.b, &arguments.factor, &arguments.n};
    const CUDA_KERNEL_NODE_PARAMS params = node_params(pointers);
    for (const CUgraphNode node : nodes_) check(set(executable_, node, &params), "cuGraphExecKernelNodeSetParams");
    check(launch(executable_, stream_), "cuGraphLaunch");
  }
  void by_plan(const Arguments& arguments) const {
    plan_(stream_, arguments.a, arguments.b, arguments.factor, arguments.n);
  }

 private:
  CUDA_KERNEL_NODE_PARAMS node_params(void** pointers) const {
    CUDA_KERNEL_NODE_PARAMS params = {};
    params.func = function_;
    params.gridDimX = work_.grid;
    params.blockDimX = work_.block;
    params.gridDimY = params.gridDimZ = params.blockDimY = params.blockDimZ = 1;
    params.kernelParams = pointers;
    return params;
  }
  void make_graph() {
    Arguments arguments = {};
    void* pointers[] = {&arguments.a, &arguments.b, &arguments.factor, &arguments.n};
    const CUDA_KERNEL_NODE_PARAMS params = node_params(pointers);
    check(driver_function<decltype(cuGraphCreate)>(nullptr, "cuGraphCreate")(&graph_, 0), "cuGraphCreate");
    const auto add = driver_function<decltype(cuGraphAddKernelNode)>(nullptr, "cuGraphAddKernelNode_v2");
    for (std::size_t i = 0; i < count_; ++i) {
      CUgraphNode node = nullptr;
      check(add(&node, graph_, nodes_.empty() ? nullptr : &nodes_.back(), nodes_.empty() ? 0 : 1, &params),
            "cuGraphAddKernelNode");
      nodes_.push_back(node);
    }
    check(driver_function<decltype(cuGraphInstantiateWithFlags)>(nullptr, "cuGraphInstantiateWithFlags")(&executable_,
                                                                                                         graph_, 0),
          "cuGraphInstantiateWithFlags");
  }

  const kiln::Stream& stream_;
  Workload work_;
  std::size_t count_;
  CUfunction function_ = nullptr;
  CUgraph graph_ = nullptr;
  CUgraphExec executable_ = nullptr;
  std::vector<CUgraphNode> nodes_;
  kiln::LaunchPlan plan_;
};

/// One replay from an idle stream, in microseconds.
template <class Replay>
void measure_replay(const kiln::Stream& stream, Times& times, const Replay& replay) {
  stream.synchronize();
  const auto start = Clock::now();
  replay();
  times.submit.push_back(nanoseconds_since(start) / 1000);
  stream.synchronize();
  times.complete.push_back(nanoseconds_since(start) / 1000);
}

double ratio(const std::vector<double>& values, const std::vector<double>& to) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < values.size(); ++i) ratios.push_back(values[i] / to[i]);
  return median(ratios);
}

void print(const char* name, const Times& times, const Times& single) {
  std::printf("  %-12s submit %6.2f us (%.3fx), completion %6.2f us (%.3fx)\n", name, median(times.submit),
              ratio(times.submit, single.submit), median(times.complete), ratio(times.complete, single.complete));
}

void compare(const kiln::Module& module, const Workload& work, const kiln::Stream& stream, std::size_t count,
             int rounds) {
  const Steps steps(module.get_function(work.kernel), work, stream, count);
  const kiln::DeviceBuffer<float> a(std::vector<float>(2048, 1.0F));
  const kiln::DeviceBuffer<float> b(std::vector<float>(2048));
  Times single, graph, plan;
  int calls = 0;
  const auto next = [&] {  // nothing is as it was in any of the three's last replay
    ++calls;
    return Arguments{a.data() + calls % 1000, b.data() + calls % 1000, static_cast<float>(calls), 1 + calls % 512};
  };
  const auto measure = [&](int which) {
    const Arguments arguments = next();
    if (which == 0) measure_replay(stream, single, [&] { steps.one_by_one(arguments); });
    if (which == 1) measure_replay(stream, graph, [&] { steps.by_bare_graph(arguments); });
    if (which == 2) measure_replay(stream, plan, [&] { steps.by_plan(arguments); });
  };
  constexpr int warm_up = 20;
  for (int round = 0; round < rounds + warm_up; ++round) {
    if (round == warm_up) single = graph = plan = {};
    for (int i = 0; i < 3; ++i) measure((round + i) % 3);  // each goes first in every third round
  }
  std::printf("%zu launches of '%s', median of %d rounds, ratios to single launches:\n", count, work.kernel, rounds);
  print("single", single, single);
  print("bare graph", graph, single);
  print("LaunchPlan", plan, single);
}

}  // namespace

int main(int argc, char** argv) try {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 301;
  if (!make_context()) {
    std::puts("launch_plan: skipped, there is no driver with a device (KILN_DRIVER may name one)");
    return 0;
  }
  const ScratchFolder scratch;
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_caching({scratch.path()}));
  const kiln::Stream stream = kiln::Stream::non_blocking();
  for (const std::size_t count : {16u, 1u, 2u, 4u, 8u, 32u}) compare(module, smallest, stream, count, rounds);
  compare(module, working, stream, 16, rounds);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "launch_plan: %s\n", error.what());
  return 1;
}
