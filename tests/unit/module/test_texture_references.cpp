// Texture and surface references over the fake driver, with code of real compiles.
#include "fake_arrays.hpp"
#include "fake_cuda.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace texture_references_test {

using namespace kiln;
using kiln::test::contains;
using kiln::test::message_of;

namespace {

const char* const source = R"(
texture<float, 2, cudaReadModeElementType> tex;
static texture<uchar4, 1, cudaReadModeNormalizedFloat> colours(1, cudaFilterModeLinear, cudaAddressModeWrap);
namespace ns { texture<int2> pairs; }
texture<unsigned, cudaTextureType2DLayered> layers;
surface<void, 2> surf;
__device__ int plain[6];
extern "C" __global__ void read(float* out) {
  out[0] = tex2D(tex, 1, 2) + tex1D(colours, 3).x + tex1Dfetch(ns::pairs, 4).y + tex2DLayered(layers, 5, 6, 7) + plain[0];
  surf2Dwrite(out[0], surf, 0, 0);
}
template <int n> __global__ void read_instance(float* out) { out[0] = n * tex2D(tex, 1, 2); }
)";

const CompileOptions options;

std::uint64_t stored(const Module& module, const char* name) {
  std::uint64_t value;
  std::memcpy(&value, reinterpret_cast<const void*>(module.get_global(name).pointer), sizeof value);
  return value;
}

Array array_2d() { return Array::make<float>(8, 4); }
std::size_t writes() { return fake_cuda::calls("cuMemsetD32Async"); }

struct Pair {
  int x, y;
};

}  // namespace

TEST_CASE("a reference begins as the source declares it") {
  const SourceModule module(source, options);
  const TextureReference tex = module.get_texref("tex");
  CHECK(tex.name() == "tex");
  CHECK(tex.get_format() == std::pair(ArrayFormat::float32, 1U));
  CHECK(tex.get_flags() == 0);
  CHECK(tex.get_filter_mode() == FilterMode::point);
  CHECK(tex.get_address_mode(1) == AddressMode::clamp);
  CHECK(tex.get_max_anisotropy() == 0);
  const TextureReference colours = module.get_texref("colours");
  CHECK(colours.get_format() == std::pair(ArrayFormat::unsigned_int8, 4U));
  CHECK(colours.get_flags() == TRSF_NORMALIZED_COORDINATES);
  CHECK(colours.get_filter_mode() == FilterMode::linear);
  CHECK(colours.get_address_mode(2) == AddressMode::wrap);
  const TextureReference pairs = module.get_texref("ns::pairs");
  CHECK(pairs.get_format() == std::pair(ArrayFormat::signed_int32, 2U));
  CHECK(pairs.get_flags() == TRSF_READ_AS_INTEGER);
  CHECK(module.get_surfref("surf").name() == "surf");
}

TEST_CASE("nvcc's code and PTX list the same") {
  for (const Target target : {Target::ptx, Target::cubin})
    for (const Backend backend : {Backend::nvrtc, Backend::nvcc}) {
      const CodeObject code =
          compile(source, CompileOptions(options).with_target(target).with_backend(backend).with_arch(
                              target == Target::ptx ? "compute_80" : "sm_90"));
      const Module module = Module::from_bytes(code.bytes());
      CHECK(module.get_texref("colours").get_format() == std::pair(ArrayFormat::unsigned_int8, 4U));
      CHECK(module.get_texref("layers").get_flags() == TRSF_READ_AS_INTEGER);
    }
}

TEST_CASE("a launch writes what changed, before the kernel and on its stream, and nothing else") {
  const SourceModule module(source, options);
  const Function read = module.get_function("read");
  TextureReference tex = module.get_texref("tex");
  SurfaceReference surf = module.get_surfref("surf");
  DeviceBuffer<float> out(1);
  const Stream stream;
  const std::size_t before = writes();
  read({1, 1, 0, stream}, out);
  CHECK(writes() == before);  // nothing is bound

  tex.set_array(array_2d());
  surf.set_array(Array::make<float>(8, 4, 0, ArrayFlags::surface_load_store));
  fake_cuda::reset();
  read({1, 1, 0, stream}, out);
  CHECK(writes() == 4);
  CHECK(fake_cuda::arguments("cuMemsetD32Async").front().back() == reinterpret_cast<std::uintptr_t>(stream.handle()));
  const std::vector<std::string> calls = fake_cuda::calls();
  const auto launch = std::find(calls.begin(), calls.end(), "cuLaunchKernel");
  CHECK(std::count(calls.begin(), launch, "cuMemsetD32Async") == 4);
  CHECK(stored(module, "tex") != 0);
  CHECK(stored(module, "surf") != 0);
  CHECK(stored(module, "colours") == 0);

  read({1, 1, 0, stream}, out);
  (void)module.get_function("read").timed({1, 1, 0, stream}, out);
  CHECK(writes() == 4);
  module.get_texref("tex").set_filter_mode(FilterMode::linear);  // the same reference
  read({1, 1, 0, stream}, out);
  CHECK(writes() == 6);
  CHECK(fake_cuda::last_texture().descriptor.filterMode == CU_TR_FILTER_MODE_LINEAR);
}

