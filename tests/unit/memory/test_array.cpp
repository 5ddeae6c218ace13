#include "each_call_fails.hpp"
#include "fake_arrays.hpp"
#include "fake_cuda.hpp"
#include "on_new_thread.hpp"
#include "refusal.hpp"

#include <kiln/array.hpp>
#include <kiln/device.hpp>
#include <kiln/error.hpp>
#include <kiln/mipmapped_array.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <optional>
#include <set>
#include <string>
#include <utility>

using kiln::Array;
using kiln::ArrayDescriptor;
using kiln::ArrayElement;
using kiln::ArrayFlags;
using kiln::ArrayFormat;
using kiln::MipmappedArray;

namespace {

struct Float2 {
  float x, y;
};
struct alignas(16) Float4 {
  float x, y, z, w;
};
struct Float3 {
  float x, y, z;
};
struct Uchar4 {
  unsigned char x, y, z, w;
};
struct Short1 {
  short x;
};
struct Mixed {
  float x;
  int y;
};
struct Half {
  unsigned short bits;
};
struct Half2 {
  Half x, y;
};

template <class T>
constexpr bool is_element(ArrayFormat format, unsigned channels) {
  return ArrayElement<T>::format == format && ArrayElement<T>::num_channels == channels;
}

// What destructors and the guards of contexts ask, which they bear in silence.
const std::set<std::string> quiet = {
    "cuCtxGetCurrent",    "cuCtxSetCurrent",     "cuArrayDestroy", "cuMipmappedArrayDestroy",
    "cuTexObjectDestroy", "cuSurfObjectDestroy", "cuMemFree"};

}  // namespace

template <>
struct kiln::ArrayElement<Half> : kiln::ArrayChannels<kiln::ArrayFormat::half, 1> {};

static_assert(is_element<float>(ArrayFormat::float32, 1));
static_assert(is_element<Float2>(ArrayFormat::float32, 2));
static_assert(is_element<Float4>(ArrayFormat::float32, 4));
static_assert(is_element<Uchar4>(ArrayFormat::unsigned_int8, 4));
static_assert(is_element<Short1>(ArrayFormat::signed_int16, 1));
static_assert(is_element<signed char>(ArrayFormat::signed_int8, 1));
static_assert(is_element<unsigned short>(ArrayFormat::unsigned_int16, 1));
static_assert(is_element<int>(ArrayFormat::signed_int32, 1));
static_assert(is_element<unsigned>(ArrayFormat::unsigned_int32, 1));
static_assert(is_element<Half>(ArrayFormat::half, 1));
static_assert(is_element<Half2>(ArrayFormat::half, 2));
static_assert(is_element<double>(ArrayFormat::signed_int32, 2));
static_assert(is_element<std::complex<float>>(ArrayFormat::float32, 2));
static_assert(is_element<std::complex<double>>(ArrayFormat::signed_int32, 4));
static_assert(!kiln::detail::is_array_element<Float3>);
static_assert(!kiln::detail::is_array_element<Mixed>);
static_assert(!kiln::detail::is_array_element<bool>);
static_assert(!kiln::detail::is_array_element<long long>);
static_assert(!kiln::detail::is_array_element<float*>);

TEST_CASE("an array of each shape reaches the driver as it is described") {
  struct Shape {
    std::size_t width, height, depth;
    ArrayFlags flags;
  };
  const Shape shapes[] = {{64, 0, 0, ArrayFlags::none},
                          {64, 32, 0, ArrayFlags::none},
                          {64, 32, 16, ArrayFlags::none},
                          {64, 0, 5, ArrayFlags::layered},
                          {64, 32, 5, ArrayFlags::layered | ArrayFlags::surface_load_store},
                          {16, 16, 6, ArrayFlags::cubemap},
                          {16, 16, 12, ArrayFlags::cubemap | ArrayFlags::layered},
                          {64, 32, 0, ArrayFlags::texture_gather}};
  for (const Shape& shape : shapes) {
    const auto array = Array::make<Uchar4>(shape.width, shape.height, shape.depth, shape.flags);
    CHECK(array.handle() != nullptr);
    CHECK(array.device() == 0);
    const CUDA_ARRAY3D_DESCRIPTOR made = fake_cuda::last_array();
    CHECK(made.Width == shape.width);
    CHECK(made.Height == shape.height);
    CHECK(made.Depth == shape.depth);
    CHECK(made.Format == CU_AD_FORMAT_UNSIGNED_INT8);
    CHECK(made.NumChannels == 4);
    CHECK(made.Flags == static_cast<unsigned>(shape.flags));
  }
}

