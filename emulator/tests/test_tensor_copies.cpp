#include "bulk_runs.hpp"
#include "emulator/core/call_error.hpp"
#include "emulator/tensor_map/box_rows.hpp"

#include <bit>
#include <set>
#include <string>
#include <tuple>

namespace tensor_copies_test {

using namespace kiln::emulator;

namespace {

constexpr std::uint32_t untouched = 0x77777777;

// A matrix of 20 columns and 12 rows of u32, 24 columns apart.
constexpr std::uint32_t columns = 20, rows = 12, pitch = 24;

TensorMap matrix_map(std::uint32_t box_columns, std::uint32_t box_rows) {
  TensorMap map;
  map.type = CU_TENSOR_MAP_DATA_TYPE_UINT32;
  map.rank = 2;
  map.sizes = {columns, rows, 1, 1, 1};
  map.strides = {pitch * 4, 0, 0, 0};
  map.box = {box_columns, box_rows, 1, 1, 1};
  return map;
}

std::string place(int x, int y) {
  return "mov.s32 %r7, " + std::to_string(x) + "; mov.s32 %r8, " + std::to_string(y) + ";\n";
}

const std::string load_2d =
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], [%map, {%r7, %r8}], "
    "[bar];\n";

std::uint32_t element(std::int64_t x, std::int64_t y, std::uint32_t outside = 0) {
  if (x < 0 || y < 0 || x >= columns || y >= rows) return outside;
  return static_cast<std::uint32_t>(y * pitch + x);
}

void check_done(const BulkRun& run) { REQUIRE_MESSAGE(run.outcome.result == CUDA_SUCCESS, run.outcome.report); }

void check_fault(const std::string& body, TensorMap map, CUresult result, const std::string& text) {
  CAPTURE(text);
  const BulkRun run = run_bulk(body, counted(), {}, &map);
  CHECK_MESSAGE(run.outcome.result == result, run.outcome.report);
  CHECK_MESSAGE(run.outcome.report.find(text) != std::string::npos, run.outcome.report);
}

std::string rule_of(const TensorMap& map) {
  try {
    check_rules(map);
  } catch (const CallError& error) {
    return error.text;
  }
  return {};
}

}  // namespace

TEST_CASE("emulator tensor map: what is encoded is decoded, and other bytes are none") {
  TensorMap map = matrix_map(16, 4);
  map.im2col = true;
  map.rank = 5;
  map.sizes = {std::uint64_t{1} << 32, 2, 3, 4, 5};
  map.strides = {16, 32, 48, (std::uint64_t{1} << 40) - 16};
  map.lower_corner = {-16, 15, -1};
  map.upper_corner = {-3, -2, 7};
  map.channels = 256;
  map.pixels = 1024;
  map.element_strides = {1, 2, 3, 4, 8};
  map.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  TensorMapBytes bytes = encoded(map);
  TensorMap read;
  REQUIRE(decode(bytes, read));
  CHECK(read.sizes == map.sizes);
  CHECK(read.strides == map.strides);
  CHECK(read.lower_corner == map.lower_corner);
  CHECK(read.upper_corner == map.upper_corner);
  CHECK(read.channels == 256);
  CHECK(read.pixels == 1024);
  CHECK(read.element_strides == map.element_strides);
  CHECK(read.fill == map.fill);
  CHECK(encoded(read) == bytes);
  bytes[0] ^= std::byte{1};
  CHECK(!decode(bytes, read));
  CHECK(!decode(TensorMapBytes{}, read));
}

