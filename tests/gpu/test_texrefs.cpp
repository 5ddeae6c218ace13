// Texture and surface references on a device: legacy sources, unchanged, by both compilers, with values that are known.
#include "needs.hpp"
#include "raw_driver.hpp"

#include <doctest/doctest.h>
#include <vector_types.h>
#include <kiln/kiln.hpp>

#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace texrefs_test {

using kiln::AddressMode;
using kiln::Array;
using kiln::array_from;
using kiln::ArrayDescriptor;
using kiln::ArrayFlags;
using kiln::Backend;
using kiln::CompileOptions;
using kiln::DeviceBuffer;
using kiln::FilterMode;
using kiln::Function;
using kiln::LaunchConfig;
using kiln::SourceModule;
using kiln::Stream;
using kiln::SurfaceReference;
using kiln::TextureReference;
using kiln::test::driver_call;

namespace {

const char* const legacy_source = R"(
texture<float, 1, cudaReadModeElementType> linear;
texture<float> row;
texture<float, 2, cudaReadModeElementType> plane;
texture<float, 3> volume;
texture<float, cudaTextureType1DLayered> lines;
texture<float, cudaTextureType2DLayered> sheets;
texture<float4, 2> colours;
texture<int, 2> integers;
static texture<unsigned char, 2, cudaReadModeNormalizedFloat> grey(1, cudaFilterModeLinear, cudaAddressModeClamp);
surface<void, 2> surf;
surface<void, 3> volume_surf;

extern "C" {
__global__ void fetch(float* out) { out[threadIdx.x] = tex1Dfetch(linear, threadIdx.x); }
__global__ void read_row(float* out) { out[threadIdx.x] = tex1D(row, threadIdx.x + .5f); }
__global__ void read_plane(const float2* at, float* out) {
  out[threadIdx.x] = tex2D(plane, at[threadIdx.x].x, at[threadIdx.x].y);
}
__global__ void read_volume(float* out) {
  const int i = threadIdx.x;
  out[i] = tex3D(volume, i % 2 + .5f, i / 2 % 3 + .5f, i / 6 + .5f);
}
__global__ void read_layers(float* out) {
  const int i = threadIdx.x;
  out[i] = tex1DLayered(lines, i % 4 + .5f, i / 4);
  out[8 + i] = tex2DLayered(sheets, i % 2 + .5f, i / 2 % 2 + .5f, i / 4);
}
__global__ void read_colours(float4* out) { out[threadIdx.x] = tex2D(colours, threadIdx.x + .5f, .5f); }
__global__ void read_integers(int* out) { out[threadIdx.x] = tex2D(integers, threadIdx.x + .5f, .5f); }
__global__ void read_grey(float* out) { out[threadIdx.x] = tex2D(grey, (threadIdx.x + .5f) / 4, .5f); }
__global__ void double_surface() {
  const int x = threadIdx.x, y = threadIdx.y;
  surf2Dwrite(2 * surf2Dread<float>(surf, x * 4, y), surf, x * 4, y, cudaBoundaryModeTrap);
}
__global__ void fill_volume() { surf3Dwrite(threadIdx.x + 10.f, volume_surf, threadIdx.x * 4, 1, 1); }
__global__ void read_late(float* out, long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {}
  out[0] = tex2D(plane, .5f, .5f);
}
}
template <int factor> __global__ void read_scaled(float* out) { out[0] = factor * tex2D(plane, .5f, .5f); }
)";

const char* const wrapped_source = R"(
#include <pycuda-helpers.hpp>
texture<fp_tex_double, 1, cudaReadModeElementType> doubles;
texture<fp_tex_double, 2> plane;
texture<fp_tex_cdouble, 2> complexes;
surface<void, cudaSurfaceType2DLayered> layers;
__global__ void read_doubles(double* out) {
  out[threadIdx.x] = fp_tex1Dfetch(doubles, threadIdx.x);
  out[4 + threadIdx.x] = fp_tex2D(plane, threadIdx.x % 2, threadIdx.x / 2);
  out[8 + threadIdx.x] = fp_tex2D(complexes, threadIdx.x, 0).imag();
  fp_surf2DLayeredwrite(threadIdx.x + .25, layers, threadIdx.x, 0, 1, cudaBoundaryModeTrap);
}
)";

std::vector<float> ramp(std::size_t size, float first = 0) {
  std::vector<float> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = first + static_cast<float>(i);
  return values;
}

