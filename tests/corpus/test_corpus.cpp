// Every source of the corpus by Backend::automatic and by nvcc: the same kernels with the same parameters.
#include "corpus.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <atomic>
#include <sstream>
#include <thread>

namespace {

using kiln::Backend;
using kiln::CodeObject;
using kiln::CompileOptions;
using kiln::test::CorpusSource;

CodeObject compile_by(const CorpusSource& source, Backend backend) {
  CompileOptions options = source.options;
  options.backend = backend;
  options.arch = "sm_80";
  options.cache = false;
  return kiln::compile(source.text, options);
}

/// The kernels, a line each: name, as a person writes it, and where its parameters lie.
std::string kernels_of(const CodeObject& code) {
  std::vector<std::string> lines;
  for (const kiln::KernelInfo& kernel : code.kernels()) {
    std::ostringstream line;
    line << kernel.name << " = " << kernel.readable_name;
    for (const kiln::Parameter& parameter : kernel.parameters) line << ' ' << parameter.offset << '+' << parameter.size;
    lines.push_back(line.str());
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string lowered_names(const CorpusSource& source, const CodeObject& code) {
  std::string text;
  for (const std::string& expression : source.options.name_expressions) text += code.lowered_name(expression) + "\n";
  return text;
}

bool has_nvcc() {
  try {
    kiln::compile("", CompileOptions{}.with_backend(Backend::nvcc).with_arch("sm_80"));
    return true;
  } catch (const kiln::ToolkitError&) {
    return false;
  }
}

/// What is wrong with a source; empty where nothing is.
std::string complaint(const CorpusSource& source, bool with_nvcc) {
  if (!with_nvcc && source.backend == Backend::nvcc) return {};
  try {
    const CodeObject automatic = compile_by(source, Backend::automatic);
    if (automatic.backend() != source.backend) return "automatic chose the other compiler";
    if (automatic.kernels().empty()) return "automatic made no kernel";
    if (!with_nvcc) return {};
    const CodeObject nvcc = compile_by(source, Backend::nvcc);
    if (nvcc.backend() != Backend::nvcc) return "nvcc was asked for and did not compile";
    if (kernels_of(automatic) != kernels_of(nvcc))
      return "the kernels differ:\n" + kernels_of(automatic) + "by nvcc:\n" + kernels_of(nvcc);
    if (lowered_names(source, automatic) != lowered_names(source, nvcc)) return "the instances differ";
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("both compilers make the same kernels of every source") {
  const std::vector<CorpusSource> corpus = kiln::test::read_corpus(CORPUS_FOLDER);
  REQUIRE(corpus.size() >= 40);
  const bool with_nvcc = has_nvcc();
  if (!with_nvcc) MESSAGE("no nvcc here: only what NVRTC compiles was compiled");

  // An nvcc takes a second, so several run at once.
  std::vector<std::string> complaints(corpus.size());
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::clamp(std::thread::hardware_concurrency(), 2u, 16u); ++i)
    threads.emplace_back([&] {
      for (std::size_t k = next++; k < corpus.size(); k = next++) complaints[k] = complaint(corpus[k], with_nvcc);
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t k = 0; k < corpus.size(); ++k)
    CHECK_MESSAGE(complaints[k].empty(), corpus[k].name, ": ", complaints[k]);
}