TEST_CASE("emulator tensor map: a broken rule is named") {
  CHECK(rule_of(matrix_map(16, 4)).empty());
  const auto broken = [](auto change) {
    TensorMap map = matrix_map(16, 4);
    change(map);
    return rule_of(map);
  };
  CHECK(broken([](TensorMap& map) { map.address = 8; }).find("globalAddress") == 0);
  CHECK(broken([](TensorMap& map) { map.sizes[1] = 0; }).find("globalDim[1]") == 0);
  CHECK(broken([](TensorMap& map) { map.strides[0] = 40; }).find("globalStrides[0]") == 0);
  CHECK(broken([](TensorMap& map) { map.strides[0] = std::uint64_t{1} << 40; }).find("globalStrides[0]") == 0);
  CHECK(broken([](TensorMap& map) { map.box[1] = 257; }).find("boxDim[1]") == 0);
  CHECK(broken([](TensorMap& map) { map.box[0] = 3; }).find("boxDim[0]") == 0);
  CHECK(broken([](TensorMap& map) { map.element_strides[1] = 9; }).find("elementStrides[1]") == 0);
  CHECK(broken([](TensorMap& map) { map.swizzle = CU_TENSOR_MAP_SWIZZLE_32B; }).find("swizzle") != std::string::npos);
  CHECK(broken([](TensorMap& map) { map.interleave = CU_TENSOR_MAP_INTERLEAVE_16B; }).find("tensorRank") == 0);
  CHECK(broken([](TensorMap& map) { map.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA; }).find("oobFill") ==
        0);
}

TEST_CASE("emulator tensor map: a swizzle permutes 16 bytes within its span, by the line") {
  for (const auto swizzle : {CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B}) {
    const std::uint64_t span = 16u << swizzle;
    std::set<std::uint64_t> places;
    for (std::uint64_t at = 0; at < 2048; at += 16) {
      const std::uint64_t to = swizzled(at, swizzle);
      CHECK(to / span == at / span);
      places.insert(to);
    }
    CHECK(places.size() == 128);
    CHECK(swizzled(128, swizzle) == 144);
  }
  CHECK(swizzled(0x3F0, CU_TENSOR_MAP_SWIZZLE_128B) == 0x380);
  CHECK(swizzled(0x3F0, CU_TENSOR_MAP_SWIZZLE_NONE) == 0x3F0);
}

TEST_CASE("emulator cp.async.bulk.tensor: tiles, with zeros outside, in every swizzle") {
  for (const auto swizzle :
       {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B})
    for (const auto& [x, y] : {std::pair{0, 0}, {4, 2}, {16, 9}, {-4, -2}, {20, 0}, {0, 12}}) {
      CAPTURE(swizzle);
      CAPTURE(x);
      CAPTURE(y);
      TensorMap map = matrix_map(8, 5);
      map.swizzle = swizzle;
      const BulkRun run = run_bulk(place(x, y) + load_2d + wait_for(8 * 5 * 4) + dump_shared(), counted(), {}, &map);
      check_done(run);
      for (std::uint32_t i = 0; i < 40; ++i) {
        const std::uint64_t at = swizzled(i / 4 * 16, swizzle) / 4 + i % 4;
        REQUIRE(run.out[at] == element(x + i % 8, y + i / 8));
      }
      CHECK(run.out[48] == untouched);
    }
}

TEST_CASE("emulator cp.async.bulk.tensor: element strides, and NaN outside") {
  TensorMap map = matrix_map(8, 5);
  map.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  map.element_strides = {1, 3, 1, 1, 1};
  map.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  const BulkRun run = run_bulk(place(16, 9) + load_2d + wait_for(64) + dump_shared(), counted(), {}, &map);
  check_done(run);
  for (std::uint32_t i = 0; i < 16; ++i) CHECK(run.out[i] == element(16 + i % 8, 9 + i / 8 * 3, 0x7FF77FF7));
  CHECK(run.out[16] == untouched);
}