/// The test's work by both compilers.
template <class Work>
void by_both(const char* source, const CompileOptions& options, Work work) {
  for (const Backend backend : {Backend::nvrtc, Backend::nvcc}) {
    CAPTURE(static_cast<int>(backend));
    const SourceModule module(source, CompileOptions(options).with_backend(backend));
    work(module);
  }
}

/// 4 x 2 elements x + 10 y.
Array plane_array(float first = 0) {
  std::vector<float> values;
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 4; ++x) values.push_back(first + static_cast<float>(x + 10 * y));
  return array_from(values, 4, 2);
}

std::vector<float> read_plane(const SourceModule& module, const std::vector<float2>& places) {
  const DeviceBuffer<float2> at(places);
  DeviceBuffer<float> out(places.size());
  module.get_function("read_plane")({1, places.size()}, at, out);
  return out.to_host();
}

}  // namespace

TEST_CASE("texture references: every kind of texture gives its elements") {
  by_both(legacy_source, {}, [](const SourceModule& module) {
    const DeviceBuffer<float> memory(ramp(200, 5));
    TextureReference linear = module.get_texref("linear");
    CHECK(linear.set_address(memory.data(), 200 * sizeof(float)) == 0);
    DeviceBuffer<float> eight(8);
    module.get_function("fetch")({1, 8}, eight);
    CHECK(eight.to_host() == ramp(8, 5));
    CHECK_THROWS_AS(linear.set_address(memory.data() + 1, 64), kiln::ArgumentError);
    CHECK(linear.set_address(memory.data() + 130, 64, true) == (130 * sizeof(float)) % 512);

    module.get_texref("row").set_array(array_from(ramp(8, 3), 8));
    module.get_function("read_row")({1, 8}, eight);
    CHECK(eight.to_host() == ramp(8, 3));

    module.get_texref("volume").set_array(array_from(ramp(24), 2, 3, 4));
    DeviceBuffer<float> all(24);
    module.get_function("read_volume")({1, 24}, all);
    CHECK(all.to_host() == ramp(24));

    module.get_texref("lines").set_array(array_from(ramp(8, 1), 4, 0, 2, ArrayFlags::layered));
    module.get_texref("sheets").set_array(array_from(ramp(8, 9), 2, 2, 2, ArrayFlags::layered));
    DeviceBuffer<float> sixteen(16);
    module.get_function("read_layers")({1, 8}, sixteen);
    CHECK(sixteen.to_host() == ramp(16, 1));

    const std::vector<float4> rgba = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    module.get_texref("colours").set_array(array_from(rgba, 2, 1));
    DeviceBuffer<float4> two(2);
    module.get_function("read_colours")({1, 2}, two);
    CHECK(two.to_host()[0].w == 4);
    CHECK(two.to_host()[1].x == 5);

    module.get_texref("integers").set_array(array_from(std::vector<int>{-7, 1 << 30, 3}, 3, 1));
    DeviceBuffer<int> three(3);
    module.get_function("read_integers")({1, 3}, three);
    CHECK(three.to_host() == std::vector<int>{-7, 1 << 30, 3});

    module.get_texref("grey").set_array(array_from(std::vector<unsigned char>{0, 51, 102, 255}, 4, 1));
    DeviceBuffer<float> four(4);
    module.get_function("read_grey")({1, 4}, four);
    const std::vector<float> grey = four.to_host();
    CHECK(grey[0] == 0);
    CHECK(grey[1] == doctest::Approx(.2));
    CHECK(grey[2] == doctest::Approx(.4));
    CHECK(grey[3] == 1);
  });
}

