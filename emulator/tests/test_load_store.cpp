#include "run_ptx.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

namespace load_store_test {

using namespace kiln::emulator;

namespace {

template <class T>
std::vector<T> counted(std::size_t size, T first) {
  std::vector<T> values(size);
  std::iota(values.begin(), values.end(), first);
  return values;
}

// A kernel "k" of one block whose parameter is %out; the body has %i = tid, %o = out + 8 * tid.
std::string kernel(const std::string& body, const std::string& before = "") {
  return ptx_module(before +
                    ".visible .entry k(.param .u64 p_out)\n{\n"
                    ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .b64 %out, %o, %x;\n"
                    ".reg .b32 %i; .reg .b128 %q<3>; .reg .f32 %f<9>;\n"
                    "mov.u32 %i, %tid.x; ld.param.u64 %out, [p_out]; mul.wide.u32 %x, %i, 8; add.s64 %o, %out, %x;\n" +
                    body + "\nret;\n}\n");
}

std::vector<std::uint64_t> run(const std::string& text, unsigned threads = 32) {
  TestModule module(text);
  Buffer<std::uint64_t> out{std::vector<std::uint64_t>(threads)};
  const LaunchOutcome outcome = module.launch("k", {1}, {threads}, out.address());
  REQUIRE_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  return out.values();
}

}  // namespace

TEST_CASE("emulator ld: a register wider than the type is extended by the type's sign") {
  const std::string data = ".global .align 8 .b8 v[8] = {0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88};\n";
  const auto loaded = [&](const char* type) {
    return run(kernel("mov.u64 %d1, 7; ld.global." + std::string(type) + " %d1, [v]; st.global.u64 [%o], %d1;", data))
        .front();
  };
  CHECK(loaded("u8") == 0x81);
  CHECK(loaded("s8") == 0xFFFFFFFFFFFFFF81);
  CHECK(loaded("b8") == 0x81);
  CHECK(loaded("u16") == 0x8281);
  CHECK(loaded("s16") == 0xFFFFFFFFFFFF8281);
  CHECK(loaded("u32") == 0x84838281);
  CHECK(loaded("s32") == 0xFFFFFFFF84838281);
  CHECK(loaded("b64") == 0x8887868584838281);
}

TEST_CASE("emulator st: the low bytes of a wider register are stored, the others stay") {
  const auto stored = [](const char* type, const char* value) {
    return run(kernel("mov.u64 %d1, 0x1122334455667788; st.global.u64 [%o], -1; st.global." + std::string(type) +
                      " [%o+0], " + value + ";"))
        .at(3);
  };
  CHECK(stored("u8", "%d1") == 0xFFFFFFFFFFFFFF88);
  CHECK(stored("b16", "%d1") == 0xFFFFFFFFFFFF7788);
  CHECK(stored("u32", "%d1") == 0xFFFFFFFF55667788);
  CHECK(stored("b64", "%d1") == 0x1122334455667788);
  CHECK(stored("u16", "5") == 0xFFFFFFFFFFFF0005);
  CHECK(stored("f32", "0f3F800000") == 0xFFFFFFFF3F800000);
}

TEST_CASE("emulator ld, st: vectors of two, four and eight, and sinks") {
  const std::vector<std::uint64_t> values =
      run(kernel("st.global.v2.u32 [%o], {%i, 7}; ld.global.v2.u32 {%r1, %r2}, [%o]; add.u32 %r1, %r1, %r2;\n"
                 "ld.global.v2.u32 {_, %r3}, [%o]; st.global.v2.b32 [%o], {%r1, %r3};"));
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == (7ull << 32 | (i + 7)));
  const std::vector<std::uint64_t> bytes =
      run(kernel("st.global.u64 [%o], 0x8877665544332211; ld.global.v4.u8 {%h1, %h2, %h3, %h4}, [%o+4];\n"
                 "st.global.v4.u8 [%o], {%h4, %h3, %h2, %h1};"));
  CHECK(bytes[31] == 0x8877665555667788);
  const std::vector<std::uint64_t> wide = run(kernel(
      "setp.eq.u32 %p1, %i, 0; @%p1 st.global.v4.b32 [%out+16], {1, 2, 3, 4}; @%p1 ld.global.v4.b32 {%r1, %r2, "
      "%r3, %r4}, [%out+16];\n@%p1 st.global.v2.b64 [%out+32], {5, 6}; @%p1 st.global.v2.b32 [%out], {%r4, %r1};"));
  CHECK(wide[0] == (1ull << 32 | 4));
  CHECK(wide[2] == (2ull << 32 | 1));
  CHECK(wide[3] == (4ull << 32 | 3));
  CHECK(wide[4] == 5);
  CHECK(wide[5] == 6);
}