TEST_CASE("emulator cp.async.bulk.tensor: f32 becomes tf32 on the way") {
  TensorMap map = matrix_map(8, 1);
  map.type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
  const std::vector<std::uint32_t> in = {1,          0x3F801000, 0x3F801800, 0x3F803000,
                                         0x7F800001, 0xFF800000, 0x7F7FFFFF, 0x807FFFFF};
  const BulkRun run = run_bulk(place(0, 0) + load_2d + wait_for(32) + dump_shared(), in, {}, &map);
  check_done(run);
  const std::vector<std::uint32_t> expected = {0,          0x3F800000, 0x3F802000, 0x3F804000,
                                               0x7FFFE000, 0xFF800000, 0x7F800000, 0x80800000};
  CHECK(std::vector<std::uint32_t>(run.out.begin(), run.out.begin() + 8) == expected);
}

// The values are those of an H200.
TEST_CASE("emulator cp.async.bulk.tensor: im2col with padding and strides") {
  TensorMap map;
  map.type = CU_TENSOR_MAP_DATA_TYPE_UINT32;
  map.rank = 4;
  map.im2col = true;
  map.sizes = {4, 7, 6, 2, 1};
  map.strides = {16, 112, 672, 0};
  map.lower_corner = {-1, -1, 0};
  map.upper_corner = {-1, -2, 0};
  map.channels = 4;
  map.pixels = 30;
  map.element_strides = {1, 2, 2, 1, 1};
  std::vector<std::uint32_t> in = counted(4 * 7 * 6 * 2);
  for (std::uint32_t& value : in) value /= 4;
  const BulkRun run = run_bulk(
      "mov.s32 %r7, 0; mov.s32 %r8, -1; mov.u16 %h1, 1;\ncp.async.bulk.tensor.4d.shared::cluster.global.im2col"
      ".mbarrier::complete_tx::bytes [%r0], [%map, {%r7, %r8, %r8, %r7}], [bar], {%h1, %h1};\n" +
          wait_for(480) + dump_shared(),
      in, {}, &map);
  check_done(run);
  const std::uint32_t expected[30] = {0x0,  0x2,  0x4,  0x6,  0xE,  0x10, 0x12, 0x14, 0x1C, 0x1E,
                                      0x20, 0x22, 0x2A, 0x2C, 0x2E, 0x30, 0x38, 0x3A, 0x3C, 0x3E,
                                      0x46, 0x48, 0x4A, 0x4C, 0,    0,    0,    0,    0,    0};
  for (std::uint32_t pixel = 0; pixel < 30; ++pixel)
    for (std::uint32_t channel = 0; channel < 4; ++channel) CHECK(run.out[pixel * 4 + channel] == expected[pixel]);
  CHECK(run.out[120] == untouched);
}

// The innermost dimension counts slices of 16 bytes: as an H200 loads them.
TEST_CASE("emulator cp.async.bulk.tensor: an interleaved layout") {
  TensorMap map;
  map.type = CU_TENSOR_MAP_DATA_TYPE_UINT16;
  map.rank = 4;
  map.sizes = {20, 5, 2, 1, 1};
  map.strides = {512, 4096, 8192, 0};
  map.box = {8, 4, 1, 1, 1};
  map.element_strides = {3, 2, 1, 1, 1};
  map.interleave = CU_TENSOR_MAP_INTERLEAVE_16B;
  const BulkRun run = run_bulk(
      "mov.s32 %r7, 1; mov.s32 %r8, 0;\ncp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%r0], [%map, {%r7, %r8, %r8, %r8}], [bar];\n" +
          wait_for(96) + dump_shared(),
      counted(), {}, &map);
  check_done(run);
  for (std::uint32_t slice = 0; slice < 6; ++slice)
    for (std::uint32_t word = 0; word < 4; ++word)
      CHECK(run.out[slice * 4 + word] == slice / 3 * 256 + (1 + slice % 3 * 3) * 4 + word);
  CHECK(run.out[24] == untouched);
}