TEST_CASE("texture references: filters, address modes, borders and normalised coordinates") {
  by_both(legacy_source, {}, [](const SourceModule& module) {
    TextureReference plane = module.get_texref("plane");
    plane.set_array(plane_array());
    using Values = std::vector<float>;
    CHECK(read_plane(module, {{.5F, .5F}, {3.9F, 1.1F}, {-3, .5F}, {9, 9}}) == Values{0, 13, 0, 13});
    plane.set_filter_mode(FilterMode::linear);
    CHECK(read_plane(module, {{1, .5F}, {2.5F, 1}, {.5F, .5F}}) == Values{.5F, 7, 0});
    plane.set_filter_mode(FilterMode::point);
    plane.set_border_color({42, 0, 0, 0});
    plane.set_address_mode(0, AddressMode::border);
    CHECK(read_plane(module, {{-3, .5F}, {1.5F, 9}}) == Values{42, 11});
    plane.set_flags(kiln::TRSF_NORMALIZED_COORDINATES);
    plane.set_address_mode(0, AddressMode::wrap);
    CHECK(read_plane(module, {{.125F, .25F}, {1.125F, .25F}, {1.375F, .75F}, {-.125F, .25F}}) == Values{0, 0, 11, 3});
    plane.set_address_mode(0, AddressMode::mirror);
    CHECK(read_plane(module, {{1.125F, .25F}, {-.125F, .25F}}) == Values{3, 0});

    const std::vector<float> values = ramp(128);
    kiln::PitchedBuffer<float> rows(32, 4);
    rows.copy_from(values);
    plane.set_flags(0);
    plane.set_address_2d(rows.data(), ArrayDescriptor::of<float>(32, 4), rows.pitch());
    CHECK(read_plane(module, {{.5F, .5F}, {31.5F, 3.5F}, {2.5F, 1.5F}}) == Values{0, 127, 34});
  });
}

TEST_CASE("surface references are read and written") {
  by_both(legacy_source, {}, [](const SourceModule& module) {
    Array array = Array::make<float>(4, 2, 0, ArrayFlags::surface_load_store);
    array.copy_from(ramp(8, 1));
    SurfaceReference surf = module.get_surfref("surf");
    surf.set_array(array);
    module.get_function("double_surface")({1, {4, 2}});
    module.get_function("double_surface")({1, {4, 2}});
    std::vector<float> expected = ramp(8, 1);
    for (float& value : expected) value *= 4;
    CHECK(array.to_host<float>() == expected);

    // What a surface wrote, a texture reads in the next launch.
    Array volume = Array::make<float>(2, 3, 4, ArrayFlags::surface_load_store);
    volume.copy_from(std::vector<float>(24, 0.0F));
    module.get_surfref("volume_surf").set_array(volume);
    module.get_texref("volume").set_array(volume);
    module.get_function("fill_volume")({1, 2});
    DeviceBuffer<float> all(24);
    module.get_function("read_volume")({1, 24}, all);
    CHECK(all.to_host()[6 + 2] == 10);
    CHECK(all.to_host()[6 + 3] == 11);
    CHECK(all.to_host()[0] == 0);
  });
}

TEST_CASE("pycuda-helpers.hpp reads doubles and complex numbers, and writes them") {
  by_both(wrapped_source, CompileOptions{}.with_no_extern_c(false), [](const SourceModule& module) {
    const std::vector<double> values = {1.5, -2.25, 3e300, 1e-300};
    const DeviceBuffer<double> memory(values);
    module.get_texref("doubles").set_address(memory.data(), 4 * sizeof(double));
    module.get_texref("plane").set_array(array_from(values, 2, 2));
    const std::vector<std::complex<double>> complexes = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    module.get_texref("complexes").set_array(array_from(complexes, 4, 1));
    Array layers = Array::make<double>(4, 1, 2, ArrayFlags::layered | ArrayFlags::surface_load_store);
    layers.copy_from(std::vector<double>(8, 0.0));
    module.get_surfref("layers").set_array(layers);
    DeviceBuffer<double> out(12);
    module.get_function("read_doubles")({1, 4}, out);
    CHECK(out.to_host() == std::vector<double>{1.5, -2.25, 3e300, 1e-300, 1.5, -2.25, 3e300, 1e-300, 2, 4, 6, 8});
    CHECK(layers.to_host<double>() == std::vector<double>{0, 0, 0, 0, .25, 1.25, 2.25, 3.25});
  });
}