TEST_CASE("emulator ld: a destination may be the address's own register") {
  const std::vector<std::uint64_t> values =
      run(kernel("st.global.u64 [%o], %x; mov.u64 %d1, %o; ld.global.u64 %d1, [%d1]; add.u64 %d1, %d1, 1;\n"
                 "st.global.u64 [%o], %d1;"));
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == 8 * i + 1);
}

TEST_CASE("emulator ld, st: every space, by name, by its own address and by a generic one") {
  const std::string variables =
      ".global .align 8 .u64 g[32]; .const .align 8 .u64 c[4] = {11, 12, 13, 14}; .shared .align 8 .u64 s[32];\n";
  const auto through = [&](const std::string& space, const std::string& variable) {
    return run(kernel(".local .align 8 .u64 l[32];\nmov.u64 %d1, " + variable + "; add.u64 %d1, %d1, %x;\n" + "st." +
                          space + ".u64 [%d1], %x; cvta." + space + ".u64 %d2, %d1; ld.u64 %d3, [%d2];\n" +
                          "add.u64 %d3, %d3, 1; st.u64 [%d2], %d3; cvta.to." + space + ".u64 %d4, %d2; ld." + space +
                          ".u64 %d5, [%d4]; st.global.u64 [%o], %d5;",
                      variables));
  };
  for (const std::string space : {"global", "shared", "local"}) {
    CAPTURE(space);
    const std::vector<std::uint64_t> values = through(space, space.substr(0, 1));
    for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == 8 * i + 1);
  }
  const std::vector<std::uint64_t> constants =
      run(kernel("ld.const.u64 %d1, [c+8]; mov.u64 %d2, c; cvta.const.u64 %d2, %d2; ld.u64 %d3, [%d2+16];\n"
                 "add.u64 %d1, %d1, %d3; st.global.u64 [%o], %d1;",
                 variables));
  CHECK(constants[5] == 12 + 13);
}

TEST_CASE("emulator ld.shared: addresses of 32 bits wrap as the hardware's do") {
  const std::vector<std::uint64_t> values =
      run(kernel("mov.u32 %r1, s; shl.b32 %r2, %i, 2; add.u32 %r1, %r1, %r2; st.shared.u32 [%r1], %i;\n"
                 "sub.u32 %r1, %r1, 64; ld.shared.u32 %r3, [%r1+64]; ld.shared.u32 %r4, [s+4];\n"
                 "st.global.v2.u32 [%o], {%r3, %r4};",
                 ".shared .align 4 .u32 s[32];\n"));
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == (1ull << 32 | i));
}

TEST_CASE("emulator ld.param: of kernels, of functions, and of calls") {
  const std::vector<std::uint64_t> values = run(
      kernel("{ .param .b64 a; .param .align 4 .b8 b[8]; .param .b64 result;\n"
             "st.param.b64 [a], %x; st.param.b32 [b], %i; st.param.b32 [b+4], 100;\n"
             "call (result), f, (a, b); ld.param.b64 %d1, [result]; }\nst.global.u64 [%o], %d1;",
             ".func (.param .b64 r) f(.param .b64 x, .param .align 4 .b8 y[8])\n{ .reg .b64 %d<5>; .reg .b32 %r<5>;\n"
             "ld.param.b64 %d1, [x]; ld.param.v2.b32 {%r1, %r2}, [y]; add.u32 %r1, %r1, %r2; cvt.u64.u32 %d2, %r1;\n"
             "add.u64 %d1, %d1, %d2; st.param.b64 [r], %d1; ret; }\n"));
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == 9 * i + 100);
}

TEST_CASE("emulator ld.param: at an address of a register, and generic") {
  TestModule module(ptx_module(
      ".visible .entry k(.param .u64 out, .param .align 4 .b8 table[16])\n{ .reg .b64 %d<9>; .reg .b32 %r<9>;\n"
      "ld.param.u64 %d1, [out]; mov.u64 %d2, table; add.u64 %d3, %d2, 8; ld.param.u32 %r1, [%d3];\n"
      "cvta.param.u64 %d4, %d2; ld.u32 %r2, [%d4+12]; st.global.v2.u32 [%d1], {%r1, %r2}; ret; }\n"));
  Buffer<std::uint32_t> out({0, 0});
  struct Table {
    std::uint32_t values[4];
  };
  REQUIRE(module.launch("k", {1}, {1}, out.address(), Table{{1, 2, 3, 4}}).result == CUDA_SUCCESS);
  CHECK(out.values() == std::vector<std::uint32_t>{3, 4});
}