// W, H, slices of channels, N. As an H100 loads them: one slice, though the box asks for two.
TEST_CASE("emulator cp.async.bulk.tensor: a box of an interleaved layout has one slice of channels") {
  TensorMap map;
  map.type = CU_TENSOR_MAP_DATA_TYPE_UINT32;
  map.rank = 4;
  map.sizes = {6, 4, 3, 3, 1};
  map.strides = {256, 1024, 3072, 0};
  map.box = {4, 2, 2, 2, 1};
  map.element_strides = {1, 1, 1, 1, 1};
  map.interleave = CU_TENSOR_MAP_INTERLEAVE_16B;
  const BulkRun run = run_bulk(
      "mov.s32 %r7, 1;\ncp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%r0], [%map, {%r7, %r7, %r7, %r7}], [bar];\n" +
          wait_for(256) + dump_shared(),
      counted(), {}, &map);
  check_done(run);
  const std::uint32_t slices[] = {273, 274, 275, 276, 289, 290, 291, 292, 465, 466, 467, 468, 481, 482, 483, 484};
  for (std::uint32_t i = 0; i < 16; ++i) CHECK(run.out[i * 4] == slices[i] * 4);
  CHECK(run.out[64] == untouched);
}

TEST_CASE("emulator cp.async.bulk.tensor: the first pixel lies within the bounding box, as on a GPU") {
  TensorMap map;
  map.type = CU_TENSOR_MAP_DATA_TYPE_UINT32;
  map.im2col = true;
  map.rank = 3;
  map.sizes = {8, 6, 2, 1, 1};
  map.strides = {32, 192, 0, 0};
  map.element_strides = {1, 1, 1, 1, 1};
  map.lower_corner = {-1, 0, 0};
  map.upper_corner = {-2, 0, 0};
  map.channels = 4;
  map.pixels = 2;
  for (const int w : {-2, -1, 3, 4}) {
    const BulkRun run = run_bulk(
        "mov.s32 %r7, 0; mov.s32 %r8, " + std::to_string(w) +
            "; mov.u16 %h0, 0;\ncp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
            "[%r0], [%map, {%r7, %r8, %r7}], [bar], {%h0};\n" +
            wait_for(32) + dump_shared(),
        counted(), {}, &map);
    if (w == -1 || w == 3) {
      check_done(run);
      continue;
    }
    CHECK(run.outcome.result == CUDA_ERROR_ILLEGAL_INSTRUCTION);
    const std::string text = "the coordinate " + std::to_string(w) +
                             " of dimension 1 is outside of the map's bounding box, which goes from -1 to 3";
    CHECK_MESSAGE(run.outcome.report.find(text) != std::string::npos, run.outcome.report);
  }
}

TEST_CASE("emulator cp.async.bulk.tensor: pixels are stored by a map without corners, as on a GPU") {
  TensorMap map;
  map.type = CU_TENSOR_MAP_DATA_TYPE_UINT32;
  map.im2col = true;
  map.rank = 3;
  map.sizes = {8, 6, 2, 1, 1};
  map.strides = {32, 192, 0, 0};
  map.element_strides = {1, 1, 1, 1, 1};
  map.channels = 4;
  map.pixels = 2;
  const auto store = [&](int image) {
    return run_bulk(take_shared() + "mov.s32 %r7, 0; mov.s32 %r8, " + std::to_string(image) +
                        ";\ncp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group "
                        "[%map, {%r7, %r7, %r8}], [%r0];\ncp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
                    counted(), std::vector<std::uint32_t>(2048, 1000), &map, true);
  };
  const BulkRun run = store(1);
  check_done(run);
  CHECK(run.out[48] == 0);  // the first of image 1
  CHECK(run.out[56] == 4);
  const BulkRun before = store(-1);
  CHECK_MESSAGE(before.outcome.report.find("the coordinate -1, which must not be negative") != std::string::npos,
                before.outcome.report);
  map.upper_corner = {-1, 0, 0};
  const BulkRun cornered = store(1);
  CHECK(cornered.outcome.result == CUDA_ERROR_ILLEGAL_INSTRUCTION);
  const char* const text = "stores pixels by a map whose pixelBoxLowerCorner and pixelBoxUpperCorner are not all 0";
  CHECK_MESSAGE(cornered.outcome.report.find(text) != std::string::npos, cornered.outcome.report);
}

