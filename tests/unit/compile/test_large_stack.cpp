#include "compile/large_stack.hpp"

#include <doctest/doctest.h>

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#include <clocale>
#include <cstdlib>
#include <stdexcept>

using namespace kiln;

TEST_CASE("the work has a large stack and the process keeps its own limit") {
  rlimit before{};
  getrlimit(RLIMIT_STACK, &before);
  std::size_t size = 0;
  run_on_large_stack([&] {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
  });
  rlimit after{};
  getrlimit(RLIMIT_STACK, &after);
  CHECK(size >= std::size_t{8} << 20);
  CHECK(before.rlim_cur == after.rlim_cur);
}

TEST_CASE("signals are blocked for the work only") {
  sigset_t inside;
  run_on_large_stack([&] { pthread_sigmask(SIG_BLOCK, nullptr, &inside); });
  CHECK(sigismember(&inside, SIGINT) == 1);
  sigset_t outside;
  pthread_sigmask(SIG_BLOCK, nullptr, &outside);
  CHECK(sigismember(&outside, SIGINT) == 0);
}

TEST_CASE("what the work throws arrives") {
  CHECK_THROWS_WITH_AS(run_on_large_stack([] { throw std::runtime_error("from inside"); }), "from inside",
                       std::runtime_error);
}