TEST_CASE("a new binding on another stream waits for what reads the old one, whose object goes later") {
  const std::size_t events = fake_cuda::live_events();  // those that timed launches keep
  {
    const SourceModule module(source, options);
    const Function read = module.get_function("read");
    TextureReference tex = module.get_texref("tex");
    DeviceBuffer<float> out(1);
    const Stream first, second;
    tex.set_array(array_2d());
    read({1, 1, 0, first}, out);
    fake_cuda::reset();
    fake_cuda::fail("cuEventQuery", CUDA_ERROR_NOT_READY, 0, 100);  // the device is slow
    read({1, 1, 0, first}, out);
    CHECK(fake_cuda::calls("cuStreamWaitEvent") == 0);
    read({1, 1, 0, second}, out);  // after the write on the first
    CHECK(fake_cuda::calls("cuStreamWaitEvent") == 1);
    read({1, 1, 0, second}, out);
    CHECK(fake_cuda::calls("cuStreamWaitEvent") == 1);
    CHECK(fake_cuda::live_textures() == 1);

    fake_cuda::reset();
    tex.set_array(array_2d());
    CHECK(fake_cuda::live_arrays() == 2);
    fake_cuda::fail("cuEventQuery", CUDA_ERROR_NOT_READY, 0, 100);
    read({1, 1, 0, second}, out);
    CHECK(fake_cuda::calls("cuStreamWaitEvent") == 2);  // the first stream's write and its reader
    CHECK(fake_cuda::live_textures() == 2);
    CHECK(fake_cuda::live_arrays() == 2);
    fake_cuda::reset();
    read({1, 1, 0, second}, out);
    CHECK(fake_cuda::live_textures() == 1);
    CHECK(fake_cuda::live_arrays() == 1);
  }
  CHECK(fake_cuda::live_textures() == 0);
  CHECK(fake_cuda::live_arrays() == 0);
  CHECK(fake_cuda::live_events() == events);
}

TEST_CASE("an element with as many channels and bits fits") {
  const SourceModule module(source, options);
  module.get_texref("tex").set_format(ArrayFormat::unsigned_int32, 1);
  CHECK_NOTHROW(module.get_texref("pairs").set_array(Array::make<std::complex<float>>(8)));
  CHECK_THROWS_AS(module.get_texref("pairs").set_array(Array::make<float>(8)), ArgumentError);
  CHECK_THROWS_AS(module.get_texref("pairs").set_array(Array::make<std::complex<float>>(8, 8)), ArgumentError);
  // Read as fractions, or as what half is made into, the bits would be others.
  const SourceModule small(
      "texture<unsigned char, 1, cudaReadModeNormalizedFloat> fractions; texture<unsigned short> shorts;\n"
      "__global__ void read(float* out) { *out = tex1D(fractions, 0) + tex1Dfetch(shorts, 0); }",
      options);
  CHECK_THROWS_AS(small.get_texref("fractions").set_format(ArrayFormat::signed_int8, 1), ArgumentError);
  CHECK_THROWS_AS(small.get_texref("shorts").set_format(ArrayFormat::half, 1), ArgumentError);
  CHECK_NOTHROW(small.get_texref("shorts").set_format(ArrayFormat::signed_int16, 1));
}

TEST_CASE("a texture of three channels is refused in one sentence") {
  const std::string message = message_of<kiln::CompileError>([&] {
    (void)SourceModule("texture<float3> tex; __global__ void read(float* out) { *out = tex1Dfetch(tex, 0).x; }",
                       options);
  });
  CHECK_MESSAGE(contains(message.substr(0, message.find('\n')), "use float4 for float3"), message);
}

