// Captures and graphs: what is called, what is released, what is refused. What graphs compute: tests/gpu.
#include "each_call_fails.hpp"
#include "fake_cuda.hpp"

#include <kiln/error.hpp>
#include <kiln/graph.hpp>
#include <kiln/stream.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <utility>

namespace graph_test {

using kiln::Graph;
using kiln::Stream;

// Destructors call the quiet ones.
TEST_CASE("a graph is captured, launched, updated and released, and each failure releases all") {
  each_call_fails(
      [] {
        const Stream stream;
        int runs = 0;
        Graph graph = kiln::capture(stream, [&] { ++runs; });
        graph.upload(stream);
        graph.launch(stream);
        CUgraph const before = graph.graph();
        graph.update(stream, [&] { ++runs; });
        CHECK(graph.graph() != before);
        graph.launch(nullptr);
        graph.debug_dot_print("graph.dot");
        const std::size_t size = graph.size();
        CHECK(size == 0);
        CHECK(runs == 2);
      },
      {"cuCtxGetCurrent", "cuGraphDestroy", "cuGraphExecDestroy", "cuStreamDestroy"});
}

TEST_CASE("what the work throws ends the capture, and the stream can be captured again") {
  const Stream stream;
  fake_cuda::reset();
  CHECK_THROWS_AS(kiln::capture(stream, [] { throw std::domain_error("mine"); }), std::domain_error);
  CHECK(fake_cuda::calls("cuStreamEndCapture") == 1);
  CHECK(fake_cuda::calls("cuGraphDestroy") == 1);
  CHECK(fake_cuda::live_graphs() == 0);
  Graph graph = kiln::capture(stream, [] {});
  CHECK_THROWS_AS(graph.update(stream, [] { throw std::domain_error("mine"); }), std::domain_error);
  CHECK(fake_cuda::calls("cuGraphExecUpdate") == 0);
  graph.launch(stream);
}

TEST_CASE("streams that cannot be captured are refused") {
  const auto nothing = [] { FAIL("not captured, so not run"); };
  CHECK_THROWS_WITH_AS(kiln::capture(nullptr, nothing), doctest::Contains("use a kiln::Stream"), kiln::ArgumentError);
  CHECK_THROWS_AS(kiln::capture(CU_STREAM_LEGACY, nothing), kiln::ArgumentError);
  const Stream stream;
  const auto nested = [&] { (void)kiln::capture(stream, nothing); };
  CHECK_THROWS_WITH_AS(kiln::capture(stream, nested), doctest::Contains("captured already"), kiln::DriverError);
  (void)kiln::capture(stream, [] {});
  CHECK(fake_cuda::live_graphs() == 0);
}

TEST_CASE("a graph that was moved from says so") {
  const Stream stream;
  Graph first = kiln::capture(stream, [] {});
  const Graph second = std::move(first);
  second.launch(stream);
  const auto says = doctest::Contains("moved from");
  // NOLINTBEGIN(bugprone-use-after-move,clang-analyzer-cplusplus.Move): what the test is about
  CHECK_THROWS_WITH_AS(first.launch(stream), says, kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(first.update(stream, [] {}), says, kiln::ArgumentError);
  CHECK_THROWS_WITH_AS((void)first.size(), says, kiln::ArgumentError);
  // NOLINTEND(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
}

}  // namespace graph_test