TEST_CASE("every format with 1, 2 and 4 channels, and its size") {
  for (const ArrayFormat format :
       {ArrayFormat::unsigned_int8, ArrayFormat::unsigned_int16, ArrayFormat::unsigned_int32, ArrayFormat::signed_int8,
        ArrayFormat::signed_int16, ArrayFormat::signed_int32, ArrayFormat::half, ArrayFormat::float32})
    for (const unsigned channels : {1U, 2U, 4U}) {
      const Array array(ArrayDescriptor{8, 8, 0, format, channels, ArrayFlags::none});
      CHECK(fake_cuda::last_array().Format == static_cast<CUarray_format>(format));
      CHECK(array.descriptor().element_size() == kiln::channel_size(format) * channels);
      CHECK(array.descriptor().count() == 64);
    }
}

TEST_CASE("copies share an array, the last one frees it") {
  const std::size_t before = fake_cuda::live_arrays();
  {
    std::optional<Array> first(Array::make<float>(8));
    const Array second = *first;
    Array third = std::move(*first);
    CHECK(second.handle() == third.handle());
    CHECK(fake_cuda::live_arrays() == before + 1);
    first.reset();
    third = Array::make<float>(4);
    CHECK(fake_cuda::live_arrays() == before + 2);
    CHECK(second.descriptor().width == 8);
  }
  CHECK(fake_cuda::live_arrays() == before);
}

TEST_CASE("an array that was moved from is null and refused") {
  Array array = Array::make<float>(8);
  const Array other = std::move(array);
  CHECK(array.handle() == nullptr);  // NOLINT(bugprone-use-after-move): what the test is about
  const std::string said = refusal([&] { (void)array.descriptor(); });
  CHECK(contains(said, "Array: expected one that is there, given one that was moved from"));
  CHECK(refusal([&] { (void)array.to_host<float>(); }) == said);
}

TEST_CASE("an array is freed in its own context, wherever the last copy goes") {
  const std::size_t before = fake_cuda::live_arrays() + fake_cuda::live_mipmapped_arrays();
  on_new_thread([] {
    kiln::Device(1).make_current();
    std::optional<Array> array(Array::make<float>(8));
    std::optional<MipmappedArray> levels(MipmappedArray::make<float>(8));
    CHECK(array->device() == 1);
    CHECK(levels->device() == 1);
    kiln::Device(0).make_current();
    array.reset();
    levels.reset();
    CHECK(kiln::Device::current().ordinal() == 0);
  });
  std::optional<Array> array(Array::make<float>(8));
  std::optional<MipmappedArray> levels(MipmappedArray::make<float>(8));
  on_new_thread([&] {
    array.reset();
    levels.reset();
    CUcontext context = nullptr;
    CHECK(cuCtxGetCurrent(&context) == CUDA_SUCCESS);
    CHECK(context == nullptr);
  });
  CHECK(fake_cuda::live_arrays() + fake_cuda::live_mipmapped_arrays() == before);
}

TEST_CASE("destructors say nothing, whatever the driver says") {
  for (const CUresult result : {CUDA_ERROR_DEINITIALIZED, CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_INVALID_CONTEXT}) {
    fake_cuda::reset();
    fake_cuda::fail("cuArrayDestroy", result);
    fake_cuda::fail("cuMipmappedArrayDestroy", result);
    {
      const Array array = Array::make<float>(4);
      const MipmappedArray levels = MipmappedArray::make<float>(4);
    }
    CHECK(fake_cuda::calls("cuArrayDestroy") == 1);
    CHECK(fake_cuda::calls("cuMipmappedArrayDestroy") == 1);
  }
  fake_cuda::reset();
}