TEST_CASE("what does not fit the declaration is refused by name") {
  const SourceModule module(source, options);
  TextureReference tex = module.get_texref("tex");
  const std::string element = message_of<ArgumentError>([&] { tex.set_array(Array::make<Pair>(8, 4)); });
  CHECK_MESSAGE(contains(element, "\"tex\""), element);
  CHECK_MESSAGE(contains(element, "texture<float, 2, cudaReadModeElementType>"), element);
  CHECK_MESSAGE(contains(element, "elements of int2"), element);
  const std::string type = message_of<ArgumentError>([&] { tex.set_array(Array::make<float>(8)); });
  CHECK_MESSAGE(contains(type, "1-D array"), type);
  CHECK_THROWS_AS(tex.set_format(ArrayFormat::signed_int8, 1), ArgumentError);
  CHECK_THROWS_AS(tex.set_address_mode(3, AddressMode::clamp), ArgumentError);
  CHECK_THROWS_AS(tex.set_flags(0x80), ArgumentError);
  CHECK_THROWS_AS(tex.set_max_anisotropy(17), ArgumentError);
  CHECK_THROWS_AS(tex.set_address(CUdeviceptr{4096}, 64), ArgumentError);
  CHECK_THROWS_AS((void)tex.get_array(), ArgumentError);
  CHECK_THROWS_AS((void)tex.get_address(), ArgumentError);
  CHECK_NOTHROW(module.get_texref("layers").set_array(Array::make<int>(4, 4, 2, ArrayFlags::layered)));
  const std::string surface = message_of<ArgumentError>([&] { module.get_surfref("surf").set_array(array_2d()); });
  CHECK_MESSAGE(contains(surface, "surface<void, 2>"), surface);
}

TEST_CASE("a name that is no texture reference has an error that lists those that are") {
  const SourceModule module(source, options);
  for (const char* const name : {"plain", "surf", "nothing"}) {
    const std::string message = message_of<ArgumentError>([&] { (void)module.get_texref(name); });
    CHECK_MESSAGE(contains(message, std::string("\"") + name + "\""), message);
    CHECK_MESSAGE(contains(message, "tex: texture<float, 2, cudaReadModeElementType>"), message);
    CHECK_MESSAGE(contains(message, "\n  colours: texture<uchar4, 1, cudaReadModeNormalizedFloat>"), message);
  }
  const std::string message = message_of<ArgumentError>([&] { (void)module.get_surfref("tex"); });
  CHECK_MESSAGE(contains(message, "get_texref"), message);
  CHECK_MESSAGE(contains(message, "surf: surface<void, 2>"), message);
  CHECK_THROWS_WITH_AS((void)module.get_texref("pars"), doctest::Contains("Did you mean \"ns::pairs\"?"),
                       ArgumentError);
  CHECK_THROWS_WITH_AS((void)module.get_surfref("srf"), doctest::Contains("Did you mean \"surf\"?"), ArgumentError);
}

TEST_CASE("linear and pitched memory, with the offset that the device's alignment makes") {
  const SourceModule module(source, options);
  const Function read = module.get_function("read");
  TextureReference pairs = module.get_texref("ns::pairs");
  DeviceBuffer<Pair> memory(32);
  DeviceBuffer<float> out(1);
  CHECK(pairs.set_address(memory.data(), 32 * sizeof(Pair)) == 0);
  CHECK(pairs.get_address() == reinterpret_cast<CUdeviceptr>(memory.data()));
  const auto inside = reinterpret_cast<CUdeviceptr>(memory.data()) + 4;
  CHECK_THROWS_AS(pairs.set_address(inside, 64), ArgumentError);
  CHECK(pairs.set_address(inside, 64, true) == 4);
  CHECK_THROWS_AS(pairs.set_address(CUdeviceptr{0}, 64), ArgumentError);
  CHECK_THROWS_AS(pairs.set_address(memory.data(), 4), ArgumentError);
  read({1, 1}, out);
  const CUDA_RESOURCE_DESC linear = fake_cuda::last_texture().resource;
  CHECK(linear.resType == CU_RESOURCE_TYPE_LINEAR);
  CHECK(linear.res.linear.devPtr == reinterpret_cast<CUdeviceptr>(memory.data()));
  CHECK(linear.res.linear.sizeInBytes == 64);

  TextureReference tex = module.get_texref("tex");
  DeviceBuffer<float> rows(64);
  tex.set_address_2d(rows.data(), ArrayDescriptor::of<float>(8, 4), 64);
  CHECK_THROWS_AS(tex.set_address_2d(rows.data(), ArrayDescriptor::of<float>(32, 4), 64), ArgumentError);
  CHECK_THROWS_AS(tex.set_address_2d(rows.data(), ArrayDescriptor::of<short>(8, 4), 64), ArgumentError);
  read({1, 1}, out);
  CHECK(fake_cuda::last_texture().resource.resType == CU_RESOURCE_TYPE_PITCH2D);
}

