// exit() in one thread while others compile. KILN_STRESS_SECONDS: go on for as long.
#include "rounds.hpp"

#include "in_child.hpp"

#include <kiln/compile.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>

#include <unistd.h>

using namespace kiln;
using namespace kiln::test;

namespace {

std::atomic<int> done{0};    // compiles
std::atomic<int> failed{0};  // threads

/// Compiles one source after the other, until a compile fails, as one does when the process ends.
void compile_until_refused(int thread) {
  CompileOptions options = CompileOptions{}.with_arch("sm_80").with_backend(Backend::nvrtc);
  options.cache = false;
  for (int i = 0;; ++i) try {
      const std::string name = "k" + std::to_string(thread) + "_" + std::to_string(i);
      compile("#include <cuda_fp16.h>\n__global__ void " + name + "(float* p) { p[0] = sinf(p[1]) * __half2float(1); }",
              options);
      ++done;
    } catch (const std::exception&) {
      ++failed;
      return;
    }
}

/// Ends by exit when so many compiles are done, and some time into those that run: a crash needs a certain moment.
int end_while_others_compile(int compiles, std::chrono::milliseconds later) {
  ::alarm(120);  // a busy machine compiles slowly
  for (int thread = 0; thread < 4; ++thread) std::thread([thread] { compile_until_refused(thread); }).detach();
  while (done < compiles && failed == 0) std::this_thread::yield();
  if (failed != 0) return 1;  // nothing can be compiled here
  std::this_thread::sleep_for(later);
  std::exit(0);
}

}  // namespace

TEST_CASE("exit while other threads compile ends the process as it should") {
  repeat([](int round) {
    for (int i = 0; i < 10; ++i) {
      CAPTURE(i);
      std::fflush(stdout);  // or the child's exit would print it again
      CHECK(in_child([&] { return end_while_others_compile(1 + i % 3, std::chrono::milliseconds(17 * i + round)); }) ==
            0);
    }
  });
}
