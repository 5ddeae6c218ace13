// Arrays: what the driver makes and what it refuses, and their handles.
#include "texture_fixture.hpp"

#include "emulator/memory/address_space.hpp"

namespace arrays_test {

using namespace kiln::emulator;

namespace {

CUresult made(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  return result_of([&] { Array(descriptor, Owner{}); });
}

constexpr CUarray_format f32 = CU_AD_FORMAT_FLOAT;

}  // namespace

TEST_CASE("arrays of every kind have their shape") {
  struct Row {
    std::size_t width, height, depth;
    unsigned flags;
  };
  const Row rows[] = {{7, 0, 0, 0},
                      {7, 3, 0, 0},
                      {7, 3, 5, 0},
                      {7, 0, 5, CUDA_ARRAY3D_LAYERED},
                      {7, 3, 5, CUDA_ARRAY3D_LAYERED},
                      {4, 4, 6, CUDA_ARRAY3D_CUBEMAP},
                      {4, 4, 12, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED},
                      {7, 3, 0, CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_SURFACE_LDST}};
  for (const Row& row : rows) {
    CAPTURE(row.width);
    CAPTURE(row.flags);
    const TestArray array(described(CU_AD_FORMAT_UNSIGNED_INT8, 1, row.width, row.height, row.depth, row.flags));
    const Texels& texels = (*array).texels();
    CHECK(texels.width == row.width);
    CHECK(texels.height == std::max<std::size_t>(row.height, 1));
    CHECK(texels.depth == std::max<std::size_t>(row.depth, 1));
    std::vector<std::uint8_t> values(texels.width * texels.height * texels.depth);
    std::iota(values.begin(), values.end(), std::uint8_t{1});
    fill(*array, values);
    CHECK(contents<std::uint8_t>(*array) == values);
  }
}

TEST_CASE("shapes that no array has, and sizes beyond the limits, are invalid values") {
  CHECK(made(described(f32, 1, 0)) == CUDA_ERROR_INVALID_VALUE);
  CHECK(made(described(f32, 1, 4, 0, 4)) == CUDA_ERROR_INVALID_VALUE);  // layers without the flag
  CHECK(made(described(f32, 1, 4, 4, 0, CUDA_ARRAY3D_LAYERED)) == CUDA_ERROR_INVALID_VALUE);
  CHECK(made(described(f32, 1, 4, 5, 6, CUDA_ARRAY3D_CUBEMAP)) == CUDA_ERROR_INVALID_VALUE);
  CHECK(made(described(f32, 1, 4, 4, 12, CUDA_ARRAY3D_CUBEMAP)) == CUDA_ERROR_INVALID_VALUE);
  CHECK(made(described(f32, 1, 4, 4, 8, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED)) == CUDA_ERROR_INVALID_VALUE);
  CHECK(made(described(f32, 1, 4, 0, 0, CUDA_ARRAY3D_TEXTURE_GATHER)) == CUDA_ERROR_INVALID_VALUE);
  CHECK(made(described(f32, 1, 4, 0, 0, 0x1000)) == CUDA_ERROR_INVALID_VALUE);
  CHECK(made(described(f32, 1, 4, 4, 0, CUDA_ARRAY3D_SPARSE)) == CUDA_ERROR_NOT_SUPPORTED);
  // Of a device of compute capability 9.0.
  CHECK(made(described(f32, 1, 131072)) == CUDA_SUCCESS);
  CHECK(made(described(f32, 1, 131073)) == CUDA_ERROR_INVALID_VALUE);
  CHECK(made(described(f32, 1, 32768, 0, 0, CUDA_ARRAY3D_SURFACE_LDST)) == CUDA_SUCCESS);
  CHECK(made(described(f32, 1, 32769, 0, 0, CUDA_ARRAY3D_SURFACE_LDST)) == CUDA_ERROR_INVALID_VALUE);
  CHECK(made(described(f32, 1, 2, 65537)) == CUDA_ERROR_INVALID_VALUE);
  CHECK(made(described(f32, 1, 2, 32769, 0, CUDA_ARRAY3D_TEXTURE_GATHER)) == CUDA_ERROR_INVALID_VALUE);
  CHECK(made(described(f32, 1, 2, 2, 32768)) == CUDA_SUCCESS);  // the other extent of volumes
  CHECK(made(described(f32, 1, 2, 2, 32769)) == CUDA_ERROR_INVALID_VALUE);
  CHECK(made(described(f32, 1, 2, 0, 2049, CUDA_ARRAY3D_LAYERED)) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("formats and channels") {
  for (const CUarray_format format :
       {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT8,
        CU_AD_FORMAT_SIGNED_INT16, CU_AD_FORMAT_SIGNED_INT32, CU_AD_FORMAT_HALF, CU_AD_FORMAT_FLOAT}) {
    for (const unsigned channels : {1U, 2U, 4U}) CHECK(made(described(format, channels, 4)) == CUDA_SUCCESS);
    for (const unsigned channels : {0U, 3U, 5U})
      CHECK(made(described(format, channels, 4)) == CUDA_ERROR_INVALID_VALUE);
  }
  CHECK(element_of(CU_AD_FORMAT_UNORM_INT16X2, 2).size() == 4);
  CHECK(made(described(CU_AD_FORMAT_UNORM_INT16X2, 1, 4)) == CUDA_ERROR_INVALID_VALUE);
  CHECK(made(described(CU_AD_FORMAT_BC1_UNORM, 4, 4)) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(made(described(static_cast<CUarray_format>(0x77), 1, 4)) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("an array's memory is the device's, and is given back") {
  const std::uint64_t before = AddressSpace::get().used(0);
  {
    const TestArray array(described(f32, 4, 64, 64));
    CHECK(AddressSpace::get().used(0) >= before + 64 * 64 * 16);
  }
  CHECK(AddressSpace::get().used(0) == before);
}

TEST_CASE("levels halve, layers stay, and a level ends with its array") {
  const auto levels = std::make_shared<MipmappedArray>(described(f32, 1, 8, 2, 3, CUDA_ARRAY3D_LAYERED), 9, Owner{});
  REQUIRE(levels->levels.size() == 4);  // 8, 4, 2, 1
  CHECK(levels->levels[2]->descriptor.Width == 2);
  CHECK(levels->levels[2]->descriptor.Height == 1);
  CHECK(levels->levels[2]->descriptor.Depth == 3);
  const MipmappedArray volume(described(f32, 1, 4, 4, 8), 2, Owner{});
  REQUIRE(volume.levels.size() == 2);
  CHECK(volume.levels[1]->descriptor.Depth == 4);
  CHECK(MipmappedArray(described(f32, 1, 4), 0, Owner{}).levels.size() == 1);

  const CUmipmappedArray handle = add_mipmapped_array(levels);
  const CUarray level = level_handle(handle, 1);
  CHECK(level_handle(handle, 1) == level);
  CHECK(array_of(level) == levels->levels[1]);
  CHECK(result_of([&] { level_handle(handle, 4); }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(result_of([&] { destroy_array(level); }) == CUDA_ERROR_INVALID_HANDLE);
  destroy_mipmapped_array(handle);
  CHECK(result_of([&] { array_of(level); }) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(result_of([&] { destroy_mipmapped_array(handle); }) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(levels->levels[1]->gone());
}

TEST_CASE("handles of what was destroyed are known as such") {
  const CUarray handle = add_array(std::make_shared<Array>(described(f32, 1, 4), Owner{}));
  CHECK(array_of(handle)->descriptor.Width == 4);
  destroy_array(handle);
  CHECK(result_of([&] { array_of(handle); }) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(result_of([&] { destroy_array(handle); }) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(result_of([] { array_of(nullptr); }) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("what makes no texture or surface") {
  const CUDA_TEXTURE_DESC point = sampler(CU_TR_FILTER_MODE_POINT, CU_TR_ADDRESS_MODE_CLAMP);
  const CUDA_TEXTURE_DESC linear = sampler(CU_TR_FILTER_MODE_LINEAR, CU_TR_ADDRESS_MODE_CLAMP);
  const TestArray plain(described(CU_AD_FORMAT_SIGNED_INT32, 1, 4));
  CHECK(result_of([&] { texture(plain, linear); }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(result_of([&] { make_surface(plain.resource(), Owner{}); }) == CUDA_ERROR_INVALID_VALUE);
  const auto flagged = [&](unsigned flags) {
    CUDA_TEXTURE_DESC descriptor = point;
    descriptor.flags = flags;
    return result_of([&] { texture(plain, descriptor); });
  };
  CHECK(flagged(0) == CUDA_SUCCESS);
  CHECK(flagged(CU_TRSF_SEAMLESS_CUBEMAP) == CUDA_ERROR_INVALID_VALUE);
  CHECK(flagged(0x4000) == CUDA_ERROR_INVALID_VALUE);

  const std::uint64_t memory = AddressSpace::get().allocate(4096, Allocation::Kind::device, 0);
  const std::uint64_t aligned = (memory + 511) / 512 * 512;
  CUDA_RESOURCE_DESC rows = {};
  rows.resType = CU_RESOURCE_TYPE_PITCH2D;
  rows.res.pitch2D = {aligned, f32, 1, 8, 4, 64};
  const auto pitched = [&] { return result_of([&] { make_texture(rows, linear, Owner{}); }); };
  CHECK(pitched() == CUDA_SUCCESS);
  rows.res.pitch2D.pitchInBytes = 48;  // no multiple of 32
  CHECK(pitched() == CUDA_ERROR_INVALID_VALUE);
  rows.res.pitch2D.pitchInBytes = 2048;  // beyond the allocation
  CHECK(pitched() == CUDA_ERROR_INVALID_VALUE);
  rows.res.pitch2D = {aligned + 4, f32, 1, 8, 4, 64};
  CHECK(pitched() == CUDA_ERROR_INVALID_VALUE);
  CUDA_RESOURCE_DESC line = {};
  line.resType = CU_RESOURCE_TYPE_LINEAR;
  line.res.linear = {aligned, f32, 1, 400};
  CHECK(result_of([&] { make_texture(line, point, Owner{}); }) == CUDA_SUCCESS);
  line.res.linear.sizeInBytes = 2;
  CHECK(result_of([&] { make_texture(line, point, Owner{}); }) == CUDA_ERROR_INVALID_VALUE);
  line.res.linear.sizeInBytes = std::size_t{1} << 31;
  CHECK(result_of([&] { make_texture(line, point, Owner{}); }) == CUDA_ERROR_INVALID_VALUE);
  AddressSpace::get().release(memory);
}

}  // namespace arrays_test
