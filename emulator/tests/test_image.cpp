#include "emulator/core/call_error.hpp"
#include "emulator/lowering/code_registry.hpp"
#include "emulator/memory/windows.hpp"
#include "run_ptx.hpp"

#include <doctest/doctest.h>

namespace kiln::emulator::image_test {
namespace {

template <class T>
std::vector<T> contents(const Image& image, const char* name, std::size_t count) {
  const ImageVariable* const variable = image.variable(name);
  REQUIRE(variable != nullptr);
  REQUIRE(variable->size == count * sizeof(T));
  std::vector<T> values(count);
  std::memcpy(values.data(), reinterpret_cast<const void*>(variable->address), variable->size);
  return values;
}

std::string kernel(const std::string& name, const std::string& body) {
  return ".visible .entry " + name + "(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %d<9>;\n" + body + "\nret; }\n";
}

int load_result(const std::string& text, unsigned sm = 90) {
  try {
    const TestModule module(text, sm);
  } catch (const CallError& error) {
    return error.result;
  }
  return CUDA_SUCCESS;
}

}  // namespace

TEST_CASE("variables begin with what the text gives them") {
  const TestModule module(
      ptx_module(".visible .global .align 4 .u32 words[3] = {1, 2};\n"
                 ".visible .const .align 8 .f64 half = 0d3FE0000000000000;\n"
                 ".visible .global .align 16 .b8 room[64];\n"));
  CHECK(contents<std::uint32_t>(module.image(), "words", 3) == std::vector<std::uint32_t>{1, 2, 0});
  CHECK(contents<double>(module.image(), "half", 1)[0] == 0.5);
  CHECK(contents<std::uint8_t>(module.image(), "room", 64) == std::vector<std::uint8_t>(64));
  CHECK(module.image().variable("room")->address % 16 == 0);
  CHECK(module.image().variable("absent") == nullptr);
}

TEST_CASE("addresses of variables and functions in initial values") {
  const TestModule module(
      ptx_module(".visible .global .u32 target[4];\n.func f() { ret; }\n"
                 ".visible .global .u64 places[3] = {target, generic(target)+8, f};\n"));
  const auto places = contents<std::uint64_t>(module.image(), "places", 3);
  CHECK(places[0] == module.image().variable("target")->address);
  CHECK(places[1] == places[0] + 8);
  CHECK(in_window(places[2], code_window));
  CHECK(code_at(places[2]) == module.image().code("f"));
}

TEST_CASE("a function's address is nobody's once its image is gone") {
  std::uint64_t address = 0;
  {
    const TestModule module(ptx_module(".func f() { ret; }\n.visible .global .u64 place = f;\n"));
    address = contents<std::uint64_t>(module.image(), "place", 1)[0];
    CHECK(code_at(address) != nullptr);
  }
  CHECK(code_at(address) == nullptr);
  CHECK(code_at(address + 8) == nullptr);
  CHECK(code_at(0) == nullptr);
}

TEST_CASE("a kernel has the shared memory of its own variables, and of functions that it calls") {
  const TestModule module(ptx_module(
      ".shared .align 4 .b8 common[16];\n.extern .shared .align 16 .b8 dynamic[];\n"
      ".func helper() { .reg .b32 %r<2>; .shared .align 4 .b8 mine[100]; st.shared.u32 [mine], 0; ret; }\n" +
      kernel("a", ".shared .align 8 .b8 big[4000]; st.shared.u32 [big], 1;") +
      kernel("b", ".shared .align 8 .b8 small[8]; st.shared.u32 [small], 1; st.shared.u32 [common], 2; call helper;") +
      kernel("c", "mov.u32 %r1, dynamic;")));
  CHECK(module.image().kernel("a")->static_shared == 4000);
  const std::uint32_t of_b = module.image().kernel("b")->static_shared;
  CHECK(of_b >= 124);
  CHECK(of_b < 160);
  CHECK(module.image().kernel("c")->static_shared == 0);
}

TEST_CASE("shared variables do not meet, and the dynamic part is behind them") {
  TestModule module(ptx_module(".extern .shared .align 16 .b8 dynamic[];\n" +
                               kernel("k", R"(.shared .align 4 .b8 one[12]; .shared .align 8 .b8 two[8];
    st.shared.u32 [one+8], 11; st.shared.u32 [two], 22; st.shared.u32 [dynamic], 33;
    mov.u32 %r1, dynamic; st.shared.u32 [%r1+12], 44;
    ld.shared.u32 %r2, [one+8]; ld.shared.u32 %r3, [two]; ld.shared.u32 %r4, [dynamic]; ld.shared.u32 %r5, [%r1+12];
    mov.u32 %r6, %dynamic_smem_size;
    ld.param.u64 %d1, [p]; st.global.u32 [%d1], %r2; st.global.u32 [%d1+4], %r3; st.global.u32 [%d1+8], %r4;
    st.global.u32 [%d1+12], %r5; st.global.u32 [%d1+16], %r6;)")));
  const Buffer<std::uint32_t> memory(std::vector<std::uint32_t>(5));
  LaunchRequest request = module.made("k", {1}, {1});
  request.shared_bytes = 16;
  TestModule::append(request.params, memory.address());
  const LaunchOutcome outcome = run_launch(request);
  CHECK_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  CHECK(memory.values() == std::vector<std::uint32_t>{11, 22, 33, 44, 16});
}

TEST_CASE("the system's shared bytes lie behind the kernel's own") {
  TestModule module(ptx_module(kernel("k", R"(.shared .align 4 .b8 one[12];
    mov.u32 %r1, %reserved_smem_offset_1; st.shared.u32 [one+8], 1; st.shared.u32 [%r1], 2; st.shared.u32 [%r1+512], 3;
    ld.shared.u32 %r2, [one+8]; ld.param.u64 %d1, [p]; st.global.u32 [%d1], %r2; st.global.u32 [%d1+4], %r1;)")));
  const Buffer<std::uint32_t> memory(std::vector<std::uint32_t>(2));
  const LaunchOutcome outcome = module.launch("k", {1}, {1}, memory.address());
  CHECK_MESSAGE(outcome.result == CUDA_SUCCESS, outcome.report);
  CHECK(memory.values()[0] == 1);
  CHECK(memory.values()[1] >= 12);
}

TEST_CASE("a kernel's parameters and limits") {
  const TestModule module(
      ptx_module(".visible .entry k(.param .u8 a, .param .align 16 .b8 b[24], .param .f64 c)\n"
                 ".maxntid 16, 4, 1\n{ .local .align 4 .b8 room[20]; ret; }\n"));
  const Kernel& k = *module.image().kernel("k");
  REQUIRE(k.params.size() == 3);
  CHECK(k.params[1].offset == 16);
  CHECK(k.params[1].size == 24);
  CHECK(k.params[2].offset == 40);
  CHECK(k.param_bytes == 48);
  CHECK(k.max_threads == 64);
  CHECK(k.local_bytes >= 20);
  CHECK(module.image().kernel("absent") == nullptr);
}

TEST_CASE("what cannot be loaded says so") {
  CHECK(load_result(ptx_module(kernel("k", ""), "sm_100"), 90) == CUDA_ERROR_INVALID_PTX);
  CHECK(load_result(ptx_module(kernel("k", ""), "sm_90a"), 90) == CUDA_SUCCESS);
  CHECK(load_result(ptx_module(".extern .global .u32 absent;\n" + kernel("k", "mov.u64 %d1, absent;"))) ==
        CUDA_ERROR_INVALID_PTX);
  const auto with_shared = [](const char* bytes) {
    return ptx_module(".shared .b8 room[" + std::string(bytes) + "];\n" + kernel("k", "st.shared.u8 [room], 1;"));
  };
  CHECK(load_result(with_shared("49152")) == CUDA_SUCCESS);
  CHECK(load_result(with_shared("49153")) == CUDA_ERROR_INVALID_PTX);
  CHECK(load_result(ptx_module(".extern .global .u32 absent;\n.global .u64 place = absent;\n")) ==
        CUDA_ERROR_INVALID_PTX);
}

}  // namespace kiln::emulator::image_test