TEST_CASE("wrap and mirror mean clamp without normalised coordinates, as in CUDA") {
  const SourceModule module(source, options);
  TextureReference tex = module.get_texref("tex");
  DeviceBuffer<float> out(1);
  tex.set_array(array_2d());
  tex.set_address_mode(0, AddressMode::wrap);
  tex.set_address_mode(1, AddressMode::border);
  tex.set_border_color({1, 2, 3, 4});
  module.get_function("read")({1, 1}, out);
  CUDA_TEXTURE_DESC texture = fake_cuda::last_texture().descriptor;
  CHECK(texture.addressMode[0] == CU_TR_ADDRESS_MODE_CLAMP);
  CHECK(texture.addressMode[1] == CU_TR_ADDRESS_MODE_BORDER);
  CHECK(texture.borderColor[3] == 4);
  tex.set_flags(TRSF_NORMALIZED_COORDINATES);
  module.get_function("read")({1, 1}, out);
  texture = fake_cuda::last_texture().descriptor;
  CHECK(texture.addressMode[0] == CU_TR_ADDRESS_MODE_WRAP);
  CHECK(texture.flags == CU_TRSF_NORMALIZED_COORDINATES);
}

TEST_CASE("texrefs of a launch must be the kernel's and bound") {
  const SourceModule module(source, options), other(source, options);
  const SourceModule without("extern \"C\" __global__ void none() {}", options);
  TextureReference tex = module.get_texref("tex");
  const TextureReference foreign = other.get_texref("tex");
  DeviceBuffer<float> out(1);
  const Function read = module.get_function("read");
  const auto launch = [&](const TextureReference& texref) {
    LaunchConfig config{1, 1};
    config.texrefs = texref;
    read(config, out);
  };
  const std::string unbound = message_of<ArgumentError>([&] { launch(tex); });
  CHECK_MESSAGE(contains(unbound, "kernel read: texrefs[0], \"tex\""), unbound);
  CHECK_MESSAGE(contains(unbound, "set_array"), unbound);
  tex.set_array(array_2d());
  CHECK_NOTHROW(launch(tex));
  const std::string of_another = message_of<ArgumentError>([&] { launch(foreign); });
  CHECK_MESSAGE(contains(of_another, "another module"), of_another);
  const std::vector<TextureReference> both = {tex, foreign};
  LaunchConfig config{1, 1};
  config.texrefs = both;
  CHECK_MESSAGE(contains(message_of<ArgumentError>([&] { read(config, out); }), "texrefs[1]"), "the second of two");
  CHECK_THROWS_AS(without.get_function("none")(config), ArgumentError);
  // Each module has its own variable.
  CHECK(stored(module, "tex") != 0);
  CHECK(stored(other, "tex") == 0);
}

TEST_CASE("an instance that is compiled later reads the same reference") {
  const SourceModule module(source, options);
  TextureReference tex = module.get_texref("tex");
  tex.set_array(array_2d());
  DeviceBuffer<float> out(1);
  const Function instance = module.get_function("read_instance<2>");
  fake_cuda::reset();
  instance({1, 1}, out);
  CHECK(writes() == 2);  // its image has a variable of its own
  instance({1, 1}, out);
  CHECK(writes() == 2);
  // That image gave something first, so the kernel is taken from it, too.
  module.get_function("read")({1, 1}, out);
  CHECK(writes() == 2);

  // Bindings are written in every image, so that references keep no kernel from having one of its own.
  const SourceModule second(source, options);
  const Function read = second.get_function("read");
  second.get_texref("tex").set_array(array_2d());
  fake_cuda::reset();
  second.get_function("read_instance<2>")({1, 1}, out);
  CHECK(writes() == 2);
  read({1, 1}, out);
  CHECK(writes() == 4);
}

