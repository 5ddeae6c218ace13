#include <doctest/doctest.h>
#include <kiln/error.hpp>

#include <algorithm>

#include "cubin_fixture.hpp"
#include "toolkit/image/code_info.hpp"

namespace read_cubin_test {

using kiln::CodeInfo;
using kiln::KernelInfo;
using kiln::ParameterKind;
using kiln::read_cubin;
using kiln::test::compile_fixture;
using kiln::test::Form;

namespace {

using Layout = std::vector<std::pair<std::size_t, std::size_t>>;  // offset, size

const std::string source = R"cuda(
struct Big { char data[5000]; };
struct __align__(16) F4 { float x, y, z, w; };
struct Mixed { double d; char c; };
__constant__ float coefficients[7];
__constant__ double more[5];
__device__ int counter = 3;
static __device__ int hidden_counter;
__managed__ int shared_counter;
namespace ns {
__device__ double total[4];
template <class T, int N> __global__ void scale(T* p, int n) {
  __shared__ T q[256];
  int i = threadIdx.x; q[i] = p[i] * N; __syncthreads(); p[i] = q[255 - i] + total[0];
}
}
template __global__ void ns::scale<float, 4>(float*, int);
extern "C" __global__ void plain(const float* a, float* b, char c, F4 f, short s, Mixed m, long long n) {
  b[0] = a[0] + c + f.x + s + m.d + n + coefficients[n] + more[n];
  counter++; shared_counter++; atomicAdd(&hidden_counter, 1);
}
extern "C" __global__ void empty() {}
__global__ void big(Big b, int* out, int n) { out[0] = b.data[n]; }
extern "C" __global__ void local(int* out, int n) {
  int a[300];
  for (int i = 0; i < 300; i++) a[i] = out[i] * n;
  __syncthreads();
  out[n] = a[out[n]];
}
__device__ __noinline__ int helper(int* p, int n) { return p[n] * 3; }
extern "C" __global__ void calls(int* out, int n) { out[0] = helper(out, n); if (n > 3) printf("%d\n", n); }
)cuda";

const KernelInfo& kernel(const CodeInfo& info, std::string_view name) {
  for (const KernelInfo& item : info.kernels)
    if (item.name == name) return item;
  FAIL("no kernel " << std::string(name));
  return info.kernels.front();
}

Layout layout(const KernelInfo& item) {
  Layout all;
  for (const kiln::Parameter& parameter : item.parameters) all.emplace_back(parameter.offset, parameter.size);
  return all;
}

const Layout plain_layout = {{0, 8}, {8, 8}, {16, 1}, {32, 16}, {48, 2}, {56, 16}, {72, 8}};

}  // namespace

TEST_CASE("a real cubin's tables") {
  for (const char* arch : {"sm_75", "sm_80", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100f", "sm_120", "sm_120a"}) {
    CAPTURE(arch);
    const auto code = compile_fixture(source, arch, Form::cubin);
    if (!code) continue;
    CHECK(kiln::code_kind(*code) == kiln::CodeKind::cubin);
    const CodeInfo info = read_cubin(*code);
    CHECK(info.arch == arch);
    CHECK(info.kernels.size() == 6);  // and not the device function

    const KernelInfo& plain = kernel(info, "plain");
    CHECK(layout(plain) == plain_layout);
    CHECK(plain.readable_name == "plain");
    CHECK(plain.registers > 4);
    CHECK(plain.shared_bytes == 0);
    CHECK(plain.local_bytes == 0);
    // 28 bytes, and 40 aligned to 8: as the driver tells it, for every kernel of the module.
    CHECK(plain.constant_bytes == 72);

    const KernelInfo& scale = kernel(info, "_ZN2ns5scaleIfLi4EEEvPT_i");
    CHECK(scale.readable_name == "ns::scale<float, 4>(float*, int)");
    CHECK(scale.shared_bytes == 1024);
    CHECK(scale.parameters[0].type == "float*");
    CHECK(scale.parameters[0].kind == ParameterKind::pointer);
    CHECK(scale.parameters[1].kind == ParameterKind::integer);

    CHECK(layout(kernel(info, "_Z3big3BigPii")) == Layout{{0, 5000}, {5000, 8}, {5008, 4}});
    CHECK(kernel(info, "empty").parameters.empty());
    CHECK(kernel(info, "local").local_bytes >= 1200);

    std::vector<std::string> globals = info.globals;
    std::sort(globals.begin(), globals.end());
    CHECK(globals == std::vector<std::string>{"_ZN2ns5totalE", "coefficients", "counter", "hidden_counter", "more",
                                              "shared_counter"});
  }
}

TEST_CASE("the threads that a block may have: launch bounds, and what the registers allow") {
  std::string text = R"cuda(
extern "C" __global__ void __launch_bounds__(192, 2) bounded(float* p) { *p += 1; }
extern "C" __global__ void open(float* p) { *p += 1; }
extern "C" __global__ void __launch_bounds__(64) thirsty(volatile float* p) {
  float a[200];
  #pragma unroll
  for (int i = 0; i < 200; ++i) a[i] = p[i];
  #pragma unroll
  for (int i = 0; i < 200; ++i) p[200 - i] = a[i];
}
extern "C" __global__ void __launch_bounds__(1024) many(float* p) { *p += 1; }
)cuda";
  for (const char* arch : {"sm_75", "sm_90", "sm_120"}) {
    const auto code = compile_fixture(text, arch, Form::cubin);
    if (!code) continue;
    const CodeInfo info = read_cubin(*code);
    CHECK(kernel(info, "bounded").max_threads_per_block == 192);
    CHECK(kernel(info, "open").max_threads_per_block == 1024);
    CHECK(kernel(info, "many").max_threads_per_block == 1024);
    CHECK(kernel(info, "thirsty").max_threads_per_block == 64);
    CHECK(kernel(info, "open").architectures == std::vector<std::string>{arch});
  }
  // The same without bounds: 168 registers a thread leave room for 384 threads, 254 for 256.
  text.erase(text.find("__launch_bounds__(64)"), 21);
  const auto code = compile_fixture(text, "sm_90", Form::cubin);
  if (!code) return;
  const KernelInfo thirsty = kernel(read_cubin(*code), "thirsty");
  CAPTURE(thirsty.registers);
  CHECK(thirsty.registers > 168);
  CHECK(thirsty.max_threads_per_block == 256);
}

