// What textures and surfaces say to the driver, and what they give back.
#include "each_call_fails.hpp"
#include "fake_arrays.hpp"
#include "fake_cuda.hpp"
#include "on_new_thread.hpp"
#include "refusal.hpp"

#include <kiln/array.hpp>
#include <kiln/device.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/mipmapped_array.hpp>
#include <kiln/pitched_buffer.hpp>
#include <kiln/surface_object.hpp>
#include <kiln/texture_object.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

namespace texture_test {

using kiln::AddressMode;
using kiln::Array;
using kiln::ArrayFlags;
using kiln::DeviceBuffer;
using kiln::FilterMode;
using kiln::MipmappedArray;
using kiln::ReadMode;
using kiln::SurfaceObject;
using kiln::TextureDescriptor;
using kiln::TextureObject;

namespace {

struct Uchar4 {
  unsigned char x, y, z, w;
};

// What destructors and the guards of contexts ask, which they bear in silence.
const std::set<std::string> quiet = {
    "cuCtxGetCurrent",    "cuCtxSetCurrent",     "cuArrayDestroy", "cuMipmappedArrayDestroy",
    "cuTexObjectDestroy", "cuSurfObjectDestroy", "cuMemFree"};

}  // namespace

static_assert(std::is_same_v<kiln::detail::Passed<TextureObject>::type, unsigned long long>);
static_assert(std::is_same_v<kiln::detail::Passed<SurfaceObject>::type, unsigned long long>);

TEST_CASE("a plain texture clamps, takes the nearest element as it is and counts elements") {
  const Array array = Array::make<int>(8, 8);
  const TextureObject texture(array);
  CHECK(texture.handle() != 0);
  CHECK(kiln::detail::Passed<TextureObject>::pass(texture) == texture.handle());
  const auto [resource, descriptor] = fake_cuda::last_texture();
  CHECK(resource.resType == CU_RESOURCE_TYPE_ARRAY);
  CHECK(resource.res.array.hArray == array.handle());
  for (const CUaddress_mode mode : descriptor.addressMode) CHECK(mode == CU_TR_ADDRESS_MODE_CLAMP);
  CHECK(descriptor.filterMode == CU_TR_FILTER_MODE_POINT);
  CHECK(descriptor.flags == CU_TRSF_READ_AS_INTEGER);
  CHECK(descriptor.maxMipmapLevelClamp == 0);
}

TEST_CASE("every member of the descriptor reaches the driver") {
  const Array array = Array::make<Uchar4>(8, 8, 6, ArrayFlags::cubemap);
  TextureDescriptor wanted;
  wanted.address_mode = {AddressMode::wrap, AddressMode::mirror, AddressMode::border};
  wanted.filter_mode = FilterMode::linear;
  wanted.read_mode = ReadMode::normalized_float;
  wanted.normalized_coords = true;
  wanted.srgb = true;
  wanted.max_anisotropy = 8;
  wanted.border_color = {1, 2, 3, 4};
  wanted.disable_trilinear_optimization = true;
  wanted.seamless_cubemap = true;
  const TextureObject texture = TextureObject::of<Uchar4>(array, wanted);
  const CUDA_TEXTURE_DESC said = fake_cuda::last_texture().descriptor;
  CHECK(said.addressMode[0] == CU_TR_ADDRESS_MODE_WRAP);
  CHECK(said.addressMode[1] == CU_TR_ADDRESS_MODE_MIRROR);
  CHECK(said.addressMode[2] == CU_TR_ADDRESS_MODE_BORDER);
  CHECK(said.filterMode == CU_TR_FILTER_MODE_LINEAR);
  CHECK(said.flags == (CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB | CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION |
                       CU_TRSF_SEAMLESS_CUBEMAP));
  CHECK(said.maxAnisotropy == 8);
  CHECK(said.borderColor[3] == 4);
}

TEST_CASE("a texture over levels: their range ends with the last level") {
  const auto levels = MipmappedArray::make<float>(16, 16);
  TextureDescriptor wanted;
  wanted.normalized_coords = true;
  wanted.mipmap_filter_mode = FilterMode::linear;
  wanted.mipmap_level_bias = 0.5F;
  wanted.min_mipmap_level_clamp = 1;
  const TextureObject texture = TextureObject::of<float>(levels, wanted);
  const auto [resource, said] = fake_cuda::last_texture();
  CHECK(resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY);
  CHECK(resource.res.mipmap.hMipmappedArray == levels.handle());
  CHECK(said.mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR);
  CHECK(said.mipmapLevelBias == 0.5F);
  CHECK(said.minMipmapLevelClamp == 1);
  CHECK(said.maxMipmapLevelClamp == 4);
  CHECK(said.flags == CU_TRSF_NORMALIZED_COORDINATES);
}

TEST_CASE("a texture over linear and over pitched memory") {
  const DeviceBuffer<Uchar4> buffer(256);
  const TextureObject linear(buffer);
  CUDA_RESOURCE_DESC resource = fake_cuda::last_texture().resource;
  CHECK(resource.resType == CU_RESOURCE_TYPE_LINEAR);
  CHECK(resource.res.linear.devPtr == buffer.device_pointer());
  CHECK(resource.res.linear.format == CU_AD_FORMAT_UNSIGNED_INT8);
  CHECK(resource.res.linear.numChannels == 4);
  CHECK(resource.res.linear.sizeInBytes == 1024);
  const TextureObject part = TextureObject::linear(buffer.data() + 4, 100);
  CHECK(fake_cuda::last_texture().resource.res.linear.sizeInBytes == 400);

  const TextureObject pitched = TextureObject::pitched(buffer.data(), 10, 4, 64);
  resource = fake_cuda::last_texture().resource;
  CHECK(resource.resType == CU_RESOURCE_TYPE_PITCH2D);
  CHECK(resource.res.pitch2D.devPtr == buffer.device_pointer());
  CHECK(resource.res.pitch2D.numChannels == 4);
  CHECK(resource.res.pitch2D.width == 10);
  CHECK(resource.res.pitch2D.height == 4);
  CHECK(resource.res.pitch2D.pitchInBytes == 64);
  const kiln::PitchedBuffer<float> plane(100, 3);
  const TextureObject of_plane(plane);
  resource = fake_cuda::last_texture().resource;
  CHECK(resource.res.pitch2D.devPtr == plane.device_pointer());
  CHECK(resource.res.pitch2D.width == 100);
  CHECK(resource.res.pitch2D.height == 3);
  CHECK(resource.res.pitch2D.pitchInBytes == plane.pitch());
}

TEST_CASE("textures and surfaces keep their array, and go with the last copy") {
  const std::size_t textures = fake_cuda::live_textures();
  const std::size_t surfaces = fake_cuda::live_surfaces();
  const std::size_t arrays = fake_cuda::live_arrays();
  const std::size_t mipmapped = fake_cuda::live_mipmapped_arrays();
  {
    TextureObject texture(Array::make<float>(8));
    TextureDescriptor normalized;
    normalized.normalized_coords = true;
    const TextureObject of_levels(MipmappedArray::make<float>(8), normalized);
    const SurfaceObject surface(Array::make<float>(8, 0, 0, ArrayFlags::surface_load_store));
    std::optional<SurfaceObject> other(surface);
    const TextureObject copy = texture;
    const TextureObject moved = std::move(texture);
    CHECK(copy.handle() == moved.handle());
    CHECK(fake_cuda::live_textures() == textures + 2);
    CHECK(fake_cuda::live_arrays() == arrays + 2);
    CHECK(fake_cuda::live_mipmapped_arrays() == mipmapped + 1);
    other.reset();
    CHECK(fake_cuda::live_surfaces() == surfaces + 1);
    CHECK(texture.handle() == 0);  // NOLINT(bugprone-use-after-move): what is meant
    CHECK(contains(refusal([&] { (void)kiln::detail::Passed<TextureObject>::pass(texture); }), "TextureObject"));
  }
  CHECK(fake_cuda::live_textures() == textures);
  CHECK(fake_cuda::live_surfaces() == surfaces);
  CHECK(fake_cuda::live_arrays() == arrays);
  CHECK(fake_cuda::live_mipmapped_arrays() == mipmapped);
}

TEST_CASE("a texture's number is made and ended in its array's context") {
  const std::size_t textures = fake_cuda::live_textures();
  const std::size_t surfaces = fake_cuda::live_surfaces();
  const Array array = Array::make<float>(8, 0, 0, ArrayFlags::surface_load_store);
  {
    std::optional<TextureObject> texture;
    std::optional<SurfaceObject> surface;
    on_new_thread([&] {
      kiln::Device(1).make_current();
      texture.emplace(array);
      surface.emplace(array);
      CHECK(kiln::Device::current().ordinal() == 1);
    });
    const TextureObject own(array);  // of the same context, so that numbers would clash
    CHECK(own.handle() != texture->handle());
    on_new_thread([&] {
      kiln::Device(1).make_current();
      texture.reset();
      surface.reset();
    });
    CHECK(fake_cuda::live_textures() == textures + 1);
    CHECK(fake_cuda::live_surfaces() == surfaces);
  }
  on_new_thread([&] {
    kiln::Device(1).make_current();
    const DeviceBuffer<float> buffer(8);
    auto texture = std::make_unique<TextureObject>(buffer);
    kiln::Device(0).make_current();
    texture.reset();
  });
  CHECK(fake_cuda::live_textures() == textures);
}

TEST_CASE("destructors of textures and surfaces say nothing") {
  const Array array = Array::make<float>(8, 0, 0, ArrayFlags::surface_load_store);
  for (const CUresult result : {CUDA_ERROR_DEINITIALIZED, CUDA_ERROR_ILLEGAL_ADDRESS}) {
    fake_cuda::reset();
    fake_cuda::fail("cuTexObjectDestroy", result);
    fake_cuda::fail("cuSurfObjectDestroy", result);
    {
      const TextureObject texture(array);
      const SurfaceObject surface(array);
    }
    CHECK(fake_cuda::calls("cuTexObjectDestroy") == 1);
    CHECK(fake_cuda::calls("cuSurfObjectDestroy") == 1);
  }
  fake_cuda::reset();
}

TEST_CASE("every driver call of a texture or surface failing in turn leaks nothing and is told") {
  const Array array = Array::make<float>(8, 8, 0, ArrayFlags::surface_load_store);
  const DeviceBuffer<float> buffer(64);
  TextureDescriptor normalized;
  normalized.normalized_coords = true;
  each_call_fails([&] { (void)TextureObject(array); }, quiet);
  each_call_fails([&] { (void)SurfaceObject(array); }, quiet);
  each_call_fails([&] { (void)TextureObject(MipmappedArray::make<float>(8), normalized); }, quiet);
  each_call_fails([&] { (void)TextureObject(buffer); }, quiet);
  each_call_fails([&] { (void)TextureObject::pitched(buffer.data(), 8, 8, 32); }, quiet);
  fake_cuda::reset();
  fake_cuda::fail("cuTexObjectCreate", CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_THROWS_WITH_AS((void)TextureObject(buffer), doctest::Contains("linear memory"), kiln::DriverError);
}

}  // namespace texture_test
