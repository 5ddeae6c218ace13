#include "toolkit/image/unused_constants.hpp"

#include <doctest/doctest.h>
#include <elf.h>
#include <kiln/nvrtc.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "toolkit/image/code_info.hpp"
#include "toolkit/image/elf_view.hpp"
#include "toolkit/locate/toolkit.hpp"
#include "toolkit/names/kernel_name.hpp"

namespace unused_constants_test {

using namespace kiln;

namespace {

const std::string block_reduce = R"(
#include <cub/block/block_reduce.cuh>
extern "C" __global__ void reduce(const float* in, float* out) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const float sum = Reduce(storage).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0) *out = sum;
}
)";

// Indices that are not known to the compiler, so that the constants are read from memory.
const std::string used_constants = block_reduce + R"(
namespace mine {
__device__ int unused = 7;
static __device__ int hidden = 8;
__constant__ int table[3] = {1, 2, 3};
}
extern "C" __global__ void choose(const int** out, int n) {
  const int* const choice[] = {&cuda::std::integral_constant<int, 31>::value, &cuda::std::integral_constant<int, 32>::value};
  *out = choice[n & 1];
}
)";

struct Compiled {
  std::string cubin;
  std::string ptx;
};

Compiled compiled(const std::string& source, const std::vector<std::string>& more = {},
                  const std::string& arch = "sm_80") {
  std::vector<std::string> options = {"-arch=" + arch, "-std=c++17", "--modify-stack-limit=false"};
  for (const std::string& folder : current_toolkit().include_dirs) options.push_back("-I" + folder);
  if (nvrtc::version() >= std::pair(12, 9)) options.emplace_back("--no-cache");
  options.insert(options.end(), more.begin(), more.end());
  nvrtc::Program program(source, "constants.cu");
  program.compile(options);
  return {program.cubin(), program.ptx()};
}

/// The code of `block_reduce`, compiled once.
const Compiled& reduce_code() {
  static const Compiled code = compiled(block_reduce);
  return code;
}

std::string lean(const Compiled& code, const std::vector<std::string>& wanted = {}) {
  return without_unused_constants(code.cubin, code.ptx, wanted);
}

/// Variables of namespaces that are the libraries' own.
std::vector<std::string> library_constants(const std::string& cubin) {
  const ElfView elf(cubin);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < elf.symbol_count(); ++i)
    if (const ElfSymbol symbol = elf.symbol(i);
        symbol.type == STT_OBJECT && symbol.name.substr(0, 2) == "_Z" && is_library_variable(symbol.name))
      names.emplace_back(symbol.name);
  return names;
}

/// All that stays as it is to the byte: every section but the symbols, their names and the relocations of the table of
/// addresses; and what is left of the symbols, by index.
std::map<std::string, std::string> content(const ElfView& elf) {
  std::map<std::string, std::string> parts;
  for (const ElfSection& section : elf.sections()) {
    const bool cut = section.name == ".symtab" || section.name == ".strtab" || section.name == ".rela.nv.constant4" ||
                     section.name == ".rel.nv.constant4";
    std::string& part = parts[std::string(section.name)];
    part = std::to_string(section.type) + ' ' + std::to_string(section.link) + ' ' + std::to_string(section.info);
    if (!cut) part.append(" " + std::to_string(section.size) + ' ').append(section.bytes);
  }
  return parts;
}

/// How many symbols the second lacks; it has every other as the first has.
std::size_t symbols_gone(const ElfView& before, const ElfView& after) {
  REQUIRE(before.symbol_count() == after.symbol_count());
  std::size_t gone = 0;
  for (std::size_t i = 0; i < before.symbol_count(); ++i) {
    const ElfSymbol a = before.symbol(i);
    const ElfSymbol b = after.symbol(i);
    if (b.type == STT_NOTYPE && b.name.empty() && a.type == STT_OBJECT) {
      ++gone;
      CHECK_MESSAGE(is_library_variable(a.name), a.name);
      continue;
    }
    CHECK(std::tuple(a.name, a.size, a.type, a.binding, a.other, a.section) ==
          std::tuple(b.name, b.size, b.type, b.binding, b.other, b.section));
  }
  return gone;
}

/// Checks that nothing but constants of libraries went, and returns how many.
std::size_t check_equal_code(const Compiled& code) {
  const std::string cut = lean(code);
  const ElfView before(code.cubin);
  const ElfView after(cut);
  CHECK(content(before) == content(after));
  const std::size_t gone = symbols_gone(before, after);
  CHECK((gone == 0) == (cut == code.cubin));
  return gone;
}

}  // namespace

TEST_CASE("CUB's constants go, and code, data and all other symbols stay as they are") {
  for (const std::string arch : {"sm_75", "sm_80", "sm_90"}) {
    CAPTURE(arch);
    const Compiled code = arch == "sm_80" ? reduce_code() : compiled(block_reduce, {}, arch);
    CHECK(library_constants(code.cubin).size() > 100);
    CHECK(check_equal_code(code) == library_constants(code.cubin).size());
    const std::string cut = lean(code);
    CHECK(library_constants(cut).empty());
    CHECK(cut.size() < code.cubin.size() / 2);
    CHECK(lean({cut, code.ptx}) == cut);
  }
}

