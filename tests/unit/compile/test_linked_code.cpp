// A link succeeds only if its code can be loaded: after a refused input, nvJitLink reports success for any code.
#include "compile/nvjitlink/link_outcome.hpp"
#include "link_bench.hpp"

#include <kiln/nvjitlink.hpp>

#include <cstdio>
#include <string>

namespace linked_code_test {

using namespace kiln;
using namespace kiln::test;

/// The bare library's result for the PTX after it refused another one, which leaves the process unreliable.
std::string linked_after_refusal(const std::string& refused, const std::vector<std::string>& ptx) {
  try {
    nvjitlink::Linker({"-arch=sm_90"}).add_data(nvjitlink::InputKind::ptx, refused, "refused");
    std::fprintf(stderr, "it was not refused\n");
  } catch (const LinkError&) {
  }
  nvjitlink::Linker linker({"-arch=sm_90"});
  for (const std::string& part : ptx) linker.add_data(nvjitlink::InputKind::ptx, part, "part");
  linker.complete();
  return linker.cubin();
}

struct Broken {
  const char* what;
  std::vector<const char*> sources;
  const char* failure;  // the error's text
};

const Broken broken[] = {
    {"an undefined function",
     {"extern __device__ int there(); extern \"C\" __global__ void k(int* p) { *p = there(); }"},
     "lacks symbols"},
    {"an undefined variable",
     {"extern __device__ int there; extern \"C\" __global__ void k(int* p) { *p = there; }"},
     "lacks symbols"},
    {"60,000 bytes of shared memory",
     {"extern \"C\" __global__ void k(int* p) { __shared__ int a[15000]; a[*p] = 1; __syncthreads(); *p = a[p[1]]; }"},
     "kernel k uses 60000 bytes of static shared memory, and there are 49152"},
    {"65,552 bytes of constants",
     {"__constant__ int a[16384]; extern \"C\" __global__ void k(int* p) { *p = a[p[1]]; }",
      "__constant__ int b[4]; extern \"C\" __global__ void l(int* p) { *p = b[p[1]]; }"},
     "the linked code uses 65552 bytes of __constant__ variables, and there are 65536"},
};

std::string failure_of_code(std::string code) {
  LinkOutcome outcome;
  outcome.code = std::move(code);
  check_linked_code(outcome);
  return outcome.failure;
}

TEST_CASE("linked code: what nvJitLink calls linked after a refusal is looked at") {
  const LinkBench bench;
  const std::string plug(bench.plug_code().bytes());
  const std::string newer =
      plug.substr(0, plug.find(".version")) + ".version 99.9" + plug.substr(plug.find("\n.target"));
  for (const Broken& one : broken) {
    CAPTURE(one.what);
    std::vector<std::string> ptx;
    for (const char* const source : one.sources) ptx.emplace_back(bench.code(source, Target::ptx, "part").bytes());
    CHECK(in_new_process([&] {
      const std::string failure = failure_of_code(linked_after_refusal(newer, ptx));
      const bool is_found = contains(failure, one.failure);
      if (!is_found) std::fprintf(stderr, "%s: \"%s\"\n", one.what, failure.c_str());
      return is_found;
    }));
  }
}

TEST_CASE("linked code: what is whole passes, with calls of the system and all the shared memory that there is") {
  const LinkBench bench;
  const char* const sources[] = {
      plug_source,
      "#include <cassert>\nextern \"C\" __global__ void k(int* p) {\n"
      "  extern __shared__ int dynamic[]; assert(*p); printf(\"%p\", malloc(1)); dynamic[*p] = 1; *p = dynamic[p[1]]; "
      "}",
      "extern \"C\" __global__ void k(int* p) { __shared__ int a[12288]; a[*p] = 1; __syncthreads(); *p = a[p[1]]; }",
      "__constant__ int a[16384]; extern \"C\" __global__ void k(int* p) { *p = a[p[1]]; }"};
  for (const std::string arch : {"sm_80", "sm_90"})
    for (const char* const source : sources) {
      CAPTURE(source);
      Linker linker(bench.link_options());
      CHECK(failure_of_code(std::string(linker.add(bench.code(source, Target::ptx, "part", arch)).link().bytes()))
                .empty());
    }
}

TEST_CASE("linked code: a log that reports an error is none of a success") {
  LinkOutcome outcome;
  outcome.error_log = "error   : Multiple definition of 'f' in 'ltoPtx', first defined in 'use'";
  check_linked_code(outcome);
  CHECK_FALSE(outcome.failure.empty());
  LinkOutcome fine;
  fine.error_log = "Info: ignored\nwarning : Stack size for entry function 'k' cannot be statically determined";
  check_linked_code(fine);
  CHECK(fine.failure.empty());
}

}  // namespace linked_code_test
