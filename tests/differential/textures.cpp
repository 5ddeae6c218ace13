#include "textures.hpp"

#include <cstring>

namespace differential {
namespace {

using kiln::AddressMode;
using kiln::FilterMode;

// Each thread reads one place; coordinates go beyond the texture on both sides.
const char* const source = R"(
__device__ float spread(unsigned word, float low, float high) { return low + (high - low) * float(word >> 8) * 0x1p-24F; }
#define I (blockIdx.x * blockDim.x + threadIdx.x)
template <class T> __device__ unsigned mixed(T v);
template <> __device__ unsigned mixed(float v) { return __float_as_uint(v); }
template <> __device__ unsigned mixed(unsigned v) { return v; }
template <> __device__ unsigned mixed(uchar4 v) { return v.x | v.y << 8 | v.z << 16 | unsigned(v.w) << 24; }

template <class T> __global__ void linear_fetch(cudaTextureObject_t t, const unsigned* in, unsigned* out, int n) {
  out[I] = mixed(tex1Dfetch<T>(t, int(in[I] % unsigned(n))));
}
template <class T> __global__ void one(cudaTextureObject_t t, const unsigned* in, unsigned* out, float low, float high) {
  out[I] = mixed(tex1D<T>(t, spread(in[I], low, high)));
}
template <class T> __global__ void two(cudaTextureObject_t t, const unsigned* in, unsigned* out, float low, float high) {
  out[I] = mixed(tex2D<T>(t, spread(in[I], low, high), spread(in[I] * 2654435761u, low, high)));
}
__global__ void three(cudaTextureObject_t t, const unsigned* in, unsigned* out, float low, float high) {
  out[I] = mixed(tex3D<float>(t, spread(in[I], low, high), spread(in[I] * 2654435761u, low, high), spread(in[I] * 40503u, low, high)));
}
__global__ void layered(cudaTextureObject_t t, const unsigned* in, unsigned* out, float low, float high) {
  out[I] = mixed(tex2DLayered<float>(t, spread(in[I], low, high), spread(in[I] * 2654435761u, low, high), int(in[I] % 5u) - 1));
}
__global__ void cube(cudaTextureObject_t t, const unsigned* in, unsigned* out, float low, float high) {
  out[I] = mixed(texCubemap<float>(t, spread(in[I], -1, 1), spread(in[I] * 2654435761u, -1, 1), spread(in[I] * 40503u, -1, 1)));
}
__global__ void gather(cudaTextureObject_t t, const unsigned* in, unsigned* out, float low, float high) {
  const float4 v = tex2Dgather<float4>(t, floorf(spread(in[I], low, high)) + 0.25F, floorf(spread(in[I] * 2654435761u, low, high)) + 0.75F, 0);
  out[I] = __float_as_uint(v.x) * 3 + __float_as_uint(v.y) * 5 + __float_as_uint(v.z) * 7 + __float_as_uint(v.w);
}
__global__ void levels(cudaTextureObject_t t, const unsigned* in, unsigned* out, float low, float high) {
  out[I] = mixed(tex2DLod<float>(t, spread(in[I], low, high), spread(in[I] * 2654435761u, low, high), float(in[I] % 4u)));
}
__global__ void levels_between(cudaTextureObject_t t, const unsigned* in, unsigned* out, float low, float high) {
  out[I] = mixed(tex2DLod<float>(t, spread(in[I], low, high), spread(in[I] * 2654435761u, low, high), spread(in[I] * 40503u, -1, 4)));
}
__global__ void slopes(cudaTextureObject_t t, const unsigned* in, unsigned* out, float low, float high) {
  const float s = exp2f(floorf(spread(in[I] * 40503u, -6, 0)));
  out[I] = mixed(tex2DGrad<float>(t, spread(in[I], low, high), spread(in[I] * 2654435761u, low, high), make_float2(s, 0), make_float2(0, s)));
}
__global__ void missing_channels(cudaTextureObject_t t, const unsigned* in, unsigned* out, float low, float high) {
  float x, y, z, w;
  asm("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(t), "f"(spread(in[I], low, high)), "f"(0.5F));
  out[I] = __float_as_uint(x) * 3 + __float_as_uint(y) * 5 + __float_as_uint(z) * 7 + __float_as_uint(w) * 11;
}
__global__ void one_of_four(cudaTextureObject_t t, const unsigned* in, unsigned* out, float low, float high) {
  const float4 v = tex2D<float4>(t, spread(in[I], low, high), spread(in[I] * 2654435761u, low, high));
  out[I] = __float_as_uint(I & 1 ? v.x : v.w);
}
__global__ void surface_edges(cudaSurfaceObject_t s, const unsigned* in, unsigned* out) {
  const int x = int(I % 16u), y = int(I / 16u);
  if (in[I] & 1) asm volatile("sust.b.2d.b32.zero [%0, {%1, %2}], {%3};" ::"l"(s), "r"((x - 2) * 4), "r"(y + 3), "r"(in[I]) : "memory");
  unsigned a, b;
  asm volatile("suld.b.2d.b32.zero {%0}, [%1, {%2, %3}];" : "=r"(a) : "l"(s), "r"((int(in[I] % 24u) - 20) * 4), "r"(y - 20));
  asm volatile("suld.b.2d.b32.clamp {%0}, [%1, {%2, %3}];" : "=r"(b) : "l"(s), "r"((-1 - x) * 4), "r"(-1));
  out[I] = a + b * 0;
}
__global__ void surface_sums(cudaSurfaceObject_t s, const unsigned* in, unsigned* out) {
  asm volatile("sured.b.2d.add.u32.trap [%0, {%1, %2}], %3;" ::"l"(s), "r"(int(in[I] % 16u) * 4), "r"(0), "r"(in[I] & 0xFFFFu) : "memory");
  asm volatile("sured.b.2d.max.s32.trap [%0, {%1, %2}], %3;" ::"l"(s), "r"(int(in[I] % 16u) * 4), "r"(1), "r"(in[I] & 0xFFFFu) : "memory");
}
__global__ void surface_copy(cudaSurfaceObject_t s, const unsigned* in, unsigned* out) {
  out[I] = surf2Dread<unsigned>(s, int(I % 16u) * 4, int(I / 16u));
}
__global__ void surfaces(cudaSurfaceObject_t s, const unsigned* in, unsigned* out) {
  const int x = int(I % 16u), y = int(I / 16u);
  surf2Dwrite(in[I] * 3u, s, x * 4, y);
  out[I] = surf2Dread<unsigned>(s, (int(in[I] % 20u) - 2) * 4, int(in[I] / 32u % 20u) - 2, cudaBoundaryModeZero) * unsigned(I == 0xFFFFFFFFu) +
           surf2Dread<unsigned>(s, x * 4, y);
}
)";

kiln::SourceModule& texture_module() {
  static kiln::SourceModule made(source);
  return made;
}

constexpr std::size_t items = 256;

template <class... More>
Words sampled(const std::string& kernel, const Words& input, const kiln::TextureObject& texture, More... more) {
  const kiln::DeviceBuffer<std::uint32_t> in(input);
  kiln::DeviceBuffer<std::uint32_t> out(Words(items, 0));
  texture_module().get_function(kernel)({items / 64, 64}, texture, in, out, more...);
  return out.to_host();
}

std::vector<float> floats_of(const Words& input, std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(input[i % input.size()] >> 8) * 0x1p-24F;
  return values;
}

kiln::TextureDescriptor described(FilterMode filter, AddressMode address, bool normalized) {
  kiln::TextureDescriptor made;
  made.filter_mode = filter;
  made.address_mode = {address, address, address};
  made.normalized_coords = normalized;
  made.border_color = {0.25F, 0.5F, 0.75F, 1.0F};
  return made;
}

HostProgram program(const std::string& name, Comparison comparison, std::function<Words(const Words&)> run) {
  HostProgram made;
  made.description.file = "textures";
  made.description.name = "texture_" + name;
  made.description.input = "bits";
  made.description.input_words = items;
  made.description.output_words = items;
  made.description.comparison = comparison;
  made.run = std::move(run);
  return made;
}

constexpr Comparison exact = {};
// A filter's weights have eight bits, and how a coordinate becomes one is not published: along each axis it may differ
// by one step. All elements are below 1.
constexpr Comparison filtered(int axes) { return {Comparison::Kind::f32_absolute, axes / 256.0}; }

HostProgram plane(const std::string& name, const std::string& kernel, FilterMode filter, AddressMode address,
                  bool normalized) {
  return program(name, filter == FilterMode::point ? exact : filtered(kernel == "one<float>" ? 1 : 2),
                 [=](const Words& input) {
                   const auto array = kernel == "one<float>" ? kiln::array_from(floats_of(input, 32), 32)
                                                             : kiln::array_from(floats_of(input, 16 * 16), 16, 16);
                   const kiln::TextureObject texture(array, described(filter, address, normalized));
                   const float size = kernel == "one<float>" ? 32.0F : 16.0F;
                   return sampled(kernel, input, texture, normalized ? -1.5F : -3.0F, normalized ? 2.5F : size + 3.0F);
                 });
}

void add_planes(std::vector<HostProgram>& all) {
  for (const auto& [kernel, word] : {std::pair<std::string, std::string>{"one<float>", "1d"}, {"two<float>", "2d"}}) {
    all.push_back(plane(word + "_point_clamp", kernel, FilterMode::point, AddressMode::clamp, false));
    all.push_back(plane(word + "_point_border", kernel, FilterMode::point, AddressMode::border, false));
    all.push_back(plane(word + "_point_wrap", kernel, FilterMode::point, AddressMode::wrap, true));
    all.push_back(plane(word + "_point_mirror", kernel, FilterMode::point, AddressMode::mirror, true));
    all.push_back(plane(word + "_linear_clamp", kernel, FilterMode::linear, AddressMode::clamp, false));
    all.push_back(plane(word + "_linear_border", kernel, FilterMode::linear, AddressMode::border, true));
    all.push_back(plane(word + "_linear_wrap", kernel, FilterMode::linear, AddressMode::wrap, true));
    all.push_back(plane(word + "_linear_mirror", kernel, FilterMode::linear, AddressMode::mirror, true));
  }
}

Words bytes_as_floats(const Words& input) {
  std::vector<unsigned char> values(256);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<unsigned char>(input[i]);
  kiln::TextureDescriptor descriptor = described(FilterMode::point, AddressMode::clamp, false);
  descriptor.read_mode = kiln::ReadMode::normalized_float;
  const kiln::TextureObject texture(kiln::array_from(values, 16, 16), descriptor);
  return sampled("two<float>", input, texture, 0.0F, 16.0F);
}

Words volume(const Words& input) {
  const kiln::TextureObject texture(kiln::array_from(floats_of(input, 512), 8, 8, 8),
                                    described(FilterMode::linear, AddressMode::clamp, false));
  return sampled("three", input, texture, -1.0F, 9.0F);
}

Words layers(const Words& input) {
  auto array = kiln::Array::make<float>(8, 8, 3, kiln::ArrayFlags::layered);
  array.copy_from(floats_of(input, 192));
  const kiln::TextureObject texture(array, described(FilterMode::point, AddressMode::clamp, false));
  return sampled("layered", input, texture, -1.0F, 9.0F);
}

Words cube_faces(const Words& input) {
  auto array = kiln::Array::make<float>(8, 8, 6, kiln::ArrayFlags::cubemap);
  array.copy_from(floats_of(input, 384));
  const kiln::TextureObject texture(array, described(FilterMode::point, AddressMode::clamp, true));
  return sampled("cube", input, texture, 0.0F, 1.0F);
}

Words gathered(const Words& input) {
  auto array = kiln::Array::make<float>(16, 16, 0, kiln::ArrayFlags::texture_gather);
  array.copy_from(floats_of(input, 256));
  const kiln::TextureObject texture(array, described(FilterMode::point, AddressMode::clamp, false));
  return sampled("gather", input, texture, -2.0F, 18.0F);
}

Words linear_memory(const Words& input) {
  const kiln::DeviceBuffer<unsigned> buffer(input);
  const kiln::TextureObject texture(buffer);
  return sampled("linear_fetch<unsigned>", input, texture, static_cast<int>(input.size()));
}

Words surface(const Words& input) {
  auto array = kiln::Array::make<unsigned>(16, 16, 0, kiln::ArrayFlags::surface_load_store);
  const kiln::SurfaceObject object(array);
  const kiln::DeviceBuffer<std::uint32_t> in(input);
  kiln::DeviceBuffer<std::uint32_t> out(Words(items, 0));
  texture_module().get_function("surfaces")({items / 64, 64}, object, in, out);
  return out.to_host();
}

kiln::MipmappedArray levels_of(const Words& input) {
  kiln::MipmappedArray levels(kiln::ArrayDescriptor::of<float>(16, 16), 4);
  for (unsigned level = 0; level < 4; ++level) {
    std::vector<float> values = floats_of(input, std::size_t{256} >> (2 * level));
    for (float& value : values) value = 0.25F * value + 0.25F * static_cast<float>(level);
    levels.level(level).copy_from(values);
  }
  return levels;
}

HostProgram mipmap(const std::string& name, const std::string& kernel, FilterMode filter, FilterMode between,
                   float bias) {
  const bool is_exact = filter == FilterMode::point && between == FilterMode::point;
  return program(name, is_exact ? exact : filtered(3), [=](const Words& input) {
    kiln::TextureDescriptor descriptor = described(filter, AddressMode::clamp, true);
    descriptor.mipmap_filter_mode = between;
    descriptor.mipmap_level_bias = bias;
    descriptor.min_mipmap_level_clamp = 0.25F;
    const kiln::TextureObject texture(levels_of(input), descriptor);
    return sampled(kernel, input, texture, 0.0F, 1.0F);
  });
}

// Places so near to an element's edge that the precision of the coordinate decides.
Words near_edges(const Words& input) {
  const kiln::TextureObject texture(kiln::array_from(floats_of(input, 256), 16, 16),
                                    described(FilterMode::point, AddressMode::clamp, false));
  return sampled("two<float>", input, texture, 3.998F, 4.002F);
}

Words near_edges_normalized(const Words& input) {
  const kiln::TextureObject texture(kiln::array_from(floats_of(input, 256), 16, 16),
                                    described(FilterMode::point, AddressMode::wrap, true));
  return sampled("two<float>", input, texture, 0.2499F, 0.2501F);
}

Words one_channel_of_four(const Words& input) {
  const kiln::TextureObject texture(kiln::array_from(floats_of(input, 256), 16, 16),
                                    described(FilterMode::point, AddressMode::border, false));
  return sampled("missing_channels", input, texture, -1.0F, 17.0F);
}

Words srgb(const Words& input) {
  std::vector<unsigned char> values(1024);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<unsigned char>(i / 4);
  auto array = kiln::Array(kiln::ArrayDescriptor{16, 16, 0, kiln::ArrayFormat::unsigned_int8, 4});
  array.copy_from(values);
  kiln::TextureDescriptor descriptor = described(FilterMode::point, AddressMode::clamp, false);
  descriptor.read_mode = kiln::ReadMode::normalized_float;
  descriptor.srgb = true;
  return sampled("one_of_four", input, kiln::TextureObject(array, descriptor), 0.0F, 16.0F);
}

Words surface_run(const Words& input, const std::vector<std::string>& kernels) {
  auto array = kiln::Array::make<unsigned>(16, 16, 0, kiln::ArrayFlags::surface_load_store);
  array.copy_from(Words(256, 7));
  const kiln::SurfaceObject object(array);
  const kiln::DeviceBuffer<std::uint32_t> in(input);
  kiln::DeviceBuffer<std::uint32_t> out(Words(items, 0));
  for (const std::string& kernel : kernels) texture_module().get_function(kernel)({items / 64, 64}, object, in, out);
  return out.to_host();
}

}  // namespace

std::vector<HostProgram> texture_programs() {
  std::vector<HostProgram> all;
  add_planes(all);
  all.push_back(program("bytes_as_floats", exact, bytes_as_floats));
  all.push_back(program("3d_linear", filtered(3), volume));
  all.push_back(program("layers", exact, layers));
  all.push_back(program("cube_faces", exact, cube_faces));
  all.push_back(program("gathered", exact, gathered));
  all.push_back(program("linear_memory", exact, linear_memory));
  all.push_back(program("surface", exact, surface));
  all.push_back(program("surface_edges", exact, [](const Words& in) { return surface_run(in, {"surface_edges"}); }));
  all.push_back(program("surface_sums", exact, [](const Words& in) {
    return surface_run(in, {"surface_sums", "surface_copy"});
  }));
  all.push_back(mipmap("levels_point", "levels", FilterMode::point, FilterMode::point, 0));
  all.push_back(mipmap("levels_biased", "levels", FilterMode::point, FilterMode::point, 1));
  all.push_back(mipmap("levels_linear", "levels_between", FilterMode::linear, FilterMode::linear, 0));
  all.push_back(mipmap("slopes", "slopes", FilterMode::point, FilterMode::point, 0));
  all.push_back(mipmap("plain_biased", "two<float>", FilterMode::point, FilterMode::point, 1));
  all.push_back(program("near_edges", exact, near_edges));
  all.push_back(program("near_edges_normalized", exact, near_edges_normalized));
  all.push_back(program("one_channel_of_four", exact, one_channel_of_four));
  // The texture unit's table of sRGB has few bits.
  all.push_back(program("srgb", {Comparison::Kind::f32_relative, 1.0 / 64}, srgb));
  return all;
}

}  // namespace differential
