// Surfaces and texture instructions, run by kernels in PTX.
#include "run_ptx.hpp"
#include "texture_fixture.hpp"

namespace surfaces_test {

using namespace kiln::emulator;

namespace {

constexpr CUarray_format f32 = CU_AD_FORMAT_FLOAT;
constexpr CUarray_format u8 = CU_AD_FORMAT_UNSIGNED_INT8;
constexpr unsigned surface_flag = CUDA_ARRAY3D_SURFACE_LDST;

/// A kernel "k" whose parameter is a handle, %t, and an output, %o, of 8 words a thread; %x is the thread's number.
std::string kernel(const std::string& body) {
  return ptx_module(
      ".visible .entry k(.param .u64 p_t, .param .u64 p_o)\n{\n"
      ".reg .pred %p<4>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .f32 %f<20>; .reg .b64 %d<9>;\n"
      ".reg .b64 %t, %o; .reg .b32 %x;\n"
      "ld.param.u64 %t, [p_t]; ld.param.u64 %o, [p_o]; mov.u32 %x, %tid.x;\n"
      "mul.wide.u32 %d0, %x, 32; add.s64 %o, %o, %d0;\n" +
      body + "\nret;\n}\n");
}

struct Run {
  LaunchOutcome outcome;
  std::vector<std::uint32_t> words;
};

Run run(const std::string& body, std::uint64_t handle, std::uint32_t threads = 1) {
  TestModule module(kernel(body));
  const Buffer<std::uint32_t> out(std::vector<std::uint32_t>(8 * threads, 0xDEADU));
  Run result;
  result.outcome = module.launch("k", {1}, {threads}, handle, out.address());
  result.words = out.values();
  return result;
}

std::vector<std::uint32_t> words(const std::string& body, std::uint64_t handle, std::uint32_t threads = 1) {
  const Run result = run(body, handle, threads);
  REQUIRE_MESSAGE(result.outcome.result == CUDA_SUCCESS, result.outcome.report);
  return result.words;
}

class TestSurface {
 public:
  explicit TestSurface(const TestArray& array) : handle_(add_surface(make_surface(array.resource(), Owner{}))) {}
  ~TestSurface() { destroy_surface(handle_); }
  TestSurface(const TestSurface&) = delete;
  TestSurface& operator=(const TestSurface&) = delete;
  std::uint64_t handle() const { return handle_; }

 private:
  std::uint64_t handle_;
};

class TestTexture {
 public:
  TestTexture(const TestArray& array, const CUDA_TEXTURE_DESC& descriptor)
      : handle_(add_texture(texture(array, descriptor))) {}
  ~TestTexture() { destroy_texture(handle_); }
  TestTexture(const TestTexture&) = delete;
  TestTexture& operator=(const TestTexture&) = delete;
  std::uint64_t handle() const { return handle_; }