TEST_CASE("emulator ld, st: orders, scopes, cache operators and hints are taken") {
  const char* const loads[] = {"volatile.global.u64",    "relaxed.gpu.global.u64",
                               "acquire.sys.global.u64", "global.nc.u64",
                               "global.cg.u64",          "global.L1::evict_last.u64",
                               "global.L2::128B.u64",    "global.nc.L1::no_allocate.L2::256B.u64"};
  for (const char* const load : loads) {
    CAPTURE(load);
    CHECK(run(kernel("st.global.u64 [%o], 41; ld." + std::string(load) + " %d1, [%o]; st.global.u64 [%o], %d1;"))[9] ==
          41);
  }
  const char* const stores[] = {"volatile.global.u64", "relaxed.gpu.global.u64", "release.cta.global.u64",
                                "global.wt.u64", "global.L1::evict_first.u64"};
  for (const char* const store : stores) {
    CAPTURE(store);
    CHECK(run(kernel("st." + std::string(store) + " [%o], 43;"))[9] == 43);
  }
  CHECK(run(kernel(
            "createpolicy.fractional.L2::evict_last.b64 %d2, 1.0; st.global.L2::cache_hint.u64 [%o], 5, %d2;\n"
            "ld.global.L2::cache_hint.u64 %d1, [%o], %d2; prefetch.global.L2 [%o]; prefetchu.L1 [%o];\n"
            "applypriority.global.L2::evict_normal [%out], 128; add.u64 %d1, %d1, 1; st.global.u64 [%o], %d1;"))[2] ==
        6);
  CHECK(run(kernel(
            "st.global.u64 [%o], 5; ldu.global.u64 %d1, [%o]; add.u64 %d1, %d1, 1; st.global.u64 [%o], %d1;"))[2] == 6);
}

TEST_CASE("emulator isspacep: by window, and by what lies there") {
  const std::string variables = ".global .u32 g; .const .u32 c; .shared .u32 s;\n";
  const auto spaces = [&](const std::string& space, const std::string& variable) {
    return run(kernel(
                   ".local .u32 l;\nmov.u64 %d1, " + variable + "; cvta." + space +
                       ".u64 %d1, %d1; isspacep.global %p1, %d1; isspacep.shared %p2, %d1; isspacep.local %p3, %d1;\n"
                       "isspacep.const %p4, %d1; selp.u64 %d2, 1, 0, %p1; selp.u64 %d3, 2, 0, %p2;\n"
                       "selp.u64 %d4, 4, 0, %p3; selp.u64 %d5, 8, 0, %p4; or.b64 %d2, %d2, %d3; or.b64 %d2, %d2, "
                       "%d4; or.b64 %d2, %d2, %d5; st.global.u64 [%o], %d2;",
                   variables))
        .front();
  };
  CHECK(spaces("global", "g") == 1);
  CHECK(spaces("shared", "s") == 2);
  CHECK(spaces("local", "l") == 4);
  CHECK((spaces("const", "c") & 8) == 8);
}

TEST_CASE("emulator ld, st: only lanes whose guard holds touch memory") {
  const std::vector<std::uint64_t> values =
      run(kernel("setp.lt.u32 %p1, %i, 5; @%p1 st.global.u64 [%o], 1; @!%p1 st.global.u64 [%o], 2;\n"
                 "setp.eq.u32 %p2, %i, 99; mov.u64 %d1, 0; @%p2 st.global.u64 [%d1], 2;"));
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == (i < 5 ? 1 : 2));
}

TEST_CASE("emulator ld: 128 bits at once") {
  const std::vector<std::uint64_t> values =
      run(kernel("setp.eq.u32 %p1, %i, 0; @%p1 st.global.v2.b64 [%out], {3, 4}; @%p1 ld.global.b128 %q1, [%out];\n"
                 "@%p1 st.global.b128 [%out+16], %q1;"));
  CHECK(values[2] == 3);
  CHECK(values[3] == 4);
}

}  // namespace load_store_test
