#include "tensor_maps.hpp"

#include "tensor_walk.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace differential {
namespace {

using Type = kiln::TensorMapType;
using Swizzle = kiln::TensorMapSwizzle;

constexpr std::size_t words_of_case = tensor_bytes / 4;

const char* const common = R"(
#include <cuda.h>
__device__ unsigned address_of(const void* shared) { return static_cast<unsigned>(__cvta_generic_to_shared(shared)); }
#define ARGUMENTS const __grid_constant__ CUtensorMap map, const unsigned* in, unsigned* out, unsigned bytes, \
  unsigned place, int c0, int c1, int c2, int c3, int c4, int o0, int o1, int o2
)";

std::string coordinates(int rank) {
  std::string text;
  for (int i = 0; i < rank; ++i) text += (i == 0 ? "%" : ", %") + std::to_string(3 + i);
  return "{" + text + "}";
}

// Shared memory begins with a pattern and is stored as a whole.
std::string load_kernel(const std::string& mode, int rank) {
  const std::string number = std::to_string(rank);
  std::string offsets;
  for (int i = 0; mode == "im2col" && i < rank - 2; ++i) offsets += (i == 0 ? "%" : ", %") + std::to_string(8 + i);
  if (!offsets.empty()) offsets = ", {" + offsets + "}";
  return "extern \"C\" __global__ void load_" + mode + "_" + number + R"((ARGUMENTS) {
  __shared__ alignas(1024) unsigned words[2048];
  __shared__ unsigned long long barrier;
  for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) words[i] = i * 0x9E3779B1u;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address_of(&barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 ::"r"(address_of(&barrier)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.tensor.)" +
         number + "d.shared::cluster.global." + mode + ".mbarrier::complete_tx::bytes [%0], [%1, " + coordinates(rank) +
         "], [%2]" + offsets +
         R"(;" ::"r"(address_of(words) + place), "l"(&map), "r"(address_of(&barrier)), "r"(c0), "r"(c1),
                 "r"(c2), "r"(c3), "r"(c4), "h"(static_cast<short>(o0)), "h"(static_cast<short>(o1)),
                 "h"(static_cast<short>(o2)) : "memory");
  }
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(address_of(&barrier)) : "memory");
  for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) out[i] = words[i];
}
)";
}

// Shared memory has the words of `in`; the map is of other memory.
std::string store_kernel(const std::string& name, const std::string& instruction, int rank) {
  return "extern \"C\" __global__ void " + name + R"((ARGUMENTS) {
  __shared__ alignas(1024) unsigned words[2048];
  for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) words[i] = in[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile(")" +
         instruction + " [%1, " + coordinates(rank) +
         R"(], [%0];" ::"r"(address_of(words) + place), "l"(&map), "r"(0), "r"(c0),
                 "r"(c1), "r"(c2), "r"(c3), "r"(c4) : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
)";
}

const std::vector<std::string> operations = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};

const kiln::SourceModule& map_module() {
  static const kiln::SourceModule made([] {
    std::string source = common;
    const auto store = [&](const std::string& name, const std::string& start, const std::string& mode, int rank) {
      source += store_kernel(
          name + "_" + std::to_string(rank),
          start + ".async.bulk.tensor." + std::to_string(rank) + "d.global.shared::cta." + mode + ".bulk_group", rank);
    };
    for (int rank = 1; rank <= 5; ++rank) {
      source += load_kernel("tile", rank);
      store("store_tile", "cp", "tile", rank);
      if (rank < 3) continue;
      source += load_kernel("im2col", rank);
      store("store_im2col", "cp", "im2col_no_offs", rank);
    }
    for (const std::string& operation : operations) store("reduce_" + operation, "cp.reduce", operation + ".tile", 2);
    return source;
  }());
  return made;
}

void launch(const TensorCase& one, const std::string& kernel, const void* memory,
            const kiln::DeviceBuffer<std::uint32_t>& in, const kiln::DeviceBuffer<std::uint32_t>& out) {
  const auto at = [&](std::size_t i) { return i < one.at.size() ? one.at[i] : 0; };
  const auto offset = [&](std::size_t i) { return i < one.offsets.size() ? one.offsets[i] : 0; };
  const std::string name = kernel + "_" + std::to_string(one.rank());
  map_module().get_function(name)({1, 64}, one.map(memory), in, out, static_cast<unsigned>(one.bytes()), one.place,
                                  at(0), at(1), at(2), at(3), at(4), offset(0), offset(1), offset(2));
}