TEST_CASE("a launch keeps the binding that it was made with, on one stream and on two") {
  by_both(legacy_source, {}, [](const SourceModule& module) {
    constexpr long long cycles = 20'000'000;  // some milliseconds: later launches are made while it runs
    const auto late = module.get_function<void(float*, long long)>("read_late");
    TextureReference plane = module.get_texref("plane");
    const Stream first, second;
    std::vector<DeviceBuffer<float>> out;
    for (int i = 0; i < 6; ++i) out.emplace_back(std::vector<float>(1, -1));
    for (int i = 0; i < 6; ++i) {
      plane.set_array(plane_array(100 * static_cast<float>(i + 1)));  // the array before is only the launch's now
      LaunchConfig config{1, 1, 0, i % 3 == 2 ? second.handle() : first.handle()};
      config.texrefs = plane;
      late(config, out[static_cast<std::size_t>(i)], i % 2 == 0 ? cycles : 0);
    }
    first.synchronize();
    second.synchronize();
    for (std::size_t i = 0; i < 6; ++i) CHECK(out[i].to_host().front() == 100 * static_cast<float>(i + 1));

    // The same binding on another stream comes after the write that made it.
    plane.set_array(plane_array(7));
    late({1, 1, 0, first}, out[0], cycles);
    late({1, 1, 0, second}, out[1], 0);
    first.synchronize();
    second.synchronize();
    CHECK(out[0].to_host().front() == 7);
    CHECK(out[1].to_host().front() == 7);
  });
}

TEST_CASE("complex numbers in an array are read as PyCUDA's fp_tex reads them") {
  const SourceModule module(R"(
#include <pycuda-helpers.hpp>
texture<fp_tex_cfloat, 2> numbers;
texture<float, 1> bits;
__global__ void read(float* out) {
  const pycuda::complex<float> number = fp_tex2D(numbers, 1, 1);
  out[0] = number.real();
  out[1] = number.imag();
}
__global__ void read_bits(unsigned* out) { *out = __float_as_uint(tex1D(bits, 2)); }
)");
  using Complex = std::complex<float>;
  const std::vector<Complex> numbers = {{1, 2}, {3, 4}, {5, 6}, {-7, 0.1F}};
  module.get_texref("numbers").set_array(kiln::array_from(numbers, 2, 2));
  DeviceBuffer<float> out(2);
  module.get_function("read")({1, 1}, out);
  CHECK(out.to_host() == std::vector<float>{-7, 0.1F});

  module.get_texref("bits").set_array(kiln::array_from(std::vector<unsigned>{0, 1, 0x40490fdbU}, 3));
  DeviceBuffer<unsigned> read(1);
  module.get_function("read_bits")({1, 1}, read);
  CHECK(read.to_host().front() == 0x40490fdbU);
}

TEST_CASE("an instance that is compiled later, code from bytes, and a timed launch read the reference too") {
  const SourceModule module(legacy_source);
  TextureReference plane = module.get_texref("plane");
  plane.set_array(plane_array(21));
  DeviceBuffer<float> out(std::vector<float>(1, -1));
  CHECK(module.get_function("read_scaled<3>").timed({1, 1}, out) >= 0);
  CHECK(out.to_host().front() == 63);

  const kiln::Module loaded = kiln::Module::from_bytes(module.code().bytes());
  loaded.get_texref("plane").set_array(plane_array(5));
  loaded.get_function("read_late")({1, 1}, out, 0LL);
  CHECK(out.to_host().front() == 5);
  module.get_function("read_late")({1, 1}, out, 0LL);
  CHECK(out.to_host().front() == 21);
}

TEST_CASE("a graph keeps the bindings that it was captured with") {
  const SourceModule module(legacy_source);
  TextureReference plane = module.get_texref("plane");
  const Function late = module.get_function("read_late");
  DeviceBuffer<float> out(std::vector<float>(1, -1));
  const Stream stream;
  const auto run = [&] {
    late({1, 1, 0, stream}, out, 0LL);
    stream.synchronize();
    return out.to_host().front();
  };
  plane.set_array(plane_array(3));
  CHECK(run() == 3);
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  driver_call<decltype(&::cuStreamBeginCapture)>("cuStreamBeginCapture_v2", stream.handle(),
                                                 CU_STREAM_CAPTURE_MODE_GLOBAL);
  late({1, 1, 0, stream}, out, 0LL);
  driver_call<decltype(&::cuStreamEndCapture)>("cuStreamEndCapture", stream.handle(), &graph);
  driver_call<decltype(&::cuGraphInstantiateWithFlags)>("cuGraphInstantiateWithFlags", &exec, graph, 0ULL);
  plane.set_array(plane_array(4));
  CHECK(run() == 4);
  driver_call<decltype(&::cuGraphLaunch)>("cuGraphLaunch", exec, stream.handle());
  stream.synchronize();
  CHECK(out.to_host().front() == 3);
  CHECK(run() == 4);
  driver_call<decltype(&::cuGraphExecDestroy)>("cuGraphExecDestroy", exec);
  driver_call<decltype(&::cuGraphDestroy)>("cuGraphDestroy", graph);
}