TEST_CASE("what no array can be is refused with the member and the way out, before the driver is asked") {
  const auto said = [](const ArrayDescriptor& descriptor) { return refusal([&] { (void)Array(descriptor); }); };
  const auto shape = [&](std::size_t width, std::size_t height, std::size_t depth, ArrayFlags flags) {
    return said(ArrayDescriptor::of<float>(width, height, depth, flags));
  };
  fake_cuda::reset();
  CHECK(contains(shape(0, 0, 0, ArrayFlags::none), "Array: width: expected at least 1, given 0"));
  CHECK(contains(shape(4, 0, 4, ArrayFlags::none), "ArrayFlags::layered"));
  CHECK(contains(shape(4, 4, 0, ArrayFlags::layered), "the number of layers"));
  CHECK(contains(shape(4, 5, 6, ArrayFlags::cubemap), "Array: height: expected the width, 4"));
  CHECK(contains(shape(4, 4, 12, ArrayFlags::cubemap), "several cubemaps need ArrayFlags::layered too"));
  CHECK(contains(shape(4, 4, 7, ArrayFlags::cubemap | ArrayFlags::layered), "a multiple of 6"));
  CHECK(contains(shape(4, 4, 0, ArrayFlags::cubemap | ArrayFlags::layered), "a multiple of 6"));
  CHECK(contains(shape(4, 4, 4, ArrayFlags::texture_gather), "ArrayFlags::texture_gather with 2-D arrays only"));
  CHECK(contains(shape(4, 4, 6, ArrayFlags::texture_gather | ArrayFlags::cubemap), "2-D arrays only"));
  CHECK(contains(shape(200000, 0, 0, ArrayFlags::none), "width of at most 131072, given 200000 array of 1 x float32"));
  CHECK(contains(shape(8, 65001, 0, ArrayFlags::none), "height of at most 65000"));
  CHECK(contains(shape(8, 8, 40000, ArrayFlags::none), "depth of at most 16384"));
  CHECK(contains(shape(8, 8, 2049, ArrayFlags::layered), "depth of at most 2048"));
  CHECK(contains(shape(40000, 8, 0, ArrayFlags::texture_gather), "width of at most 32768"));
  CHECK(contains(shape(40000, 0, 0, ArrayFlags::surface_load_store), "width of at most 32768 for a surface"));
  CHECK(contains(said({8, 8, 0, ArrayFormat::float32, 3, ArrayFlags::none}),
                 "num_channels: expected 1, 2 or 4, given 3; the hardware has no elements of three channels"));
  CHECK(contains(said({8, 8, 0, ArrayFormat::float32, 5, ArrayFlags::none}), "given 5"));
  CHECK(contains(said({8, 8, 0, static_cast<ArrayFormat>(7), 1, ArrayFlags::none}), "the number 7"));
  CHECK(fake_cuda::calls("cuArray3DCreate") == 0);
}

TEST_CASE("a deep 3-D array may have the alternate sizes") {
  CHECK(refusal([] { (void)Array::make<float>(2, 2, 20000); }) == "accepted");
  CHECK(contains(refusal([] { (void)Array::make<float>(10000, 2, 20000); }), "depth of at most 16384"));
}

TEST_CASE("a mipmapped array has as many levels as halving gives, and each is an array") {
  const auto levels = MipmappedArray::make<float>(16, 5);
  CHECK(levels.levels() == 5);
  CHECK(fake_cuda::last_levels() == 5);
  const std::pair<std::size_t, std::size_t> sizes[] = {{16, 5}, {8, 2}, {4, 1}, {2, 1}, {1, 1}};
  for (unsigned i = 0; i < 5; ++i) {
    const Array level = levels.level(i);
    CHECK(level.descriptor().width == sizes[i].first);
    CHECK(level.descriptor().height == sizes[i].second);
    CUDA_ARRAY3D_DESCRIPTOR actual = {};
    CHECK(cuArray3DGetDescriptor(&actual, level.handle()) == CUDA_SUCCESS);
    CHECK(actual.Width == sizes[i].first);
    CHECK(actual.Height == sizes[i].second);
  }
  CHECK(MipmappedArray::make<float>(16, 16, 0, 2).levels() == 2);
  CHECK(MipmappedArray::make<float>(4, 4, 64).levels() == 7);
  const auto layers = MipmappedArray::make<float>(4, 4, 64, MipmappedArray::all_levels, ArrayFlags::layered);
  CHECK(layers.levels() == 3);
  CHECK(layers.level(2).descriptor().depth == 64);
  CHECK(contains(refusal([&] { (void)levels.level(5); }), "MipmappedArray: level: expected 0 to 4, given 5"));
  CHECK(contains(refusal([] { (void)MipmappedArray::make<float>(16, 16, 0, 6); }), "levels: expected at most 5"));
  CHECK(contains(refusal([] { (void)MipmappedArray::make<float>(40000, 16); }), "width of at most 32768"));
  CHECK(contains(refusal([] { (void)MipmappedArray::make<float>(0); }), "MipmappedArray: width"));
}

TEST_CASE("a level keeps its mipmapped array") {
  const std::size_t before = fake_cuda::live_mipmapped_arrays();
  const std::size_t arrays = fake_cuda::live_arrays();
  {
    std::optional<MipmappedArray> levels(MipmappedArray::make<float>(16));
    const Array level = levels->level(1);
    const MipmappedArray moved = std::move(*levels);
    CHECK(contains(refusal([&] { (void)levels->levels(); }), "MipmappedArray: expected one that is there"));
    levels.reset();
    CHECK(fake_cuda::live_mipmapped_arrays() == before + 1);
    CHECK(level.to_host<float>().size() == 8);
  }
  CHECK(fake_cuda::live_mipmapped_arrays() == before);
  CHECK(fake_cuda::live_arrays() == arrays);
}

TEST_CASE("every driver call of an array failing in turn leaks nothing and is told") {
  each_call_fails([] { (void)Array::make<float>(8, 8); }, quiet);
  each_call_fails([] { (void)MipmappedArray::make<float>(8, 8).level(1); }, quiet);
}
