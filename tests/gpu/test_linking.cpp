// Linked code on a device: what each kind of input, linked by each linker, computes.
#include "gpu_only.hpp"
#include "run_program.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace linking_test {

namespace {

using kiln::Target;

const char* const main_source = R"(
namespace plug { __device__ float op(float); extern __device__ float offset; }
extern "C" __global__ void k(const float* in, float* out) {
  out[threadIdx.x] = plug::op(in[threadIdx.x]) + plug::offset;
})";
const char* const plug_source = R"(
namespace plug { __device__ float offset = 0.5f; __device__ float op(float x) { return 3 * x + 1; } })";

kiln::CodeObject relocatable(const char* source, Target target) {
  return kiln::compile(source, kiln::CompileOptions{}.with_target(target).with_options({"-rdc=true"}));
}

void check_runs(const kiln::CodeObject& code) {
  const kiln::Module module(code);
  std::vector<float> in(64);
  std::vector<float> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  module.get_function("k")({1, 64}, kiln::In(in), kiln::Out(out));
  for (std::size_t i = 0; i < in.size(); ++i) CHECK(out[i] == 3 * in[i] + 1.5f);
}

kiln::LinkOptions by(kiln::Backend backend) { return kiln::LinkOptions{}.with(&kiln::LinkOptions::backend, backend); }

/// Where there is one; the tests of what only nvcc makes need it.
std::string nvcc() {
  for (const char* const path : {"/usr/local/cuda/bin/nvcc", "/usr/bin/nvcc"})
    if (std::filesystem::exists(path)) return path;
  return {};
}

std::filesystem::path made_by_nvcc(const kiln::test::ScratchFolder& scratch, const std::string& name,
                                   const char* source, std::vector<std::string> options) {
  const auto file = scratch.write(name + ".cu", source);
  const auto made = scratch / (name + ".out");
  options.insert(options.end(), {"-arch=" + kiln::Device(0).arch(), file.string(), "-o", made.string()});
  const kiln::test::ProgramResult result = kiln::test::run_program(nvcc(), options);
  REQUIRE_MESSAGE(result.status == 0, result.output);
  return made;
}

}  // namespace

TEST_CASE("linking: PTX and cubins, by both linkers") {
  (void)kiln::Device(0).name();  // the device decides what is compiled and linked for
  // For the emulator nothing makes machine code, and only the driver links PTX to PTX.
  const bool ptx_only = kiln::test::on_emulator();
  for (const kiln::Backend backend : {kiln::Backend::nvjitlink, kiln::Backend::driver})
    for (const Target target : {Target::ptx, Target::cubin}) {
      if (ptx_only && (backend != kiln::Backend::driver || target != Target::ptx)) continue;
      CAPTURE(static_cast<int>(backend));
      CAPTURE(static_cast<int>(target));
      kiln::Linker linker(by(backend));
      linker.add(relocatable(main_source, target)).add(relocatable(plug_source, target));
      const kiln::CodeObject linked = linker.link();
      CHECK(linked.backend() == backend);
      check_runs(linked);
    }
}

TEST_CASE("linking: link-time optimisation, to a cubin and to PTX") {
  for (const Target out : {Target::cubin, Target::ptx}) {
    kiln::Linker linker(kiln::LinkOptions{}.with(&kiln::LinkOptions::target, out));
    linker.add(relocatable(main_source, Target::ltoir)).add(relocatable(plug_source, Target::ltoir));
    const kiln::CodeObject linked = linker.link();
    CHECK(linked.target() == (out == Target::cubin ? kiln::test::module_target() : out));
    check_runs(linked);
  }
}

TEST_CASE("linking: whatever may be dropped, kernels read what the host writes into a variable that stays") {
  const char* const source =
      "__constant__ int by = 7; __device__ int more = 1; __device__ int nobodys = 5; __constant__ int unnamed = 2;\n"
      "extern \"C\" __global__ void add(int* p) { *p += by + more + unnamed; }\n"
      "extern \"C\" __global__ void another(int* p) { *p = 0; }\n";
  struct Row {
    kiln::LinkOptions options;
    std::vector<const char*> variables;  // that stay
  };
  const kiln::LinkOptions plain;
  const Row rows[] = {
      {plain.with(&kiln::LinkOptions::kernels_used, {"add"}), {"by", "more", "unnamed", "nobodys"}},
      {plain.with(&kiln::LinkOptions::variables_used, {"by", "more"}), {"by", "more"}},
      {plain.with(&kiln::LinkOptions::optimize_unused_variables, true), {"by", "more", "unnamed"}},
  };
  for (const Row& row : rows) {
    kiln::Linker linker(row.options);
    linker.add(relocatable(source, Target::ltoir));
    const kiln::Module module(linker.link());
    int expected = 1 + 7 + 1 + 2;
    std::vector<int> value = {1};
    module.get_function("add")({1, 1}, kiln::InOut(value));
    CHECK(value[0] == expected);
    for (const char* const name : row.variables) {
      CAPTURE(name);
      module.get_global(name).set(100);
    }
    expected = 1 + 100 + 100 + (row.variables.size() > 2 ? 100 : 2);
    value = {1};
    module.get_function("add")({1, 1}, kiln::InOut(value));
    CHECK(value[0] == expected);
  }
}

