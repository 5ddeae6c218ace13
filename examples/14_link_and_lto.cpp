// Linking: a kernel calls a device function that another source, a plug-in, defines. Linked as PTX the call stays a
// call; link-time optimisation works on both together and inlines it. A changed plug-in is all that is compiled again.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <string>
#include <vector>

#include "find_device.hpp"

const char* const main_source = R"(
extern "C" __device__ float transform(float value);   // the plug-in has it

extern "C" __global__ void apply(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = transform(in[i]);
}
)";
const char* const double_it = R"(extern "C" __device__ float transform(float value) { return 2 * value; })";
const char* const square_it = R"(extern "C" __device__ float transform(float value) { return value * value; })";

struct Linked {
  kiln::CodeObject code;
  bool main_was_known;
  bool plug_in_was_known;
};

/// Both sources compiled to `target`, and linked. Without a GPU it is for sm_90.
Linked link(const char* plug_in_source, kiln::Target target) {
  auto options = kiln::CompileOptions{}.with_target(target).with_options({"-rdc=true"});
  if (kiln::Device::count() == 0) options.arch = "sm_90";
  const kiln::CodeObject main_code = kiln::compile(main_source, options.with_name("main.cu"));
  const kiln::CodeObject plug_in = kiln::compile(plug_in_source, options.with_name("plug_in.cu"));
  kiln::Linker linker;
  linker.add(main_code).add(plug_in);
  return {linker.link(), main_code.from_cache(), plug_in.from_cache()};
}

bool run(const kiln::CodeObject& code, float expected) {
  if (kiln::Device::count() == 0) return true;
  const kiln::Module module(code);
  const std::vector<float> in(1000, 3.0f);
  std::vector<float> out(in.size());
  module.get_function("apply")({4, 256}, kiln::In(in), kiln::Out(out), static_cast<int>(in.size()));
  for (const float value : out)
    if (value != expected) return false;
  return true;
}

/// A function that is called has a symbol; one that was inlined everywhere is gone.
bool has_the_call(const kiln::CodeObject& code) { return code.bytes().find("transform") != std::string_view::npos; }

int main() {
  find_device();
  const Linked by_ptx = link(double_it, kiln::Target::ptx);
  const Linked by_lto = link(double_it, kiln::Target::ltoir);
  bool right = run(by_ptx.code, 6) && run(by_lto.code, 6);
  std::printf("linked as PTX:    %zu bytes, transform is %s, %d registers\n", by_ptx.code.bytes().size(),
              has_the_call(by_ptx.code) ? "called" : "inlined", by_ptx.code.kernels().at(0).registers);
  std::printf("linked as LTO-IR: %zu bytes, transform is %s, %d registers\n", by_lto.code.bytes().size(),
              has_the_call(by_lto.code) ? "called" : "inlined", by_lto.code.kernels().at(0).registers);
  right = right && has_the_call(by_ptx.code) && !has_the_call(by_lto.code);

  // Another plug-in: the main kernel comes from the cache.
  const Linked other = link(square_it, kiln::Target::ltoir);
  right = right && run(other.code, 9);
  std::printf("with another plug-in: main.cu %s, plug_in.cu %s\n",
              other.main_was_known ? "came from the cache" : "was compiled",
              other.plug_in_was_known ? "came from the cache" : "was compiled");
  // And back: nothing is compiled, and nothing linked.
  std::printf("with the former one: linked code %s\n",
              link(double_it, kiln::Target::ltoir).code.from_cache() ? "came from the cache" : "was made again");

  std::puts(kiln::Device::count() == 0 ? "there is no GPU: everything was compiled and linked, nothing was run"
            : right                    ? "all results are right"
                                       : "a result is wrong");
  return right ? 0 : 1;
}