 private:
  std::uint64_t handle_;
};

const CUDA_TEXTURE_DESC nearest = sampler(CU_TR_FILTER_MODE_POINT, CU_TR_ADDRESS_MODE_CLAMP);

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

}  // namespace

TEST_CASE("surfaces are written and read in every geometry and width") {
  const TestArray line(described(u8, 1, 64, 0, 0, surface_flag), std::vector<std::uint8_t>(64));
  const TestSurface bytes(line);
  CHECK(words("mul.lo.u32 %r1, %x, 2; add.u32 %r2, %x, 65; cvt.u16.u32 %h1, %r2; mov.b16 %h2, 7;"
              "sust.b.1d.v2.b8.trap [%t, {%r1}], {%h1, %h2};"
              "suld.b.1d.b8.trap {%h3}, [%t, {%r1}]; cvt.u32.u16 %r3, %h3; st.global.u32 [%o], %r3;",
              bytes.handle(), 32)[8 * 31] == 65 + 31);
  std::vector<std::uint8_t> expected(64, 7);
  for (std::size_t i = 0; i < 32; ++i) expected[2 * i] = static_cast<std::uint8_t>(65 + i);
  CHECK(contents<std::uint8_t>(*line) == expected);

  const TestArray volume(described(f32, 4, 2, 3, 4, surface_flag), std::vector<float>(96));
  const TestSurface quads(volume);
  words(
      "mov.b32 %r1, 16; mov.b32 %r2, 2; mov.b32 %r3, 3; mov.b32 %r4, 0f3F800000; mov.b32 %r5, 0f40000000;"
      "sust.b.3d.v4.b32.trap [%t, {%r1, %r2, %r3, %r3}], {%r4, %r5, %r4, %r5};",
      quads.handle());
  std::vector<float> floats(96);
  floats[92] = floats[94] = 1;
  floats[93] = floats[95] = 2;
  CHECK(contents<float>(*volume) == floats);
  CHECK(words("mov.b32 %r1, 16; mov.b32 %r2, 2; mov.b32 %r3, 3;"
              "suld.b.3d.v2.b64.trap {%d1, %d2}, [%t, {%r1, %r2, %r3, %r3}]; st.global.v2.u64 [%o], {%d1, %d2};",
              quads.handle())[1] == bits(2));

  const TestArray layers(described(CU_AD_FORMAT_UNSIGNED_INT16, 1, 4, 2, 3, surface_flag | CUDA_ARRAY3D_LAYERED),
                         std::vector<std::uint16_t>(24));
  const TestSurface layered(layers);
  words(
      "mov.b32 %r1, 2; mov.b32 %r2, 6; mov.b32 %r3, 1; mov.b16 %h1, 999;"
      "sust.b.a2d.b16.trap [%t, {%r1, %r2, %r3, %r3}], {%h1};",
      layered.handle());
  CHECK(contents<std::uint16_t>(*layers)[2 * 8 + 4 + 3] == 999);
}

TEST_CASE("outside of a surface: trap, clamp and zero") {
  const TestArray array(described(f32, 1, 4, 2, 0, surface_flag), ramp(8, 1));
  const TestSurface surface(array);
  const std::string outside = "mov.b32 %r1, 16; mov.b32 %r2, 1;";  // byte 16 of rows of 16
  CHECK(words(outside + "suld.b.2d.b32.clamp {%r3}, [%t, {%r1, %r2}]; st.global.u32 [%o], %r3;", surface.handle())[0] ==
        bits(8));
  CHECK(words(outside + "suld.b.2d.b32.zero {%r3}, [%t, {%r1, %r2}]; st.global.u32 [%o], %r3;", surface.handle())[0] ==
        0);
  words(outside + "sust.b.2d.b32.zero [%t, {%r1, %r2}], {%r2};", surface.handle());
  CHECK(contents<float>(*array) == ramp(8, 1));
  words("mov.b32 %r1, -4; mov.b32 %r2, 9; mov.b32 %r3, 0f42280000; sust.b.2d.b32.clamp [%t, {%r1, %r2}], {%r3};",
        surface.handle());
  CHECK(contents<float>(*array)[4] == 42);
  const Run trapped = run(outside + "sust.b.2d.b32.trap [%t, {%r1, %r2}], {%r2};", surface.handle());
  CHECK(trapped.outcome.result == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(trapped.outcome.report.find("4 bytes at byte 16, row 1") != std::string::npos);
  CHECK(trapped.outcome.report.find("4 x 2 array") != std::string::npos);
  const Run skewed = run("mov.b32 %r1, 2; suld.b.2d.b32.zero {%r3}, [%t, {%r1, %r1}];", surface.handle());
  CHECK(skewed.outcome.result == CUDA_ERROR_MISALIGNED_ADDRESS);
}

TEST_CASE("formatted stores convert, and reductions of many threads add up") {
  const TestArray array(described(u8, 4, 2, 0, 0, surface_flag), std::vector<std::uint8_t>(8));
  const TestSurface surface(array);
  words(
      "mov.b32 %r1, 1; mov.b32 %r2, 300; mov.b32 %r3, 5;"
      "sust.p.1d.v4.b32.trap [%t, {%r1}], {%r1, %r2, %r3, %r1};",
      surface.handle());
  CHECK(contents<std::uint8_t>(*array) == std::vector<std::uint8_t>{0, 0, 0, 0, 1, 255, 5, 1});

  const TestArray counters(described(CU_AD_FORMAT_SIGNED_INT32, 1, 4, 0, 0, surface_flag),
                           std::vector<std::int32_t>{0, 100, 100, 0xF0});
  const TestSurface reduced(counters);
  words(
      "mov.b32 %r1, 0; mov.b32 %r2, 4; mov.b32 %r3, 2; mov.b32 %r5, 12; neg.s32 %r4, %x;"
      "sured.b.add.1d.u32.trap [%t, {%r1}], %x;"
      "sured.b.min.1d.s32.trap [%t, {%r2}], %r4;"
      "sured.p.max.1d.b32.trap [%t, {%r3}], %r4;"
      "sured.b.and.1d.b32.trap [%t, {%r5}], 48;",
      reduced.handle(), 32);
  CHECK(contents<std::int32_t>(*counters) == std::vector<std::int32_t>{31 * 16, -31, 100, 48});
}

TEST_CASE("texture instructions read by floats, by integers, with levels, offsets and a residency predicate") {
  const TestArray array(described(f32, 2, 4, 2), ramp(16));
  const TestTexture texture(array, nearest);
  const std::string store = "st.global.v4.f32 [%o], {%f4, %f5, %f6, %f7};";
  const std::string place =
      "mov.f32 %f1, 0f40200000; mov.f32 %f2, 0f3FC00000; mov.b32 %r1, 2; mov.b32 %r2, 1;";  // 2.5, 1.5
  const std::vector<std::uint32_t> expected = {bits(12), bits(13), bits(0), bits(0)};
  const auto four = [&](const std::string& body) {
    std::vector<std::uint32_t> all = words(place + body + store, texture.handle());
    all.resize(4);
    return all;
  };
  CHECK(four("tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%t, {%f1, %f2}];") == expected);
  CHECK(four("tex.2d.v4.f32.s32 {%f4, %f5, %f6, %f7}, [%t, {%r1, %r2}];") == expected);
  CHECK(four("tex.level.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%t, {%f1, %f2}], 0f40400000;") == expected);
  CHECK(four("tex.base.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%t, {%f1, %f2}];") == expected);
  CHECK(four("tex.grad.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%t, {%f1, %f2}], {%f1, %f1}, {%f2, %f2};") == expected);
  CHECK(four("mov.f32 %f1, 0f3F000000; tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%t, {%f1, %f2}], {2, 0};") == expected);
  CHECK(four("tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}|%p1, [%t, {%f1, %f2}]; @!%p1 mov.f32 %f4, 0f00000000;") ==
        expected);
  const std::vector<std::uint32_t> halves = words(
      place + "tex.2d.v2.f16x2.f32 {%r3, %r4}, [%t, {%f1, %f2}]; st.global.v2.u32 [%o], {%r3, %r4};", texture.handle());
  CHECK(halves[0] == 0x4A804A00U);  // 13 and 12
  CHECK(halves[1] == 0);
  // A destination may be a source too.
  CHECK(words(place + "tex.2d.v4.f32.f32 {%f2, %f1, %f6, %f7}, [%t, {%f1, %f2}]; st.global.f32 [%o], %f1;",
              texture.handle())[0] == bits(13));
  // Each lane for itself.
  const std::vector<std::uint32_t> lanes =
      words("mov.b32 %r1, 0; tex.2d.v4.f32.s32 {%f4, %f5, %f6, %f7}, [%t, {%x, %r1}]; st.global.f32 [%o], %f4;",
            texture.handle(), 5);
  for (std::size_t i = 0; i < 5; ++i) CHECK(lanes[8 * i] == bits(i < 4 ? static_cast<float>(2 * i) : 0));
}

TEST_CASE("gathers and queries") {
  const TestArray array(described(f32, 1, 4, 2, 0, CUDA_ARRAY3D_TEXTURE_GATHER), ramp(8));
  const TestTexture texture(array, sampler(CU_TR_FILTER_MODE_LINEAR, CU_TR_ADDRESS_MODE_BORDER));
  const std::vector<std::uint32_t> four = words(
      "mov.f32 %f1, 0f40000000; mov.f32 %f2, 0f3F800000;"  // 2, 1
      "tld4.r.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%t, {%f1, %f2}]; st.global.v4.f32 [%o], {%f4, %f5, %f6, %f7};",
      texture.handle());
  CHECK(four[0] == bits(5));
  CHECK(four[1] == bits(6));
  CHECK(four[2] == bits(2));
  CHECK(four[3] == bits(1));
  const auto asked = [&](const std::string& query) {
    return words("txq." + query + " st.global.u32 [%o], %r1;", texture.handle())[0];
  };
  CHECK(asked("width.b32 %r1, [%t];") == 4);
  CHECK(asked("height.b32 %r1, [%t];") == 2);
  CHECK(asked("depth.b32 %r1, [%t];") == 1);
  CHECK(asked("level.width.b32 %r1, [%t], 0;") == 4);
  CHECK(asked("channel_data_type.b32 %r1, [%t];") == 0x10DE);
  CHECK(asked("channel_order.b32 %r1, [%t];") == 0x10B0);
  CHECK(asked("filter_mode.b32 %r1, [%t];") == 1);
  CHECK(asked("addr_mode_1.b32 %r1, [%t];") == 4);
  CHECK(asked("normalized_coords.b32 %r1, [%t];") == 0);
  CHECK(words("istypep.texref %p1, %t; istypep.surfref %p2, %t; selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 1, 0, %p2;"
              "st.global.v2.u32 [%o], {%r1, %r2};",
              texture.handle())[0] == 1);
  const TestArray layers(described(u8, 2, 4, 3, 5, surface_flag | CUDA_ARRAY3D_LAYERED));
  const TestSurface surface(layers);
  const std::vector<std::uint32_t> shape = words(
      "suq.width.b32 %r1, [%t]; suq.array_size.b32 %r2, [%t]; suq.channel_order.b32 %r3, [%t]; suq.depth.b32 %r4, "
      "[%t]; st.global.v4.u32 [%o], {%r1, %r2, %r3, %r4};",
      surface.handle());
  CHECK(shape[0] == 4);
  CHECK(shape[1] == 5);
  CHECK(shape[2] == 0x10B2);
  CHECK(shape[3] == 1);
}

TEST_CASE("a handle of nothing stops the kernel and says so") {
  const std::string read = "mov.f32 %f1, 0f00000000; tex.1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%t, {%f1}];";
  const auto report = [&](const std::string& body, std::uint64_t handle) {
    const Run result = run(body, handle);
    CHECK(result.outcome.result == CUDA_ERROR_ILLEGAL_ADDRESS);
    return result.outcome.report;
  };
  CHECK(report(read, 5).find("the number 5") != std::string::npos);
  std::uint64_t destroyed = 0;
  {
    const TestArray array(described(f32, 1, 4, 0, 0, surface_flag), ramp(4));
    const TestTexture texture(array, nearest);
    const TestSurface surface(array);
    destroyed = texture.handle();
    CHECK(run(read, destroyed).outcome.result == CUDA_SUCCESS);
    CHECK(report(read, surface.handle()).find("a surface object as a texture") != std::string::npos);
    CHECK(report("mov.b32 %r1, 0; suld.b.1d.b32.trap {%r2}, [%t, {%r1}];", destroyed)
              .find("a texture object as a surface") != std::string::npos);
  }
  CHECK(report(read, destroyed).find("destroyed") != std::string::npos);
  const CUarray array = add_array(std::make_shared<Array>(described(f32, 1, 4), Owner{}));
  CUDA_RESOURCE_DESC resource = {};
  resource.res.array.hArray = array;
  const CUtexObject orphan = add_texture(make_texture(resource, nearest, Owner{}));
  destroy_array(array);
  CHECK(report(read, orphan).find("a texture object whose 4 array was destroyed") != std::string::npos);
  destroy_texture(orphan);
}

TEST_CASE("what is not done names itself") {
  const TestArray array(described(f32, 1, 4, 4), ramp(16));
  const TestTexture texture(array, nearest);
  const Run depth =
      run("mov.f32 %f1, 0f00000000; tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%t, {%f1, %f1}], %f1;", texture.handle());
  CHECK(depth.outcome.result == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(depth.outcome.report.find("comparison with a depth") != std::string::npos);
  TestModule references(
      ptx_module(".global .texref plane;\n.visible .entry k() { .reg .f32 %f<9>; mov.f32 %f1, 0f00000000;\n"
                 "tex.1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [plane, {%f1}]; ret; }\n"));
  const LaunchOutcome outcome = references.launch("k", {1}, {1});
  CHECK(outcome.result == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(outcome.report.find("texture references") != std::string::npos);
}

}  // namespace surfaces_test