TEST_CASE("linking: more shared memory than there is is an error of the link, by both linkers") {
  if (kiln::test::on_emulator()) return;
  const char* const source =
      "extern \"C\" __global__ void large(int* p) { __shared__ int a[15000]; a[*p] = 1; __syncthreads(); *p = a[p[1]]; "
      "}";
  for (const kiln::Backend backend : {kiln::Backend::nvjitlink, kiln::Backend::driver})
    for (int i = 0; i < 2; ++i) {
      kiln::Linker linker(by(backend));
      linker.add(relocatable(source, Target::ptx));
      CHECK_THROWS_AS(linker.link(), kiln::LinkError);
    }
}

TEST_CASE("linking: fatbins, objects and libraries of nvcc, by both linkers" * doctest::skip(nvcc().empty())) {
  const kiln::test::ScratchFolder scratch;
  const auto fatbin = made_by_nvcc(scratch, "fatbin", plug_source, {"-fatbin", "-rdc=true"});
  const auto object = made_by_nvcc(scratch, "object", plug_source, {"-dc"});
  const auto library = made_by_nvcc(scratch, "library", plug_source, {"-lib", "-rdc=true"});
  for (const kiln::Backend backend : {kiln::Backend::nvjitlink, kiln::Backend::driver})
    for (const auto& file : {fatbin, object, library}) {
      CAPTURE(static_cast<int>(backend));
      CAPTURE(file.string());
      kiln::Linker linker(by(backend));
      check_runs(linker.add(relocatable(main_source, Target::ptx)).add_file(file).link());
    }
}

TEST_CASE("linking: the driver's errors name the symbols, and the inputs") {
  for (const kiln::Backend backend : {kiln::Backend::nvjitlink, kiln::Backend::driver}) {
    CAPTURE(static_cast<int>(backend));
    kiln::Linker linker(by(backend));
    linker.add(relocatable(main_source, Target::ptx), "main_part");
    linker.add(relocatable("__device__ int other() { return 1; }", Target::ptx), "other_part");
    try {
      (void)linker.link();
      FAIL("it links");
    } catch (const kiln::LinkError& error) {
      const std::string text = error.what();
      CHECK_MESSAGE(text.find("plug::op(float) (_ZN4plug2opEf), wanted by main_part") != std::string::npos, text);
      CHECK_MESSAGE(text.find("plug::offset") != std::string::npos, text);
    }
  }
}

TEST_CASE("linking: what is missing after link-time optimisation is an error of the link, not of the load") {
  (void)kiln::Device(0).name();  // the device decides what is linked for
  kiln::Linker linker;
  linker.add(relocatable(main_source, Target::ltoir), "main_part");
  for (int i = 0; i < 2; ++i) {  // the second time the cache could serve something
    try {
      (void)linker.link();
      FAIL("it links");
    } catch (const kiln::LinkError& error) {
      const std::string text = error.what();
      CHECK_MESSAGE(
          text.find("undefined symbol plug::op(float) (_ZN4plug2opEf), wanted by main_part") != std::string::npos,
          text);
    }
  }
  // With PTX as the target what is missing may come from the link behind it.
  linker = kiln::Linker(kiln::LinkOptions{}.with(&kiln::LinkOptions::target, Target::ptx));
  linker.add(relocatable(main_source, Target::ltoir), "main_part");
  CHECK(linker.link().bytes().find("_ZN4plug2opEf") != std::string::npos);
}

TEST_CASE("linking: dynamic parallelism with cudadevrt, by both linkers") {
  const char* const source = R"(
__global__ void child(int* out) { out[threadIdx.x] = threadIdx.x + 7; }
extern "C" __global__ void parent(int* out) { child<<<1, 32>>>(out); })";
  for (const kiln::Backend backend : {kiln::Backend::nvjitlink, kiln::Backend::driver}) {
    CAPTURE(static_cast<int>(backend));
    // The emulator takes no machine code, and nvJitLink makes PTX of LTO-IR alone.
    const bool needs_ltoir = backend == kiln::Backend::nvjitlink && kiln::test::on_emulator();
    kiln::Linker linker(by(backend));
    linker.add(relocatable(source, needs_ltoir ? Target::ltoir : Target::ptx)).add_stdlib("cudadevrt");
    const kiln::Module module(linker.link());
    kiln::DeviceBuffer<int> out(std::vector<int>(32));
    module.get_function("parent")({1, 1}, out);
    const std::vector<int> values = out.to_host();
    for (int i = 0; i < 32; ++i) CHECK(values[static_cast<std::size_t>(i)] == i + 7);
  }
}

TEST_CASE("linking: a thread without a context links by the driver and has none afterwards") {
  kiln::Linker linker(by(kiln::Backend::driver).with(&kiln::LinkOptions::cache, false));
  linker.add(relocatable(main_source, Target::ptx)).add(relocatable(plug_source, Target::ptx));
  check_runs(linker.link());
  check_runs(linker.link());
}

}  // namespace linking_test
