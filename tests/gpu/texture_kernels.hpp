// The kernels that the tests of textures read with, and how they are called.
#pragma once

#include <kiln/kiln.hpp>

#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace kiln::test {

inline SourceModule& texture_module() {
  static SourceModule module(R"(
template <class T> __global__ void read_1d(cudaTextureObject_t t, T* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = tex1D<T>(t, i + 0.5f);
}
template <class T> __global__ void read_2d(cudaTextureObject_t t, T* out, int w, int h) {
  for (int i = threadIdx.x; i < w * h; i += blockDim.x) out[i] = tex2D<T>(t, i % w + 0.5f, i / w + 0.5f);
}
template <class T> __global__ void read_3d(cudaTextureObject_t t, T* out, int w, int h, int d) {
  for (int i = threadIdx.x; i < w * h * d; i += blockDim.x)
    out[i] = tex3D<T>(t, i % w + 0.5f, i / w % h + 0.5f, i / (w * h) + 0.5f);
}
template <class V, class S, int n> __global__ void read_channels(cudaTextureObject_t t, double* out, int elements) {
  for (int i = threadIdx.x; i < elements; i += blockDim.x) {
    V value = tex1D<V>(t, i + 0.5f);
    for (int c = 0; c < n; ++c) out[i * n + c] = reinterpret_cast<S*>(&value)[c];
  }
}
template <class T> __global__ void fetch(cudaTextureObject_t t, T* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = tex1Dfetch<T>(t, i);
}
__global__ void fetch_float4(cudaTextureObject_t t, float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float4 v = tex1Dfetch<float4>(t, i);
    out[4 * i] = v.x; out[4 * i + 1] = v.y; out[4 * i + 2] = v.z; out[4 * i + 3] = v.w;
  }
}
__global__ void read_float4(cudaTextureObject_t t, float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float4 v = tex1D<float4>(t, i + 0.5f);
    out[4 * i] = v.x; out[4 * i + 1] = v.y; out[4 * i + 2] = v.z; out[4 * i + 3] = v.w;
  }
}
__global__ void read_float4_2d(cudaTextureObject_t t, float* out, int w, int h) {
  for (int i = threadIdx.x; i < w * h; i += blockDim.x) {
    float4 v = tex2D<float4>(t, i % w + 0.5f, i / w + 0.5f);
    out[4 * i] = v.x; out[4 * i + 1] = v.y; out[4 * i + 2] = v.z; out[4 * i + 3] = v.w;
  }
}
__global__ void read_double(cudaTextureObject_t t, double* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int2 v = tex1D<int2>(t, i + 0.5f);
    out[i] = __hiloint2double(v.y, v.x);
  }
}
__global__ void read_1d_layered(cudaTextureObject_t t, float* out, int w, int layers) {
  for (int i = threadIdx.x; i < w * layers; i += blockDim.x) out[i] = tex1DLayered<float>(t, i % w + 0.5f, i / w);
}
__global__ void read_2d_layered(cudaTextureObject_t t, float* out, int w, int h, int layers) {
  for (int i = threadIdx.x; i < w * h * layers; i += blockDim.x)
    out[i] = tex2DLayered<float>(t, i % w + 0.5f, i / w % h + 0.5f, i / (w * h));
}
__global__ void gather(cudaTextureObject_t t, float* out) {
  if (threadIdx.x != 0) return;
  float4 v = tex2Dgather<float4>(t, 1.0f, 1.0f, 0);
  out[0] = v.x; out[1] = v.y; out[2] = v.z; out[3] = v.w;
}

__global__ void sample_1d(cudaTextureObject_t t, float* out, const float* at, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = tex1D<float>(t, at[i]);
}
__global__ void sample_2d(cudaTextureObject_t t, float* out, const float* at, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = tex2D<float>(t, at[2 * i], at[2 * i + 1]);
}
__global__ void sample_3d(cudaTextureObject_t t, float* out, const float* at, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = tex3D<float>(t, at[3 * i], at[3 * i + 1], at[3 * i + 2]);
}
__global__ void sample_cubemap(cudaTextureObject_t t, float* out, const float* at, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = texCubemap<float>(t, at[3 * i], at[3 * i + 1], at[3 * i + 2]);
}
__global__ void sample_second_cubemap(cudaTextureObject_t t, float* out, const float* at, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = texCubemapLayered<float>(t, at[3 * i], at[3 * i + 1], at[3 * i + 2], 1);
}
__global__ void sample_levels(cudaTextureObject_t t, float* out, const float* at, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = tex2DLod<float>(t, 0.5f, 0.5f, at[i]);
}
__global__ void sample_gradient(cudaTextureObject_t t, float* out, const float* at, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = tex2DGrad<float>(t, at[2 * i], at[2 * i + 1], make_float2(0.5f, 0), make_float2(0, 0.125f));
}

__global__ void write_1d(cudaSurfaceObject_t s, int w) {
  for (int i = threadIdx.x; i < w; i += blockDim.x) surf1Dwrite(float(i), s, i * 4);
}
__global__ void write_2d(cudaSurfaceObject_t s, int w, int h) {
  for (int i = threadIdx.x; i < w * h; i += blockDim.x) surf2Dwrite(float(i), s, i % w * 4, i / w);
}
__global__ void write_3d(cudaSurfaceObject_t s, int w, int h, int d) {
  for (int i = threadIdx.x; i < w * h * d; i += blockDim.x)
    surf3Dwrite(float(i), s, i % w * 4, i / w % h, i / (w * h));
}
__global__ void write_2d_layered(cudaSurfaceObject_t s, int w, int h, int layers) {
  for (int i = threadIdx.x; i < w * h * layers; i += blockDim.x)
    surf2DLayeredwrite(float(i), s, i % w * 4, i / w % h, i / (w * h));
}
__global__ void write_cubemap(cudaSurfaceObject_t s, int w) {
  for (int i = threadIdx.x; i < w * w * 6; i += blockDim.x)
    surfCubemapwrite(float(i), s, i % w * 4, i / w % w, i / (w * w));
}
__global__ void double_2d(cudaSurfaceObject_t s, int w, int h) {
  for (int i = threadIdx.x; i < w * h; i += blockDim.x)
    surf2Dwrite(2 * surf2Dread<float>(s, i % w * 4, i / w), s, i % w * 4, i / w);
}
)");
  return module;
}

/// first, first + 1, ...
inline std::vector<float> ramp(std::size_t size, float first = 0) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), first);
  return values;
}

/// The `count` values that a kernel reads from a texture.
template <class T, class... Sizes>
std::vector<T> read(const std::string& kernel, const TextureObject& texture, std::size_t count, Sizes... sizes) {
  const DeviceBuffer<T> out(std::vector<T>(count, T{}));
  texture_module().get_function(kernel)({1, 32}, texture, out, sizes...);
  return out.to_host();
}

/// What a kernel samples at these places, of so many coordinates each.
inline std::vector<float> sample(const std::string& kernel, const TextureObject& texture,
                                 const std::vector<float>& places, std::size_t coordinates) {
  const DeviceBuffer<float> at(places);
  const DeviceBuffer<float> out(std::vector<float>(places.size() / coordinates));
  texture_module().get_function(kernel)({1, 32}, texture, out, at, static_cast<int>(out.size()));
  return out.to_host();
}

}  // namespace kiln::test
