// The driver's own functions through Kiln's door; each case in a child, as a process opens one driver only.
#include <cuda.h>
#include <doctest/doctest.h>
#include <fake_cuda.hpp>
#include <kiln/driver.hpp>
#include <kiln/error.hpp>

#include <stdlib.h>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <string>

#include "in_child.hpp"
#include "message_of.hpp"
#include "toolkit/driver/driver_versions.hpp"

namespace driver_function_test {

using kiln::driver_function;
using kiln::test::contains;
using kiln::test::in_child;
using kiln::test::message_of;

namespace {

using SetLimit = decltype(&::cuCtxSetLimit);

/// In a child that uses the fake driver; prints what is not true.
void check_with_fake_driver(const std::function<bool()>& is_right) {
  CHECK(in_child([&] {
          unsetenv("KILN_DRIVER");
          kiln::use_driver(fake_cuda::library_path());
          return is_right() ? 0 : 1;
        }) == 0);
}

bool says(const std::string& message, const std::string& part) {
  if (contains(message, part)) return true;
  std::fprintf(stderr, "not in \"%s\": %s\n", message.c_str(), part.c_str());
  return false;
}

}  // namespace

TEST_CASE("a function of the driver by its name and type, with the driver initialised") {
  check_with_fake_driver([] {
    const SetLimit set_limit = driver_function<SetLimit>("cuCtxSetLimit");
    const bool is_initialised = fake_cuda::calls("cuInit") == 1;
    set_limit(CU_LIMIT_STACK_SIZE, 4096);
    return is_initialised && fake_cuda::arguments("cuCtxSetLimit").at(0).at(1) == 4096;
  });
}

TEST_CASE("a version of a function is part of its name; the macro takes the one that cuda.h declares") {
  check_with_fake_driver([] {
    using Alloc = decltype(&::cuMemAlloc);
    const Alloc alloc = driver_function<Alloc>("cuMemAlloc_v2");
    return alloc == KILN_DRIVER_FUNCTION(cuMemAlloc) && alloc != nullptr &&
           KILN_DRIVER_FUNCTION(cuCtxSetLimit) == driver_function<SetLimit>("cuCtxSetLimit");
  });
}

TEST_CASE("a name that cuda.h makes another one is refused without its version") {
  for (const char* name : {"cuMemAlloc", "cuCtxCreate", "cuGraphInstantiate", "cuMemPrefetchAsync"}) {
    const std::string message = message_of<kiln::ArgumentError>([&] { driver_function<SetLimit>(name); });
    CHECK(contains(message, std::string("driver_function: ") + name + " is a macro of cuda.h"));
    CHECK(contains(message, std::string("write KILN_DRIVER_FUNCTION(") + name + ")"));
    CHECK(contains(message, std::string(name) + "_v2"));
  }
  CHECK_THROWS_AS(driver_function<SetLimit>("cuMemAlloc"), kiln::ArgumentError);
}

TEST_CASE("what is no function of the driver is not looked for") {
  for (const char* name : {"malloc", "", "cu", "cudaMalloc", "kiln_driver_message", static_cast<const char*>(nullptr)})
    CHECK_THROWS_WITH_AS(driver_function<SetLimit>(name), doctest::Contains("is no name of the driver's functions"),
                         kiln::ArgumentError);
}

TEST_CASE("a function that the driver lacks is named, with the library and a way out") {
  check_with_fake_driver([] {
    std::string message;
    try {
      driver_function<SetLimit>("cuFromTheFuture");
    } catch (const kiln::ToolkitError& error) {
      message = error.what();
    }
    return says(message, "the driver library " + fake_cuda::library_path()) &&
           says(message, "(for CUDA 13.0) has no function cuFromTheFuture") &&
           says(message, "a newer NVIDIA driver may have it");
  });
}

TEST_CASE("every name that this cuda.h makes another one is known as such" * doctest::skip(!std::ifstream(CUDA_H))) {
  std::ifstream file(CUDA_H);
  std::set<std::string> missing;
  std::size_t count = 0;
  const std::regex macro(R"(\s*#\s*define\s+(cu[A-Z]\w*)\s+\S*(cu[A-Z]\w*).*)");
  for (std::string line; std::getline(file, line);) {
    std::smatch found;
    // A macro for streams per thread alone leaves the name as it is otherwise.
    if (!std::regex_match(line, found, macro) || found[1] == found[2]) continue;
    if (found[2].str().compare(0, found[1].length() + 3, found[1].str() + "_pt") == 0) continue;
    ++count;
    if (!kiln::is_driver_macro(found[1].str())) missing.insert(found[1]);
  }
  CHECK(count > 60);
  CHECK(missing == std::set<std::string>{});
  CHECK(std::is_sorted(std::begin(kiln::driver_macros), std::end(kiln::driver_macros)));
}

}  // namespace driver_function_test