std::uint8_t* bytes_of(Words& words, std::size_t row = 0) {
  return reinterpret_cast<std::uint8_t*>(words.data()) + row * tensor_bytes;
}
const std::uint8_t* bytes_of(const Words& words) { return reinterpret_cast<const std::uint8_t*>(words.data()); }

HostProgram described(const std::string& name, std::size_t rows, const std::string& input = "bits") {
  HostProgram made;
  made.description.file = "tensor_maps";
  made.description.name = "tensor_" + name;
  made.description.input = input;
  made.description.input_words = 2 * words_of_case;
  made.description.output_words = rows * words_of_case;
  made.description.rows = rows;
  made.description.for_hopper = true;
  return made;
}

/// To the nearest number of ten bits of mantissa, of two the even one; there is one NaN.
std::uint32_t rounded_to_tf32(std::uint32_t bits) {
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return 0x7FFFE000;
  return (bits + 0xFFF + (bits >> 13 & 1)) & ~0x1FFFu;
}

/// Each case loads from the input's first half.
HostProgram loads(const std::string& name, const std::vector<TensorCase>& cases, const std::string& input = "bits") {
  HostProgram made = described(name, cases.size(), input);
  made.run = [=](const Words& words) {
    const kiln::DeviceBuffer<std::uint32_t> in(words), out(Words(words_of_case, 0));
    Words all;
    for (const TensorCase& one : cases) {
      launch(one, one.is_im2col() ? "load_im2col" : "load_tile", in.data(), in, out);
      const Words found = out.to_host();
      all.insert(all.end(), found.begin(), found.end());
    }
    return all;
  };
  made.expected = [=](const Words& words) {
    Words all(cases.size() * words_of_case);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint32_t>(i % words_of_case) * 0x9E3779B1u;
    for (std::size_t row = 0; row < cases.size(); ++row)
      for (const auto& [shared, global] : bytes_moved(cases[row])) {
        const bool is_nan = cases[row].tiled.out_of_bounds_fill == kiln::TensorMapFill::nan;
        const auto fill = static_cast<std::uint8_t>(!is_nan ? 0 : shared % 2 == 0 ? 0xF7 : 0x7F);
        bytes_of(all, row)[shared] = global < 0 ? fill : bytes_of(words)[global];
      }
    for (std::size_t row = 0; row < cases.size(); ++row) {
      if (cases[row].tiled.type != Type::tfloat32 && cases[row].tiled.type != Type::tfloat32_ftz) continue;
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(row * words_of_case);
      std::transform(first, first + static_cast<std::ptrdiff_t>(cases[row].bytes() / 4), first, rounded_to_tf32);
    }
    return all;
  };
  return made;
}

/// What a reduction makes of an element.
template <class T>
void reduce(const std::string& operation, std::uint8_t* to, const std::uint8_t* from) {
  T a, b;
  std::memcpy(&a, to, sizeof a);
  std::memcpy(&b, from, sizeof b);
  if (operation == "add") a = static_cast<T>(a + b);
  if (operation == "min") a = std::min(a, b);
  if (operation == "max") a = std::max(a, b);
  if constexpr (std::is_unsigned_v<T>) {
    if (operation == "inc") a = a >= b ? 0 : a + 1;
    if (operation == "dec") a = a == 0 || a > b ? b : a - 1;
    if (operation == "and") a &= b;
    if (operation == "or") a |= b;
    if (operation == "xor") a ^= b;
  }
  std::memcpy(to, &a, sizeof a);
}

using Reduce = void (*)(const std::string&, std::uint8_t*, const std::uint8_t*);

Reduce reduction_of(Type type) {
  switch (type) {
    case Type::uint32:
      return reduce<std::uint32_t>;
    case Type::int32:
      return reduce<std::int32_t>;
    case Type::uint64:
      return reduce<std::uint64_t>;
    case Type::int64:
      return reduce<std::int64_t>;
    default:
      return nullptr;
  }
}

