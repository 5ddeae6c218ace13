// What the emulator does not do (docs/emulator.md), asked for through Kiln: each error names the emulator and the
// thing.
#include "gpu_only.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <string>

namespace not_done_test {

namespace {

template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const kiln::Error& error) {
    return error.what();
  }
  return "no error";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void check_says(const std::string& error, const std::string& part) {
  CHECK_MESSAGE(contains(error, "mulator"), error);
  CHECK_MESSAGE(contains(error, part), error);
}

const char* const plain = "extern \"C\" __global__ void __launch_bounds__(256) one(int* out) { *out = 1; }";

}  // namespace

TEST_CASE("the number of registers, which ptxas chooses") {
  const kiln::Function one = kiln::SourceModule(plain).get_function("one");
  check_says(error_of([&] { return one.num_regs(); }),
             "the emulator runs PTX, whose kernels have no number of registers");
  check_says(error_of([&] { return one.attribute(kiln::FunctionAttribute::num_regs); }), "no number of registers");
  CHECK(one.binary_version() == 90);
  CHECK(one.max_threads_per_block() == 256);
}

TEST_CASE("machine code") {
  const kiln::CodeObject cubin =
      kiln::compile(plain, kiln::CompileOptions{}.with_arch("sm_90").with_target(kiln::Target::cubin));
  check_says(error_of([&] { kiln::Module::from_bytes(cubin.bytes()).get_function("one"); }), "takes PTX only");
  const kiln::CodeObject relocatable = kiln::compile(
      plain, kiln::CompileOptions{}.with_arch("sm_90").with_target(kiln::Target::cubin).with_options({"-rdc=true"}));
  check_says(error_of([&] {
               kiln::DynamicModule module;
               module.add_data(relocatable.bytes(), kiln::InputType::cubin, "part").link();
             }),
             "takes PTX only");
}

}  // namespace not_done_test