TEST_CASE("the readers of PTX and of cubins agree") {
  const auto cubin = compile_fixture(source, "sm_90", Form::cubin);
  const auto ptx = compile_fixture(source, "compute_90", Form::ptx);
  if (!cubin || !ptx) return;
  const CodeInfo from_cubin = read_cubin(*cubin);
  const CodeInfo from_ptx = kiln::read_ptx(*ptx);
  CHECK(from_ptx.kernels.size() == from_cubin.kernels.size());
  for (const KernelInfo& item : from_cubin.kernels) {
    CAPTURE(item.name);
    const KernelInfo& same = kernel(from_ptx, item.name);
    CHECK(layout(same) == layout(item));
    CHECK(same.shared_bytes == item.shared_bytes);
    CHECK(same.constant_bytes == item.constant_bytes);
    // What is called has a stack that only the finished code tells.
    CHECK(same.local_bytes == (item.name == "calls" ? -1 : item.local_bytes));
  }
  std::vector<std::string> globals[2] = {from_cubin.globals, from_ptx.globals};
  for (auto& list : globals) std::sort(list.begin(), list.end());
  CHECK(globals[0] == globals[1]);
}

TEST_CASE("parameters of 4 KB and more") {
  const std::string large = R"cuda(
template <int N> struct Blob { char data[N]; };
template <int N> __global__ void take(int a, Blob<N> b, short c, int* out) { out[0] = b.data[a] + c; }
template __global__ void take<4000>(int, Blob<4000>, short, int*);
template __global__ void take<16383>(int, Blob<16383>, short, int*);
template __global__ void take<16384>(int, Blob<16384>, short, int*);
template __global__ void take<32000>(int, Blob<32000>, short, int*);
)cuda";
  for (const char* arch : {"sm_75", "sm_90", "sm_100"}) {
    CAPTURE(arch);
    const auto code = compile_fixture(large, arch, Form::cubin);
    if (!code) continue;
    const CodeInfo info = read_cubin(*code);
    REQUIRE(info.kernels.size() == 4);
    for (const std::size_t size : {4000u, 16383u, 16384u, 32000u}) {
      const KernelInfo& item = kernel(info, "_Z4takeILi" + std::to_string(size) + "EEvi4BlobIXT_EEsPi");
      const std::size_t after = (4 + size + 1) / 2 * 2;
      CHECK(layout(item) == Layout{{0, 4}, {4, size}, {after, 2}, {(after + 2 + 7) / 8 * 8, 8}});
    }
  }
}

TEST_CASE("a damaged cubin is an error or an answer, never more") {
  const auto code = compile_fixture(source, "sm_90", Form::cubin);
  if (!code) return;
  std::size_t refused = 0;
  // A copy of exactly the size, so that a sanitizer sees one byte too many.
  const auto read = [&](const std::string& bytes) {
    const std::vector<char> exact(bytes.begin(), bytes.end());
    try {
      read_cubin(std::string_view(exact.data(), exact.size()));
    } catch (const kiln::Error&) {
      ++refused;
    }
  };
  std::size_t tried = 0;
  for (std::size_t size = 0; size < code->size(); size += 61, ++tried) read(code->substr(0, size));
  // The section headers lie at the end: what is cut off is always missed.
  CHECK(refused == tried);
  refused = 0;
  for (std::size_t at = 0; at < code->size(); at += 7)
    for (const unsigned flip : {0xffu, 1u << (at % 8)}) {
      std::string changed = *code;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ flip);
      read(changed);
    }
  CHECK(refused > 0);
  CHECK_THROWS_AS(read_cubin(""), kiln::Error);
  CHECK_THROWS_AS(read_cubin("\x7f"
                             "ELF"),
                  kiln::Error);
  CHECK_THROWS_AS(read_cubin(std::string(64, 'x')), kiln::Error);
}

}  // namespace read_cubin_test