/// Each case stores the input's first half to the second, or adds it there or the like.
HostProgram stores(const std::string& name, const std::vector<TensorCase>& cases) {
  HostProgram made = described(name, cases.size());
  made.run = [=](const Words& words) {
    const kiln::DeviceBuffer<std::uint32_t> in(words);
    Words all;
    for (const TensorCase& one : cases) {
      const kiln::DeviceBuffer<std::uint32_t> target(Words(words.begin() + words_of_case, words.end()));
      const std::string kernel = one.is_im2col()         ? "store_im2col"
                                 : one.operation.empty() ? "store_tile"
                                                         : "reduce_" + one.operation;
      launch(one, kernel, target.data(), in, target);
      const Words found = target.to_host();
      all.insert(all.end(), found.begin(), found.end());
    }
    return all;
  };
  made.expected = [=](const Words& words) {
    Words all;
    for (const TensorCase& one : cases) {
      Words target(words.begin() + words_of_case, words.end());
      const unsigned size = one.operation.empty() ? 1 : one.unit();
      std::size_t byte = 0;
      for (const auto& [shared, global] : bytes_moved(one)) {
        if (byte++ % size != 0 || global < 0) continue;
        if (one.operation.empty())
          bytes_of(target)[global] = bytes_of(words)[shared];
        else
          reduction_of(one.tiled.type)(one.operation, bytes_of(target) + global, bytes_of(words) + shared);
      }
      all.insert(all.end(), target.begin(), target.end());
    }
    return all;
  };
  return made;
}

TensorCase tile(Type type, std::vector<std::uint64_t> sizes, std::vector<std::uint64_t> strides,
                std::vector<std::uint32_t> box) {
  TensorCase made;
  made.tiled.type = type;
  made.tiled.sizes = std::move(sizes);
  made.tiled.strides = std::move(strides);
  made.tiled.box = std::move(box);
  return made;
}

/// One of each rank.
std::vector<TensorCase> tiles() {
  return {tile(Type::uint32, {500}, {}, {64}), tile(Type::uint16, {40, 30}, {96}, {16, 12}),
          tile(Type::uint8, {32, 8, 6}, {48, 432}, {16, 3, 4}),
          tile(Type::int32, {8, 5, 4, 3}, {32, 160, 640}, {4, 3, 2, 2}),
          tile(Type::uint64, {4, 3, 4, 3, 2}, {32, 96, 384, 1152}, {2, 2, 3, 2, 2})};
}

std::vector<TensorCase> placed(const std::vector<TensorCase>& shapes, const std::vector<std::vector<int>>& places) {
  std::vector<TensorCase> made;
  for (TensorCase one : shapes)
    for (const std::vector<int>& each : places) {
      one.at = each;
      // In elements: the first dimension moves by 16 bytes.
      one.at[0] *= static_cast<int>(16 / one.unit());
      one.at.resize(one.tiled.sizes.size());
      made.push_back(one);
    }
  return made;
}

std::vector<TensorCase> swizzles(const std::vector<std::vector<int>>& places) {
  std::vector<TensorCase> made;
  for (const auto& [swizzle, span] : {std::pair<Swizzle, std::uint32_t>{Swizzle::none, 128u},
                                      {Swizzle::swizzle_32b, 32},
                                      {Swizzle::swizzle_64b, 64},
                                      {Swizzle::swizzle_128b, 128}})
    for (const unsigned place : {0u, 128u, 384u, 640u, 1920u}) {
      TensorCase one = tile(place % 256 == 0 ? Type::uint16 : Type::uint32, {48, 20}, {256}, {span / 4, 12});
      if (one.tiled.type == Type::uint16) one.tiled.box[0] *= 2, one.tiled.sizes[0] *= 2;
      one.tiled.swizzle = swizzle;
      one.place = place;
      for (const TensorCase& each : placed({one}, places)) made.push_back(each);
    }
  return made;
}

using Interleave = kiln::TensorMapInterleave;

struct Interleaving {
  Interleave interleave;
  Swizzle swizzle;
};
const std::vector<Interleaving> interleavings = {{Interleave::interleave_16b, Swizzle::none},
                                                 {Interleave::interleave_16b, Swizzle::swizzle_32b},
                                                 {Interleave::interleave_32b, Swizzle::swizzle_32b}};