TEST_CASE("a captured launch writes its bindings always, and they live as long as the module") {
  {
    const SourceModule module(source, options);
    const Function read = module.get_function("read");
    TextureReference tex = module.get_texref("tex");
    DeviceBuffer<float> out(1);
    const Stream stream;
    tex.set_array(array_2d());
    read({1, 1, 0, stream}, out);
    fake_cuda::reset();
    fake_cuda::set_capturing(stream.handle(), true);
    read({1, 1, 0, stream}, out);
    read({1, 1, 0, stream}, out);
    fake_cuda::set_capturing(stream.handle(), false);
    CHECK(writes() == 4);
    CHECK(fake_cuda::calls("cuEventRecord") + fake_cuda::calls("cuStreamWaitEvent") == 0);
    tex.set_array(array_2d());
    read({1, 1, 0, stream}, out);
    read({1, 1, 0, stream}, out);  // a graph may have run in between
    CHECK(writes() == 8);
    CHECK(fake_cuda::live_textures() == 2);
    CHECK(fake_cuda::live_arrays() == 2);
  }
  CHECK(fake_cuda::live_textures() == 0);
  CHECK(fake_cuda::live_arrays() == 0);
}

TEST_CASE("a launch beside a stream that is being captured leaves that alone, and still tidies up") {
  const SourceModule module(source, options);
  const Function read = module.get_function("read");
  TextureReference tex = module.get_texref("tex");
  DeviceBuffer<float> out(1);
  const Stream captured, first, second;
  tex.set_array(array_2d());
  read({1, 1, 0, first}, out);
  tex.set_array(array_2d());
  fake_cuda::set_capturing(captured.handle(), true);
  CHECK_NOTHROW(read({1, 1, 0, second}, out));
  fake_cuda::set_capturing(captured.handle(), false);
  CHECK(fake_cuda::live_textures() == 1);
  CHECK(fake_cuda::live_arrays() == 1);
}

TEST_CASE("streams that take turns make no event for each launch") {
  const SourceModule module(source, options);
  const Function read = module.get_function("read");
  module.get_texref("tex").set_array(array_2d());
  DeviceBuffer<float> out(1);
  const Stream first, second;
  const auto both = [&] {
    read({1, 1, 0, first}, out);
    read({1, 1, 0, second}, out);
  };
  both();
  fake_cuda::reset();
  for (int i = 0; i < 3; ++i) both();
  CHECK(fake_cuda::calls("cuEventCreate") == 0);
  CHECK(fake_cuda::calls("cuEventRecord") == 6);
}

TEST_CASE("a module that goes away on a thread without a context waits for what reads its textures") {
  auto module = std::make_unique<SourceModule>(source, options);
  module->get_texref("tex").set_array(array_2d());
  DeviceBuffer<float> out(1);
  module->get_function("read")({1, 1}, out);
  fake_cuda::reset();
  std::thread([&] { module.reset(); }).join();
  CHECK(fake_cuda::arguments("cuEventSynchronize").size() == 2);  // the write and the reader
  CHECK(fake_cuda::live_textures() == 0);
}

TEST_CASE("the format of linear memory may be set after its address, as PyCUDA does") {
  const SourceModule module(
      "texture<float> tex;\n"
      "extern \"C\" __global__ void read(float* out) { out[0] = tex1Dfetch(tex, 1); }",
      options);
  const Function read = module.get_function("read");
  TextureReference tex = module.get_texref("tex");
  DeviceBuffer<std::uint16_t> memory(32);
  DeviceBuffer<float> out(1);
  tex.set_address(memory.data(), 64);
  read({1, 1}, out);
  CHECK(fake_cuda::last_texture().resource.res.linear.format == CU_AD_FORMAT_FLOAT);
  tex.set_format(ArrayFormat::half, 1);
  read({1, 1}, out);
  CHECK(fake_cuda::last_texture().resource.res.linear.format == CU_AD_FORMAT_HALF);
  CHECK(fake_cuda::last_texture().resource.res.linear.sizeInBytes == 64);
  CHECK_THROWS_AS(tex.set_address(memory.data() + 1, ~std::size_t{0}, true), ArgumentError);
}