TEST_CASE("Thrust, cooperative groups and libcu++: the same code without constants") {
  std::vector<std::string> sources = {
      R"(#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  out[threadIdx.x] = cg::reduce(tile, out[threadIdx.x], cg::plus<int>());
})",
      R"(#include <cuda/std/complex>
#include <cuda/atomic>
extern "C" __global__ void k(float* out, int* count) {
  out[0] = abs(cuda::std::complex<float>(out[1], out[2]));
  cuda::atomic_ref<int, cuda::thread_scope_device>(*count).fetch_add(1);
})",
      R"(#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>
__device__ int calls;
extern "C" __global__ void k(int* keys) {
  using Sort = cub::BlockRadixSort<int, 64, 4>;
  __shared__ typename Sort::TempStorage storage;
  int mine[4];
  for (int i = 0; i < 4; ++i) mine[i] = keys[threadIdx.x * 4 + i];
  Sort(storage).Sort(mine);
  for (int i = 0; i < 4; ++i) keys[threadIdx.x * 4 + i] = mine[i];
  atomicAdd(&calls, 1);
  if (keys[0] > 5) printf("%d\n", keys[0]);
})"};
  if (nvrtc::version() >= std::pair(13, 0))  // older ones of Thrust include the host's headers
    sources.emplace_back(R"(#include <thrust/iterator/counting_iterator.h>
#include <thrust/functional.h>
extern "C" __global__ void k(int* out) { *out = thrust::plus<int>()(*thrust::counting_iterator<int>(*out), 3); })");
  for (const std::string& source : sources) {
    CAPTURE(source);
    const Compiled code = compiled(source);
    CHECK(check_equal_code(code) > 20);
    CHECK(library_constants(lean(code)).empty());
    CHECK(read_cubin(lean(code)).globals == read_cubin(code.cubin).globals);
    CHECK(read_cubin(code.cubin).globals.size() == (source.find("__device__") == std::string::npos ? 0 : 1));
  }
}

TEST_CASE("line information stays") {
  const Compiled code = compiled(block_reduce, {"-lineinfo"});
  CHECK(content(ElfView(code.cubin)).count(".debug_line") == 1);
  CHECK(check_equal_code(code) > 100);
}

TEST_CASE("what a kernel uses stays, and what is the program's own, used or not") {
  const Compiled code = compiled(used_constants);
  const std::string cut = lean(code);
  const std::vector<std::string> left = library_constants(cut);
  CHECK(left.size() == 2);
  for (const std::string& name : left) CHECK_MESSAGE(name.find("integral_constantIiLi3") != std::string::npos, name);
  std::vector<std::string> own = read_cubin(cut).globals;
  CHECK(own == read_cubin(code.cubin).globals);
  CHECK(own.size() == 3);
  check_equal_code(code);
}

TEST_CASE("a constant that is wanted by its name stays") {
  const Compiled& code = reduce_code();
  const std::string wanted = library_constants(code.cubin).front();
  CHECK(library_constants(lean(code, {wanted, "another"})) == std::vector{wanted});
}

TEST_CASE(
    "code with debug information, relocatable code, that of newer devices and code of another text stay as they are") {
  const Compiled debug = compiled(block_reduce, {"-G"});
  CHECK(library_constants(debug.cubin).size() > 100);
  CHECK(lean(debug) == debug.cubin);
  const Compiled relocatable = compiled(block_reduce, {"-rdc=true"});
  CHECK(lean(relocatable) == relocatable.cubin);
  const std::vector<int> archs = nvrtc::supported_archs();
  if (std::find(archs.begin(), archs.end(), 100) != archs.end()) {  // with sections that are not known
    const Compiled newer = compiled(block_reduce, {}, "sm_100");
    CHECK(lean(newer) == newer.cubin);
  }
  Compiled code = reduce_code();
  code.ptx.clear();
  CHECK(lean(code) == code.cubin);
  const Compiled plain = compiled("__device__ int value; extern \"C\" __global__ void k() { value = 1; }");
  CHECK(lean(plain) == plain.cubin);
}

TEST_CASE("a section that is not known keeps all as it is, and damage is the reader's business") {
  const Compiled& code = reduce_code();
  Compiled other = code;
  const std::size_t name = other.cubin.find(".nv.global.init");
  REQUIRE(name != std::string::npos);
  other.cubin[name + 1] = 'x';
  CHECK(lean(other) == other.cubin);
  for (const std::size_t size : {std::size_t{0}, std::size_t{40}, std::size_t{1000}, code.cubin.size() - 1}) {
    other.cubin = code.cubin.substr(0, size);
    CHECK(lean(other) == other.cubin);
  }
}

}  // namespace unused_constants_test