/// Boxes of every rank. Two ask for more than one slice of channels, and get one.
std::vector<TensorCase> interleaves(const std::vector<std::vector<int>>& places, bool strided = false) {
  const std::vector<std::vector<std::uint32_t>> boxes = {{4, 2, 1},    {4, 3, 2},       {4, 3, 1, 1},
                                                         {4, 2, 2, 2}, {4, 2, 1, 1, 1}, {4, 2, 2, 1, 2}};
  std::vector<TensorCase> made;
  for (const auto& [interleave, swizzle] : interleavings)
    for (const std::vector<std::uint32_t>& box : boxes) {
      TensorCase one = tile(Type::uint32, {6, 4, 2, 2, 2}, {192, 768, 1536, 3072}, box);
      one.tiled.sizes.resize(box.size());
      one.tiled.strides.resize(box.size() - 1);
      one.tiled.interleave = interleave;
      one.tiled.swizzle = swizzle;
      if (strided) {
        one.tiled.element_strides = {2, 1, 1, 2, 1};
        one.tiled.element_strides.resize(box.size());
      }
      for (const std::vector<int>& at : places) {
        one.at = at;
        one.at.resize(box.size());
        made.push_back(one);
      }
    }
  return made;
}

std::vector<TensorCase> interleaved_pixels(bool stored = false) {
  std::vector<TensorCase> made;
  for (const auto& [interleave, swizzle] : interleavings)
    for (std::size_t rank = 3; rank <= 5; ++rank) {
      TensorCase one;
      auto& map = one.pixels;
      map.type = Type::uint16;
      map.sizes = {6, 4, 2, 2, 2};
      map.strides = {192, 768, 1536, 3072};
      map.sizes.resize(rank);
      map.strides.resize(rank - 1);
      map.interleave = interleave;
      map.swizzle = swizzle;
      map.lower_corner = stored ? std::vector<int>{0, 0, 0} : std::vector<int>{-1, 0, -1};
      map.upper_corner = stored ? std::vector<int>{0, 0, 0} : std::vector<int>{-1, 0, 0};
      map.lower_corner.resize(rank - 2);
      map.upper_corner.resize(rank - 2);
      map.channels_per_pixel = 16;
      map.pixels_per_column = 21;
      // Of W, H, D: within the corners. Slices and images follow.
      for (const std::vector<int>& at : {std::vector<int>{0, 0, 0}, {1, 1, 1}, {-1, 0, -1}})
        for (const int offset : {0, 1}) {
          if (stored && (at[0] < 0 || offset != 0)) continue;
          one.at = at;
          one.at.resize(rank - 2);
          one.at.insert(one.at.end(), {1 - at[0] % 2, offset});
          one.offsets = {offset, 1 - offset, offset};
          one.offsets.resize(stored ? 0 : rank - 2);
          made.push_back(one);
        }
    }
  return made;
}

std::vector<TensorCase> with_element_strides() {
  std::vector<TensorCase> shapes = tiles();
  shapes.erase(shapes.begin());
  for (TensorCase& one : shapes) {
    one.tiled.element_strides = {1, 2, 3, 1, 2};
    one.tiled.element_strides.resize(one.tiled.sizes.size());
  }
  return placed(shapes, {{0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}, {-1, -1, -2, 0, -1}});
}

std::vector<TensorCase> with_nan() {
  std::vector<TensorCase> shapes;
  for (const Type type : {Type::float16, Type::bfloat16, Type::float32, Type::float64}) {
    shapes.push_back(tile(type, {16, 6}, {160}, {8, 4}));
    shapes.back().tiled.out_of_bounds_fill = kiln::TensorMapFill::nan;
  }
  // Within the tensor what is loaded may be any bits.
  return placed(shapes, {{1, 1}, {-1, -2}, {1, 4}});
}

std::vector<TensorCase> conversions() {
  std::vector<TensorCase> shapes;
  for (const Type type : {Type::float32, Type::float32_ftz, Type::tfloat32, Type::tfloat32_ftz})
    shapes.push_back(tile(type, {2000}, {}, {256}));
  return placed(shapes, {{0}, {64}, {128}, {192}});
}

