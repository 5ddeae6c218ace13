// Every source of tests/corpus, run: what it must give, by whichever compiler Kiln chooses and by nvcc.
#include "corpus.hpp"
#include "loop_step.hpp"
#include "needs.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace corpus_test {

namespace {

using kiln::Backend;
using kiln::test::corpus_size;
using kiln::test::CorpusSource;

template <class Number>
std::vector<double> run(const CorpusSource& source, const kiln::SourceModule& module) {
  kiln::DeviceBuffer<Number> out(std::vector<Number>(corpus_size, Number(0)));
  module.get_function(source.kernel)({source.grid, source.block, source.shared}, out, corpus_size);
  const std::vector<Number> values = out.to_host();
  return {values.begin(), values.end()};
}

void check_source(const CorpusSource& source, Backend backend) {
  CAPTURE(source.name);
  kiln::CompileOptions options = source.options;
  options.backend = backend;
  const kiln::SourceModule module(source.text, options);
  const std::vector<double> values = source.floats ? run<float>(source, module) : run<unsigned>(source, module);
  for (int i = 0; i < corpus_size; ++i) {
    CAPTURE(i);
    CHECK(values[static_cast<std::size_t>(i)] == source.expected[static_cast<std::size_t>(i)]);
  }
}

/// Every `prime`-th source, or all.
void check_corpus(Backend backend, std::size_t prime) {
  kiln::test::Turns turns(prime);
  for (const CorpusSource& source : kiln::test::read_corpus(CORPUS_FOLDER)) {
    if (!source.run || !turns.next()) continue;
    try {
      check_source(source, backend);
    } catch (const kiln::Error& error) {
      FAIL_CHECK(source.name << ": " << error.what());
    }
  }
}

}  // namespace

TEST_CASE("the corpus gives the right results by the compiler that Kiln chooses") {
  check_corpus(Backend::automatic, 1);
}

TEST_CASE("the corpus gives the right results by nvcc" * kiln::test::needs_nvcc()) { check_corpus(Backend::nvcc, 7); }

}  // namespace corpus_test
