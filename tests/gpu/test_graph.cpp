// Graphs of captured work: kernels, copies, fills and plans, replayed, updated and refused.
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace graph_test {

namespace {

using kiln::DeviceBuffer;
using kiln::Graph;
using kiln::Stream;
using Values = std::vector<int>;

const char* const source = R"(
__constant__ int factor = 1;
__global__ void add(int* values, int amount) { values[threadIdx.x] += amount * factor; }
__global__ void multiply(int* values, int amount) { values[threadIdx.x] *= amount; }
)";

constexpr unsigned size = 4;
const Values zeros(size);

kiln::LaunchConfig on(const Stream& stream) { return {1, size, 0, stream}; }

Values values(const kiln::PinnedBuffer<int>& host) { return {host.begin(), host.end()}; }

}  // namespace

TEST_CASE("graph: copies, fills, variables, kernels and plans replay by one call") {
  const kiln::SourceModule module(source);
  const kiln::Function add = module.get_function("add"), multiply = module.get_function("multiply");
  const kiln::GlobalVariable factor = module.get_global("factor");
  kiln::LaunchPlan plan;
  const auto target = plan.parameter<int*>("target");
  plan.add(add, {1, size}, target, 1);
  plan.add(multiply, {1, size}, target, 2);

  const Stream stream = Stream::non_blocking();
  kiln::PinnedBuffer<int> input(size), output(size);
  std::fill(input.begin(), input.end(), 1);
  std::fill(output.begin(), output.end(), 0);
  DeviceBuffer<int> x(size), y(size);
  const Graph graph = kiln::capture(stream, [&] {
    factor.set(10, stream);
    x.copy_from(input, stream);
    add(on(stream), x, 1);
    y.fill(7, stream);
    y.copy_from(x, stream);
    plan(stream, y);
    y.copy_to(output, stream);
  });
  CHECK(graph.size() == 8);
  stream.synchronize();
  CHECK(values(output) == Values(size, 0));  // captured, not run
  graph.upload(stream);
  graph.launch(stream);
  stream.synchronize();
  CHECK(values(output) == Values(size, (1 + 10 + 10) * 2));
  std::fill(input.begin(), input.end(), 5);
  const Stream other;
  graph.launch(other);
  other.synchronize();
  CHECK(values(output) == Values(size, (5 + 10 + 10) * 2));
}

TEST_CASE("graph: an update takes new arguments over, and refuses other work with the reason") {
  const kiln::SourceModule module(source);
  const kiln::Function add = module.get_function("add"), multiply = module.get_function("multiply");
  const Stream stream = Stream::non_blocking();
  DeviceBuffer<int> x(size), y(size);
  const auto work = [&](DeviceBuffer<int>& target, int start, int amount) {
    return [&, start, amount] {
      target.fill(start, stream);
      add(on(stream), target, amount);
    };
  };
  Graph graph = kiln::capture(stream, work(x, 1, 2));
  graph.launch(stream);
  stream.synchronize();
  CHECK(x.to_host() == Values(size, 3));
  graph.update(stream, work(y, 10, 20));
  graph.launch(stream);
  stream.synchronize();
  CHECK(x.to_host() == Values(size, 3));
  CHECK(y.to_host() == Values(size, 30));

  const auto longer = [&] {
    work(y, 1, 1)();
    multiply(on(stream), y, 2);
  };
  const auto other_kind = [&] {
    add(on(stream), y, 1);
    y.fill(1, stream);
  };
  CHECK_THROWS_WITH_AS(graph.update(stream, longer), doctest::Contains("2 operations, given 3 operations"),
                       kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(graph.update(stream, other_kind), doctest::Contains("capture() makes a new graph"),
                       kiln::ArgumentError);
  graph.launch(stream);
  stream.synchronize();
  CHECK(y.to_host() == Values(size, 30));
}

TEST_CASE("graph: work that throws, or waits, leaves the stream usable") {
  const kiln::SourceModule module(source);
  const kiln::Function add = module.get_function("add");
  const Stream stream = Stream::non_blocking();
  const DeviceBuffer<int> x(zeros);
  const auto failing = [&] {
    add(on(stream), x, 1);
    throw std::domain_error("mine");
  };
  CHECK_THROWS_AS(kiln::capture(stream, failing), std::domain_error);
  const auto waiting = [&] {
    add(on(stream), x, 1);
    stream.synchronize();
  };
  CHECK_THROWS_AS(kiln::capture(stream, waiting), kiln::DriverError);
  const auto swallowing = [&] {
    try {
      waiting();
    } catch (const kiln::DriverError&) {
    }
  };
  CHECK_THROWS_WITH_AS(kiln::capture(stream, swallowing), doctest::Contains("what cannot be captured"),
                       kiln::DriverError);
  CHECK(x.to_host() == zeros);
  add(on(stream), x, 1);
  kiln::capture(stream, [&] { add(on(stream), x, 2); }).launch(stream);
  stream.synchronize();
  CHECK(x.to_host() == Values(size, 3));
}

TEST_CASE("graph: another stream takes part by events, and must be waited for") {
  const kiln::SourceModule module(source);
  const kiln::Function add = module.get_function("add");
  const Stream stream = Stream::non_blocking(), beside = Stream::non_blocking();
  const DeviceBuffer<int> x(zeros), y(zeros);
  kiln::Event forked, joined;
  const auto fork = [&] {
    forked.record(stream);
    beside.wait_for_event(forked);
    add(on(beside), y, 2);
    joined.record(beside);
    add(on(stream), x, 1);
  };
  CHECK_THROWS_WITH_AS(kiln::capture(stream, fork), doctest::Contains("another stream took part"), kiln::DriverError);
  const Graph graph = kiln::capture(stream, [&] {
    fork();
    stream.wait_for_event(joined);
  });
  graph.launch(stream);
  stream.synchronize();
  CHECK(x.to_host() == Values(size, 1));
  CHECK(y.to_host() == Values(size, 2));
}

TEST_CASE("graph: its text names the kernels") {
  const kiln::SourceModule module(source);
  const Stream stream;
  const DeviceBuffer<int> x(zeros);
  const kiln::Function add = module.get_function("add");
  const Graph graph = kiln::capture(stream, [&] { add(on(stream), x, 1); });
  const kiln::test::ScratchFolder folder;
  graph.debug_dot_print(folder.path() / "a graph.dot");
  std::ifstream file(folder.path() / "a graph.dot");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  CHECK_MESSAGE(text.find("digraph") != std::string::npos, text);
  CHECK_MESSAGE(text.find("add") != std::string::npos, text);
}

}  // namespace graph_test