std::vector<TensorCase> pixels(std::size_t rank) {
  std::vector<TensorCase> made;
  for (const bool strided : {false, true}) {
    TensorCase one;
    auto& map = one.pixels;
    map.type = Type::uint16;
    map.sizes = rank == 3   ? std::vector<std::uint64_t>{24, 20, 4}
                : rank == 4 ? std::vector<std::uint64_t>{16, 7, 6, 3}
                            : std::vector<std::uint64_t>{8, 6, 5, 4, 2};
    const std::vector<int> lower = {-1, -2, 0}, upper = {-1, 1, -2};
    map.lower_corner.assign(lower.begin(), lower.begin() + static_cast<std::ptrdiff_t>(rank - 2));
    map.upper_corner.assign(upper.begin(), upper.begin() + static_cast<std::ptrdiff_t>(rank - 2));
    map.channels_per_pixel = 8;
    map.pixels_per_column = 40;
    map.element_strides = {1, 2, 1, 2, 1};
    map.element_strides.resize(rank);
    map.element_strides.back() = 1;
    if (!strided) map.element_strides = {};
    for (int where = 0; where < 3; ++where)
      for (const int offset : {0, 1, 2}) {
        one.at = {rank == 5 ? 0 : 8 * (where % 2), where - 1, where - 2, where % 2, 0};
        one.at.resize(rank);
        one.at.back() = where % 2;
        one.offsets = {offset, 2 - offset, offset};
        one.offsets.resize(rank - 2);
        made.push_back(one);
      }
  }
  return made;
}

std::vector<TensorCase> stored_pixels() {
  std::vector<TensorCase> made;
  for (std::size_t rank = 3; rank <= 5; ++rank) {
    TensorCase one = pixels(rank).front();
    one.offsets.clear();
    one.pixels.lower_corner.assign(rank - 2, 0);
    one.pixels.upper_corner.assign(rank - 2, 0);
    for (const int where : {0, 1, 3}) {
      one.at.assign(rank, where);
      one.at.front() = 0;
      one.at.back() = 0;
      made.push_back(one);
    }
  }
  return made;
}

std::vector<TensorCase> reductions(const std::vector<std::pair<Type, std::vector<std::string>>>& kinds) {
  std::vector<TensorCase> made;
  for (const auto& [type, names] : kinds)
    for (const std::string& operation : names) {
      const bool is_wide = type == Type::uint64 || type == Type::int64;
      TensorCase one = tile(type, {is_wide ? 12u : 24u, 10}, {112}, {is_wide ? 8u : 16u, 6});
      one.operation = operation;
      for (const TensorCase& each : placed({one}, {{0, 0}, {3, 5}})) made.push_back(each);
    }
  return made;
}

}  // namespace

std::vector<HostProgram> tensor_map_programs() {
  std::vector<HostProgram> all;
  all.push_back(
      loads("tiles", placed(tiles(), {{0, 0, 0, 0, 0}, {1, 2, 3, 1, 1}, {-1, -1, -1, 2, 1}, {3, 20, 1, 0, -1}})));
  all.push_back(loads("swizzles", swizzles({{0, 0}, {3, 5}, {-1, -3}})));
  const std::vector<std::vector<int>> inside = {{0, 0, 0, 0, 0}, {4, 1, 1, 1, 0}};
  const std::vector<std::vector<int>> both = {{0, 0, 0, 0, 0}, {4, 1, 1, 1, 0}, {-2, -1, 0, 0, 1}};
  all.push_back(loads("interleaves", interleaves(both)));
  all.push_back(loads("interleaves_strided", interleaves(both, true)));
  all.push_back(loads("interleaved_pixels", interleaved_pixels()));
  all.push_back(loads("element_strides", with_element_strides()));
  all.push_back(loads("nan", with_nan()));
  all.push_back(loads("conversions", conversions(), "f32"));
  for (std::size_t rank = 3; rank <= 5; ++rank) all.push_back(loads("pixels_" + std::to_string(rank), pixels(rank)));
  all.push_back(stores("stores", placed(tiles(), {{0, 0, 0, 0, 0}, {1, 2, 3, 1, 1}, {1, 20, 1, 0, 0}})));
  all.push_back(stores("swizzled_stores", swizzles({{0, 0}, {3, 5}})));
  all.push_back(stores("stored_pixels", stored_pixels()));
  all.push_back(stores("interleaved_stores", interleaves(inside)));
  all.push_back(stores("stored_interleaved_pixels", interleaved_pixels(true)));
  all.push_back(stores("reductions", reductions({{Type::uint32, operations},
                                                 {Type::int32, {"add", "min", "max"}},
                                                 {Type::uint64, {"add", "min", "max", "and", "or", "xor"}},
                                                 {Type::int64, {"min", "max"}}})));
  return all;
}

}  // namespace differential