TEST_CASE("a capture goes on while launches beside it rebind, and memory is freed") {
  const SourceModule module(legacy_source);
  TextureReference plane = module.get_texref("plane");
  const Function late = module.get_function("read_late");
  DeviceBuffer<float> out(std::vector<float>(1, -1)), other(std::vector<float>(1, -1));
  const Stream captured = Stream::non_blocking(), first = Stream::non_blocking(), second = Stream::non_blocking();
  plane.set_array(plane_array(1));
  late({1, 1, 0, first}, out, 0LL);
  first.synchronize();
  auto freed = std::make_unique<DeviceBuffer<float>>(1024);
  auto pinned = std::make_unique<kiln::PinnedBuffer<float>>(1024);
  const Array next = plane_array(2);
  CUgraph graph = nullptr;
  driver_call<decltype(&::cuStreamBeginCapture)>("cuStreamBeginCapture_v2", captured.handle(),
                                                 CU_STREAM_CAPTURE_MODE_GLOBAL);
  late({1, 1, 0, captured}, other, 0LL);
  plane.set_array(next);
  late({1, 1, 0, second}, out, 0LL);  // asks for events, and destroys the array before
  late({1, 1, 0, first}, out, 0LL);
  freed.reset();
  pinned.reset();
  driver_call<decltype(&::cuStreamEndCapture)>("cuStreamEndCapture", captured.handle(), &graph);
  CUgraphExec exec = nullptr;
  driver_call<decltype(&::cuGraphInstantiateWithFlags)>("cuGraphInstantiateWithFlags", &exec, graph, 0ULL);
  first.synchronize();
  second.synchronize();
  CHECK(out.to_host().front() == 2);
  driver_call<decltype(&::cuGraphLaunch)>("cuGraphLaunch", exec, captured.handle());
  captured.synchronize();
  CHECK(other.to_host().front() == 1);
  driver_call<decltype(&::cuGraphExecDestroy)>("cuGraphExecDestroy", exec);
  driver_call<decltype(&::cuGraphDestroy)>("cuGraphDestroy", graph);
}

TEST_CASE("the words texture and surface may stand for something else too, and a typedef for a reference") {
  const char* const source = R"(
typedef texture<float, 2> plane_t;
plane_t plane;
struct material { int texture; };
extern "C" __global__ void read(float* out) {
  const material all = {int(threadIdx.x)};
  const int texture = all.texture, surface = 1;
  out[texture] = tex2D(plane, texture + .5f, .5f) * surface;
}
)";
  by_both(source, {}, [](const SourceModule& module) {
    module.get_texref("plane").set_array(plane_array(9));
    DeviceBuffer<float> out(std::vector<float>(1, -1));
    module.get_function("read")({1, 1}, out);
    CHECK(out.to_host().front() == 9);
  });
}

TEST_CASE("each of two devices has its own binding" * kiln::test::needs_two_devices()) {
  const SourceModule module(legacy_source);
  TextureReference plane = module.get_texref("plane");
  for (const int device : {0, 1}) {
    kiln::Device(device).make_current();
    plane.set_array(plane_array(static_cast<float>(10 * device)));
  }
  for (const int device : {0, 1, 0}) {
    kiln::Device(device).make_current();
    CHECK(read_plane(module, {{.5F, .5F}}) == std::vector<float>{static_cast<float>(10 * device)});
  }
  kiln::Device(0).make_current();
}

TEST_CASE("a prepared function checks the references that it was prepared with, at each call") {
  const kiln::SourceModule module(R"(
texture<float, 1, cudaReadModeElementType> table;
extern "C" __global__ void look_up(float* out) { out[threadIdx.x] = tex1Dfetch(table, threadIdx.x); })");
  kiln::TextureReference table = module.get_texref("table");
  const kiln::PreparedFunction look_up = module.get_function("look_up").prepare("P", 4, table);
  const kiln::DeviceBuffer<float> out(4);
  CHECK_THROWS_AS(look_up.prepared_call(1, out), kiln::ArgumentError);  // bound to nothing
  const kiln::DeviceBuffer<float> values(std::vector<float>{1, 2, 3, 4});
  table.set_address(values.data(), 4 * sizeof(float));
  look_up.prepared_call(1, out);
  CHECK(out.to_host() == std::vector<float>{1, 2, 3, 4});
}

}  // namespace texrefs_test