// The pixels of an interleaved layout go along W, H and then N, each of one slice.
TEST_CASE("emulator cp.async.bulk.tensor: im2col of an interleaved layout") {
  TensorMap map;
  map.type = CU_TENSOR_MAP_DATA_TYPE_UINT32;
  map.im2col = true;
  map.rank = 4;
  map.sizes = {6, 4, 3, 3, 1};
  map.strides = {256, 1024, 3072, 0};
  map.element_strides = {1, 1, 1, 1, 1};
  map.lower_corner = {-1, -1, 0};
  map.upper_corner = {-1, -1, 0};
  map.channels = 8;
  map.pixels = 12;
  map.interleave = CU_TENSOR_MAP_INTERLEAVE_32B;
  map.swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
  const BulkRun run = run_bulk(
      "mov.s32 %r7, 1; mov.s32 %r8, 0; mov.u16 %h0, 1; mov.u16 %h1, 0;\n"
      "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
      "[%r0], [%map, {%r7, %r7, %r7, %r8}], [bar], {%h0, %h1};\n" +
          wait_for(384) + dump_shared(),
      counted(), {}, &map);
  check_done(run);
  const std::uint32_t halves[] = {84,  85,  86,  87,  88,  89,  90,  91,  97, 96, 99, 98,
                                  101, 100, 103, 102, 104, 105, 106, 107, 0,  0,  0,  0};
  for (std::uint32_t i = 0; i < 24; ++i) CHECK(run.out[i * 4] == halves[i] * 4);
  CHECK(run.out[96] == untouched);
}

TEST_CASE("emulator cp.async.bulk.tensor: where a box cannot be stored, as on a GPU") {
  TensorMap map = matrix_map(8, 5);
  for (const std::string start : {"cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group",
                                  "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"})
    for (const auto& [x, y, text] : {std::tuple{-4, 0, "the coordinate -4, which must not be negative"},
                                     {0, -2, "the coordinate -2, which must not be negative"},
                                     {3, 0, "the innermost coordinate, 3, is no multiple of 16 bytes"}}) {
      const std::vector<std::uint32_t> old(2048, 1000);
      const BulkRun run =
          run_bulk(take_shared() + place(x, y) + start + " [%map, {%r7, %r8}], [%r0];", counted(), old, &map, true);
      CHECK(run.outcome.result == CUDA_ERROR_ILLEGAL_INSTRUCTION);
      CHECK_MESSAGE(run.outcome.report.find(text) != std::string::npos, run.outcome.report);
    }
}

TEST_CASE("emulator cp.async.bulk.tensor: stores and reductions leave what lies outside") {
  const std::string tail = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";
  for (const auto swizzle : {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B})
    for (const bool adds : {false, true})
      for (const auto& [x, y] : {std::pair{4, 2}, {16, 9}, {20, 0}, {0, 12}}) {
        TensorMap map = matrix_map(8, 5);
        map.swizzle = swizzle;
        const std::string start = adds ? "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group"
                                       : "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group";
        const std::vector<std::uint32_t> old(2048, 1000);
        const BulkRun run = run_bulk(take_shared() + place(x, y) + start + " [%map, {%r7, %r8}], [%r0];\n" + tail,
                                     counted(), old, &map, true);
        check_done(run);
        std::vector<std::uint32_t> expected = old;
        for (int i = 0; i < 40; ++i) {
          const int to_x = x + i % 8, to_y = y + i / 8;
          if (to_x < 0 || to_y < 0 || to_x >= int{columns} || to_y >= int{rows}) continue;
          const auto at = static_cast<std::uint32_t>(swizzled(static_cast<std::uint64_t>(i / 4 * 16), swizzle) / 4) +
                          static_cast<std::uint32_t>(i % 4);
          expected[static_cast<std::size_t>(to_y) * pitch + static_cast<std::size_t>(to_x)] = at + (adds ? 1000 : 0);
        }
        CHECK(run.out == expected);
      }
}