TEST_CASE("threads launch at the same time, and one of them writes the binding") {
  const SourceModule module(source, options);
  const Function read = module.get_function("read");
  module.get_texref("tex").set_array(array_2d());
  const std::size_t before = writes(), launched = fake_cuda::launches().size();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      const Stream stream;
      DeviceBuffer<float> out(1);
      for (int k = 0; k < 50; ++k) read({1, 1, 0, stream}, out);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(writes() == before + 2);
  CHECK(fake_cuda::launches().size() == launched + 200);
}

TEST_CASE("a stream that is gone is reported, and a reference that was moved from is still one") {
  const SourceModule module(source, options);
  TextureReference tex = module.get_texref("tex");
  tex.set_array(array_2d());
  DeviceBuffer<float> out(1);
  CUstream gone = nullptr;
  {
    const Stream stream;
    gone = stream.handle();
  }
  CHECK_THROWS_AS(module.get_function("read")({1, 1, 0, gone}, out), DriverError);
  TextureReference moved = std::move(tex);
  CHECK(tex.name() == moved.name());  // copied: there is no null reference
}

TEST_CASE("each device has its own binding") {
  const SourceModule module(source, options);
  TextureReference tex = module.get_texref("tex");
  const Function read = module.get_function("read");
  tex.set_array(array_2d());
  DeviceBuffer<float> out(1);
  read({1, 1}, out);
  Device(1).make_current();
  {
    DeviceBuffer<float> there(1);
    CHECK_THROWS_AS((void)tex.get_array(), ArgumentError);
    const std::size_t before = writes();
    read({1, 1}, there);
    CHECK(writes() == before);
    tex.set_array(array_2d());
    CHECK(tex.get_array().device() == 1);
    read({1, 1}, there);
    CHECK(writes() == before + 2);
  }
  Device(0).make_current();
  CHECK(tex.get_array().device() == 0);
}

TEST_CASE("every driver call that fails is reported, leaves nothing behind, and the next launch is right") {
  const std::size_t events = fake_cuda::live_events();  // those that timed launches keep
  for (const char* const call :
       {"cuTexObjectCreate", "cuSurfObjectCreate", "cuMemsetD32Async", "cuEventCreate", "cuEventRecord",
        "cuStreamWaitEvent", "cuStreamGetCtx", "cuLaunchKernel", "cuLibraryGetGlobal", "cuMemcpyDtoH"}) {
    CAPTURE(call);
    bool failed = false;
    for (std::size_t skip = 0; skip == 0 || failed; ++skip) {
      REQUIRE(skip < 100);
      failed = false;
      {
        const SourceModule module(source, options);
        const Function read = module.get_function("read");
        DeviceBuffer<float> out(1);
        const Stream first, second;
        const auto attempt = [&](const std::function<void()>& work) {
          try {
            work();
          } catch (const DriverError& error) {
            CHECK(error.result() == CUDA_ERROR_UNKNOWN);
            failed = true;
            work();
          }
        };
        fake_cuda::reset();
        fake_cuda::fail(call, CUDA_ERROR_UNKNOWN, skip);
        attempt([&] {
          module.get_texref("tex").set_array(array_2d());
          module.get_surfref("surf").set_array(Array::make<float>(8, 4, 0, ArrayFlags::surface_load_store));
        });
        attempt([&] { read({1, 1, 0, first}, out); });
        attempt([&] { read({1, 1, 0, second}, out); });
        attempt([&] {
          module.get_texref("tex").set_array(array_2d());
          read({1, 1, 0, first}, out);
        });
        fake_cuda::reset();
        CHECK(stored(module, "tex") != 0);
        CHECK(stored(module, "surf") != 0);
      }
      CHECK(fake_cuda::live_textures() == 0);
      CHECK(fake_cuda::live_surfaces() == 0);
      CHECK(fake_cuda::live_arrays() == 0);
      CHECK(fake_cuda::live_events() == events);
    }
    CHECK(failed == false);
  }
}

TEST_CASE("a plan that was replayed before a reference is asked for brings its binding") {
  const SourceModule module(source, options);
  const Function read = module.get_function("read");
  DeviceBuffer<float> out(1);
  const Stream stream;
  LaunchPlan plan;
  const auto result = plan.parameter<float*>("out");
  for (int i = 0; i < 2; ++i) plan.add(read, {1, 1}, result);
  plan(stream, out);
  TextureReference tex = module.get_texref("tex");
  tex.set_array(array_2d());
  plan(stream, out);
  CHECK(stored(module, "tex") != 0);
}

}  // namespace texture_references_test
