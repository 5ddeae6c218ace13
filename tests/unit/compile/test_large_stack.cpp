#include "compile/compiler/large_stack.hpp"

#include "host_float_environment.hpp"
#include "in_child.hpp"

#include <doctest/doctest.h>

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <cstdlib>
#include <stdexcept>

namespace large_stack_test {

using namespace kiln;
using namespace kiln::test;

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

TEST_CASE("where no thread can be started, the work is done on the one that asks") {
  CHECK(in_child([] {
          constexpr uid_t nobody = 65534;
          const rlimit none = {0, 0};
          if (::setrlimit(RLIMIT_NPROC, &none) != 0 || (::geteuid() == 0 && ::setuid(nobody) != 0)) return 1;
          ::setenv("KILN_LOG", "off", 1);
          const pthread_t caller = ::pthread_self();
          bool is_caller = false;
          run_on_large_stack([&] { is_caller = ::pthread_equal(::pthread_self(), caller) != 0; });
          return is_caller ? 0 : 2;
        }) == 0);
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

TEST_CASE("the work has the default floating-point environment, and the caller keeps its own") {
  std::feclearexcept(FE_ALL_EXCEPT);
  const FloatState usual;
  for (const std::string& name : HostFloatEnvironment::names()) {
    CAPTURE(name);
    FloatState before, inside, after;
    {
      const HostFloatEnvironment host(name);
      before = FloatState();
      run_on_large_stack([&] { inside = FloatState(); });
      after = FloatState();
    }
    CHECK(inside == usual);
    CHECK(after == before);
  }
}

}  // namespace large_stack_test
