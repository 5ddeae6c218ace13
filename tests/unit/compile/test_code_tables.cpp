#include "compile/code/code_tables.hpp"

#include "toolkit/libraries/nvrtc_library.hpp"

#include <kiln/compile.hpp>

#include <doctest/doctest.h>

namespace code_tables_test {

using namespace kiln;

namespace {

CodeInfo real_info() {
  const CodeObject code = compile(
      "struct S { int a; double b; }; __constant__ float c[3]; __device__ int d;\n"
      "namespace n { template <class T> __global__ void f(T* p, S s) { __shared__ T q[5]; q[threadIdx.x] = c[1]; p[0] "
      "= q[s.a] + d; } }\n"
      "template __global__ void n::f<float>(float*, S);\nextern \"C\" __global__ void __launch_bounds__(128) none() {}",
      CompileOptions{}.with_arch("sm_80").with_cache(false));
  CodeInfo info = read_cubin(code.bytes());
  info.kernels[0].parameters[1].kind = ParameterKind::integer_or_pointer;  // as PTX may tell it
  return info;
}

}  // namespace

TEST_CASE("the tables of code survive the way through bytes") {
  const CodeInfo info = real_info();
  REQUIRE(info.kernels.size() == 2);
  REQUIRE(info.globals.size() == 2);
  CHECK(info.kernels[0].architectures == std::vector<std::string>{"sm_80"});
  const auto back = decode_tables(encode_tables(info));
  REQUIRE(back);
  CHECK(back->arch == info.arch);
  CHECK(back->globals == info.globals);
  REQUIRE(back->kernels.size() == info.kernels.size());
  for (std::size_t i = 0; i < info.kernels.size(); ++i) {
    const KernelInfo& expected = info.kernels[i];
    const KernelInfo& kernel = back->kernels[i];
    CHECK(kernel.name == expected.name);
    CHECK(kernel.readable_name == expected.readable_name);
    CHECK(kernel.registers == expected.registers);
    CHECK(kernel.shared_bytes == expected.shared_bytes);
    CHECK(kernel.local_bytes == expected.local_bytes);
    CHECK(kernel.constant_bytes == expected.constant_bytes);
    CHECK(kernel.max_threads_per_block == expected.max_threads_per_block);
    CHECK(kernel.architectures == expected.architectures);
    REQUIRE(kernel.parameters.size() == expected.parameters.size());
    for (std::size_t p = 0; p < expected.parameters.size(); ++p) {
      CHECK(kernel.parameters[p].offset == expected.parameters[p].offset);
      CHECK(kernel.parameters[p].size == expected.parameters[p].size);
      CHECK(kernel.parameters[p].kind == expected.parameters[p].kind);
      CHECK(kernel.parameters[p].type == expected.parameters[p].type);
    }
  }
}

TEST_CASE("malformed bytes are nothing, and are not trusted with memory") {
  const std::string bytes = encode_tables(real_info());
  for (std::size_t size = 0; size < bytes.size(); ++size) CHECK_FALSE(decode_tables(bytes.substr(0, size)));
  CHECK_FALSE(decode_tables(bytes + "x"));
  CHECK_FALSE(decode_tables(std::string(4, '\0') + "\xff\xff\xff\xff"));
}

}  // namespace code_tables_test
