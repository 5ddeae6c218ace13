// Which function that a kernel calls has the most local memory.
#include "toolkit/image/called_function.hpp"

#include <doctest/doctest.h>
#include <kiln/nvjitlink.hpp>
#include <kiln/nvrtc.hpp>

#include <string>
#include <utility>
#include <vector>

namespace called_function_test {

using kiln::largest_called_function;

namespace {

constexpr const char* source = R"(
__device__ __noinline__ int small(int n) { volatile int own[100]; own[n] = n; return own[n / 2]; }
__device__ __noinline__ int large(int n) { volatile int own[200000]; own[n] = small(n); return own[n / 2]; }
extern "C" __global__ void calls(int* out, int n) { *out = n > 3 ? large(n) : n; }
extern "C" __global__ void flat(int* out, int n) { *out = n; })";

kiln::nvrtc::Program compiled(const char* arch, const char* more) {
  kiln::nvrtc::Program program(source);
  std::vector<std::string> options = {arch, more, "--modify-stack-limit=false"};
  if (kiln::nvrtc::version() >= std::pair(12, 9)) options.emplace_back("--no-cache");
  program.compile(options);
  return program;
}

void check_found(const std::string& code) {
  const auto found = largest_called_function(code, "calls");
  REQUIRE(found);
  CHECK(found->name == "large(int)");
  // Some linkers and ptxas add what it calls.
  CHECK(found->local_bytes >= 800000);
  CHECK(found->local_bytes < 801000);
}

}  // namespace

TEST_CASE("the function with the most local memory that a kernel calls is found in PTX and in cubins") {
  const std::string ptx = compiled("-arch=compute_90", "-rdc=false").ptx();
  check_found(ptx);
  CHECK_FALSE(largest_called_function(ptx, "flat"));
  const std::string cubin = compiled("-arch=sm_90", "-rdc=false").cubin();
  check_found(cubin);
  CHECK_FALSE(largest_called_function(cubin, "flat"));
  kiln::nvjitlink::Linker linker({"-arch=sm_90"});
  linker.add_data(kiln::nvjitlink::InputKind::cubin, compiled("-arch=sm_90", "-rdc=true").cubin(), "calls");
  linker.complete();
  check_found(linker.cubin());
}

TEST_CASE("code that is none has no such function, and recursion ends") {
  CHECK_FALSE(largest_called_function("", "k"));
  CHECK_FALSE(
      largest_called_function("\x7f"
                              "ELF damaged",
                              "k"));
  CHECK_FALSE(largest_called_function(".version 9.0\n.target sm_90\n{", "k"));
  const std::string recursive =
      ".version 9.0\n.target sm_90\n.address_size 64\n.func again(.param .b32 a) { .local .align 4 .b8 d[64]; "
      "call again, (a); ret; }\n.visible .entry k() { call again, (a); ret; }\n";
  const auto found = largest_called_function(recursive, "k");
  REQUIRE(found);
  CHECK(found->name == "again");
  CHECK(found->local_bytes == 64);
}

}  // namespace called_function_test
