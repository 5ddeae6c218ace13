// Copies of boxes: every pair of ends, and what the driver refuses.
#include "texture_fixture.hpp"

#include "emulator/memory/address_space.hpp"

namespace array_copies_test {

using namespace kiln::emulator;

namespace {

constexpr CUarray_format f32 = CU_AD_FORMAT_FLOAT;

CopySide host(const void* pointer, std::size_t pitch, std::size_t height = 0) {
  CopySide side{CU_MEMORYTYPE_HOST, reinterpret_cast<std::uint64_t>(pointer)};
  side.pitch = pitch;
  side.height = height;
  return side;
}

CopySide device(std::uint64_t address, std::size_t pitch, std::size_t height = 0) {
  CopySide side = host(reinterpret_cast<const void*>(address), pitch, height);
  side.type = CU_MEMORYTYPE_DEVICE;
  return side;
}

CopySide in_array(const TestArray& array, std::size_t x = 0, std::size_t y = 0, std::size_t z = 0) {
  return {CU_MEMORYTYPE_ARRAY, 0, array.handle(), x, y, z};
}

void copy(const CopySide& from, const CopySide& to, const CopyExtent& extent) {
  CHECK(checked_copy(from, to, extent).run() == CUDA_SUCCESS);
}

CUresult checked(const CopySide& from, const CopySide& to, const CopyExtent& extent) {
  return result_of([&] { checked_copy(from, to, extent); });
}

}  // namespace

TEST_CASE("a box of the host goes into a volume and out of it") {
  const TestArray array(described(f32, 1, 8, 6, 4), std::vector<float>(192));
  const std::vector<float> wide = ramp(200);  // rows of 10, slices of 5 rows
  copy(host(wide.data() + 1, 40, 5), in_array(array, 8, 1, 1), {12, 2, 2});
  std::vector<float> expected(192);
  for (std::size_t z = 0; z < 2; ++z)
    for (std::size_t y = 0; y < 2; ++y)
      for (std::size_t x = 0; x < 3; ++x)
        expected[(1 + z) * 48 + (1 + y) * 8 + 2 + x] = static_cast<float>(1 + x + 10 * y + 50 * z);
  CHECK(contents<float>(*array) == expected);

  std::vector<float> back(200, -1);
  copy(in_array(array, 8, 1, 1), host(back.data(), 40, 5), {12, 2, 2});
  CHECK(back[0] == 1);
  CHECK(back[12] == 13);
  CHECK(back[13] == -1);
  CHECK(back[50] == 51);
  CHECK(back[62] == 63);
}

TEST_CASE("between arrays of different shapes, and device memory") {
  const TestArray square(described(f32, 1, 8, 8), ramp(64));
  const TestArray volume(described(f32, 1, 4, 4, 4), std::vector<float>(64));
  copy(in_array(square, 24, 6), in_array(volume, 4, 1, 2), {8, 2, 1});
  const std::vector<float> values = contents<float>(*volume);
  CHECK(values[2 * 16 + 1 * 4 + 1] == 54);
  CHECK(values[2 * 16 + 2 * 4 + 2] == 63);
  CHECK(std::accumulate(values.begin(), values.end(), 0.0F) == 54 + 55 + 62 + 63);

  const std::uint64_t memory = AddressSpace::get().allocate(256, Allocation::Kind::device, 0);
  copy(in_array(square), device(memory, 32), {32, 8, 1});
  std::vector<float> there(64);
  std::memcpy(there.data(), reinterpret_cast<const void*>(memory), 256);
  CHECK(there == ramp(64));
  CHECK(checked(in_array(square), device(memory, 36), {32, 8, 1}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(checked(in_array(square), device(memory + 4, 32), {32, 8, 1}) == CUDA_ERROR_INVALID_VALUE);
  const BoxCopy late = checked_copy(in_array(square), device(memory, 32), {32, 8, 1});
  AddressSpace::get().release(memory);
  CHECK(late.run() == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(checked(in_array(square), device(memory, 32), {32, 8, 1}) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("what the driver refuses of a copy") {
  const TestArray array(described(f32, 1, 4, 4), ramp(16));
  const TestArray bytes(described(CU_AD_FORMAT_UNSIGNED_INT8, 1, 16, 4));
  std::vector<float> memory(64);
  const CopySide out = host(memory.data(), 16);
  CHECK(checked(in_array(array), out, {16, 4, 1}) == CUDA_SUCCESS);
  CHECK(checked(in_array(array), out, {0, 4, 1}) == CUDA_SUCCESS);
  CHECK(checked(in_array(array, 4), out, {16, 4, 1}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(checked(in_array(array, 0, 1), out, {16, 4, 1}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(checked(in_array(array, 0, 0, 1), out, {16, 4, 1}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(checked(in_array(array, 2), out, {8, 4, 1}) == CUDA_ERROR_INVALID_VALUE);  // no whole elements
  CHECK(checked(in_array(array), out, {6, 4, 1}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(checked(in_array(array, ~std::size_t{3}), out, {8, 1, 1}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(checked(in_array(array), host(memory.data(), 12), {16, 4, 1}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(checked(in_array(array), host(nullptr, 16), {16, 4, 1}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(checked(in_array(array), host(memory.data(), std::size_t{1} << 32), {16, 1, 1}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(checked(in_array(array), in_array(bytes), {16, 4, 1}) == CUDA_ERROR_INVALID_VALUE);
  const TestArray volume(described(f32, 1, 4, 4, 2));
  CHECK(checked(in_array(volume), host(memory.data(), 16, 3), {16, 4, 2}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(checked(in_array(volume), host(memory.data(), 16, 4), {16, 4, 2}) == CUDA_SUCCESS);
  CopySide leveled = in_array(array);
  leveled.level = 1;
  CHECK(checked(leveled, out, {16, 4, 1}) == CUDA_ERROR_INVALID_VALUE);
  CopySide unknown = in_array(array);
  unknown.array = nullptr;
  CHECK(checked(unknown, out, {16, 4, 1}) == CUDA_ERROR_INVALID_HANDLE);
  unknown.type = static_cast<CUmemorytype>(0);
  CHECK(checked(unknown, out, {16, 4, 1}) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a staged copy has the source as it was") {
  const TestArray array(described(f32, 1, 2, 2), std::vector<float>(4));
  std::vector<float> source = {1, 2, -1, 3, 4, -1};
  BoxCopy copy = checked_copy(host(source.data(), 12), in_array(array), {8, 2, 1});
  CHECK(copy.source.pageable);
  CHECK(!copy.target.pageable);
  copy.stage();
  source.assign(6, 9);
  CHECK(copy.run() == CUDA_SUCCESS);
  CHECK(contents<float>(*array) == std::vector<float>{1, 2, 3, 4});
}

TEST_CASE("a copy keeps an array that is destroyed before it runs") {
  std::vector<float> out(4, -1);
  BoxCopy copy;
  {
    const TestArray array(described(f32, 1, 4), ramp(4));
    copy = checked_copy(in_array(array), host(out.data(), 16), {16, 1, 1});
  }
  CHECK(copy.run() == CUDA_SUCCESS);
  CHECK(out == ramp(4));
}

}  // namespace array_copies_test