TEST_CASE("emulator tensormap.replace and tensormap.cp_fenceproxy change a map") {
  TensorMap map = matrix_map(8, 5);
  const BulkRun run = run_bulk(
      "add.u64 %d5, %in, 4096; tensormap.replace.tile.global_address.global.b1024.b64 [%map], %d5;\n"
      "tensormap.replace.tile.box_dim.global.b1024.b32 [%map], 1, 2;\n"
      "tensormap.replace.tile.global_dim.global.b1024.b32 [%map], 0, 6;\n"
      "mov.u64 %d6, 64; tensormap.replace.tile.global_stride.global.b1024.b64 [%map], 0, %d6;\n"
      "tensormap.replace.tile.element_stride.global.b1024.b32 [%map], 1, 1;\n"
      "tensormap.replace.tile.elemtype.global.b1024.b32 [%map], 7;\n"
      "tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%map], 0;\n"
      "tensormap.replace.tile.interleave_layout.global.b1024.b32 [%map], 0;\n"
      "tensormap.replace.tile.rank.global.b1024.b32 [%map], 1;\n"
      "tensormap.replace.tile.fill_mode.global.b1024.b32 [%map], 1;\n"
      "fence.proxy.tensormap::generic.release.gpu; fence.proxy.tensormap::generic.acquire.gpu [%map], 128;\n"
      "prefetch.tensormap [%map]; mov.s32 %r7, 0; mov.s32 %r8, 0;\n"
      "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%map, {%r7, %r8}];\n" +
          load_2d + wait_for(64) + dump_shared(),
      counted(), {}, &map);
  check_done(run);
  for (std::uint32_t i = 0; i < 16; ++i) CHECK(run.out[i] == (i % 8 < 6 ? 1024 + i / 8 * 16 + i % 8 : 0x7FF77FF7));
}

TEST_CASE("emulator tensor copies: maps and places that do not fit stop the kernel") {
  const TensorMap map = matrix_map(8, 5);
  const std::string wait = wait_for(160);
  check_fault("add.u64 %map, %in, 0;" + place(0, 0) + load_2d, map, CUDA_ERROR_ILLEGAL_INSTRUCTION, "no tensor map");
  check_fault("add.u64 %map, %map, 16;" + place(0, 0) + load_2d, map, CUDA_ERROR_MISALIGNED_ADDRESS,
              "the address of a tensor map");
  check_fault("add.u32 %r0, %r0, 16;" + place(0, 0) + load_2d, map, CUDA_ERROR_MISALIGNED_ADDRESS,
              "the place of a box in shared memory, 0x10");
  check_fault("add.u32 %r0, %r0, 8192;" + place(0, 0) + load_2d, map, CUDA_ERROR_ILLEGAL_ADDRESS, "shared memory");
  check_fault(place(1, 0) + load_2d, map, CUDA_ERROR_ILLEGAL_INSTRUCTION, "the innermost coordinate, 1,");
  check_fault(
      "mov.u32 %r7, 0; cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], "
      "[%map, {%r7}], [bar];",
      map, CUDA_ERROR_ILLEGAL_INSTRUCTION, "has 2 dimensions, and the instruction 1");
  check_fault("tensormap.replace.tile.element_stride.global.b1024.b32 [%map], 1, 9;", map,
              CUDA_ERROR_ILLEGAL_INSTRUCTION, "9 cannot be the element_stride of a tensor map, dimension 1");
  TensorMap distant = map;
  distant.sizes[1] = 4096;
  check_fault(place(0, 4000) + load_2d, distant, CUDA_ERROR_ILLEGAL_ADDRESS, "reads");
}

}  // namespace tensor_copies_test
