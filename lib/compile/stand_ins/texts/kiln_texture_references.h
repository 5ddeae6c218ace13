// The texture references that CUDA 12 removed: the class template `texture` under another name, and its fetches.
// lib/module/reference_variable.hpp reads the variables: both change together, with the mark.
#ifndef KILN_TEXTURE_REFERENCES_H
#define KILN_TEXTURE_REFERENCES_H

extern "C++" {  // PyCUDA wraps sources in extern "C"

/// What one channel is made of, by CUarray_format's number.
template <class Channel>
struct kiln_channel {};
template <>
struct kiln_channel<unsigned char> {
  enum { format = 0x01 };
};
template <>
struct kiln_channel<unsigned short> {
  enum { format = 0x02 };
};
template <>
struct kiln_channel<unsigned int> {
  enum { format = 0x03 };
};
template <>
struct kiln_channel<char> {
  enum { format = 0x08 };
};
template <>
struct kiln_channel<signed char> {
  enum { format = 0x08 };
};
template <>
struct kiln_channel<short> {
  enum { format = 0x09 };
};
template <>
struct kiln_channel<int> {
  enum { format = 0x0a };
};
template <>
struct kiln_channel<float> {
  enum { format = 0x20 };
};

/// The channels of an element: of a scalar, or of a vector type such as float4.
template <class>
struct kiln_void {
  typedef void type;
};
template <class T, class = void>
struct kiln_element {
  typedef T channel;
  enum { format = kiln_channel<T>::format, channels = 1 };
};
template <class T>
struct kiln_element<T, typename kiln_void<decltype(T::x)>::type> {
  typedef decltype(T::x) channel;
  enum { format = kiln_channel<channel>::format, channels = sizeof(T) / sizeof(channel) };
};

/// What a fetch gives: the element, or floats between 0 or -1 and 1.
template <class T, enum cudaTextureReadMode mode>
struct kiln_texel {
  typedef T type;
};
template <class T, int channels, bool is_vector>
struct kiln_floats {
  typedef float type;
};
template <class T>
struct kiln_floats<T, 1, true> {
  typedef float1 type;
};
template <class T>
struct kiln_floats<T, 2, true> {
  typedef float2 type;
};
template <class T>
struct kiln_floats<T, 4, true> {
  typedef float4 type;
};
template <class T, class Channel>
struct kiln_differs {
  enum { value = 1 };
};
template <class T>
struct kiln_differs<T, T> {
  enum { value = 0 };
};
template <class T>
struct kiln_texel<T, cudaReadModeNormalizedFloat> {
  typedef typename kiln_floats<T, kiln_element<T>::channels,
                               kiln_differs<T, typename kiln_element<T>::channel>::value != 0>::type type;
};

/// What tex2Dgather gives: one channel of four elements.
template <class Channel>
struct kiln_four {
  typedef float4 type;
};
template <>
struct kiln_four<char> {
  typedef char4 type;
};
template <>
struct kiln_four<signed char> {
  typedef char4 type;
};
template <>
struct kiln_four<unsigned char> {
  typedef uchar4 type;
};
template <>
struct kiln_four<short> {
  typedef short4 type;
};
template <>
struct kiln_four<unsigned short> {
  typedef ushort4 type;
};
template <>
struct kiln_four<int> {
  typedef int4 type;
};
template <>
struct kiln_four<unsigned int> {
  typedef uint4 type;
};
template <class T, enum cudaTextureReadMode mode>
struct kiln_gathered {
  typedef typename kiln_four<typename kiln_element<T>::channel>::type type;
};
template <class T>
struct kiln_gathered<T, cudaReadModeNormalizedFloat> {
  typedef float4 type;
};

/// A texture reference. The host stores a texture object in the first member, and reads all others.
template <class T, int dimensions = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct kiln_texture {
  static_assert(kiln_element<T>::channels != 3, "a texture<> has elements of 1, 2 or 4 channels: use float4 for float3");
  cudaTextureObject_t object;
  unsigned long long mark;  // "kilnref" and the version of this layout
  unsigned char kind;       // 1 for a texture, 2 for a surface
  unsigned char type;       // cudaTextureType1D and so on
  unsigned char format;     // CUarray_format
  unsigned char channels;
  unsigned char reads_floats;
  unsigned char normalized;
  unsigned char filter_mode;
  unsigned char address_mode;  // in all dimensions

  __host__ __device__ explicit constexpr kiln_texture(int normalized_coordinates = 0,
                                                      enum cudaTextureFilterMode filter = cudaFilterModePoint,
                                                      enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : object(0),
        mark(0x016665726e6c696bULL),
        kind(1),
        type(dimensions),
        format(kiln_element<T>::format),
        channels(kiln_element<T>::channels),
        reads_floats(mode == cudaReadModeNormalizedFloat),
        normalized(normalized_coordinates != 0),
        filter_mode(static_cast<unsigned char>(filter)),
        address_mode(static_cast<unsigned char>(address)) {}
};

// Fetches

template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex1Dfetch(
    const kiln_texture<T, cudaTextureType1D, mode>& reference, int x) {
  return tex1Dfetch<typename kiln_texel<T, mode>::type>(reference.object, x);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex1D(
    const kiln_texture<T, cudaTextureType1D, mode>& reference, float x) {
  return tex1D<typename kiln_texel<T, mode>::type>(reference.object, x);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex2D(
    const kiln_texture<T, cudaTextureType2D, mode>& reference, float x, float y) {
  return tex2D<typename kiln_texel<T, mode>::type>(reference.object, x, y);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex3D(
    const kiln_texture<T, cudaTextureType3D, mode>& reference, float x, float y, float z) {
  return tex3D<typename kiln_texel<T, mode>::type>(reference.object, x, y, z);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex1DLayered(
    const kiln_texture<T, cudaTextureType1DLayered, mode>& reference, float x, int layer) {
  return tex1DLayered<typename kiln_texel<T, mode>::type>(reference.object, x, layer);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex2DLayered(
    const kiln_texture<T, cudaTextureType2DLayered, mode>& reference, float x, float y, int layer) {
  return tex2DLayered<typename kiln_texel<T, mode>::type>(reference.object, x, y, layer);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type texCubemap(
    const kiln_texture<T, cudaTextureTypeCubemap, mode>& reference, float x, float y, float z) {
  return texCubemap<typename kiln_texel<T, mode>::type>(reference.object, x, y, z);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type texCubemapLayered(
    const kiln_texture<T, cudaTextureTypeCubemapLayered, mode>& reference, float x, float y, float z, int layer) {
  return texCubemapLayered<typename kiln_texel<T, mode>::type>(reference.object, x, y, z, layer);
}
// At a level of a mip map

template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex1DLod(
    const kiln_texture<T, cudaTextureType1D, mode>& reference, float x, float level) {
  return tex1DLod<typename kiln_texel<T, mode>::type>(reference.object, x, level);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex2DLod(
    const kiln_texture<T, cudaTextureType2D, mode>& reference, float x, float y, float level) {
  return tex2DLod<typename kiln_texel<T, mode>::type>(reference.object, x, y, level);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex3DLod(
    const kiln_texture<T, cudaTextureType3D, mode>& reference, float x, float y, float z, float level) {
  return tex3DLod<typename kiln_texel<T, mode>::type>(reference.object, x, y, z, level);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex1DLayeredLod(
    const kiln_texture<T, cudaTextureType1DLayered, mode>& reference, float x, int layer, float level) {
  return tex1DLayeredLod<typename kiln_texel<T, mode>::type>(reference.object, x, layer, level);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex2DLayeredLod(
    const kiln_texture<T, cudaTextureType2DLayered, mode>& reference, float x, float y, int layer, float level) {
  return tex2DLayeredLod<typename kiln_texel<T, mode>::type>(reference.object, x, y, layer, level);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type texCubemapLod(
    const kiln_texture<T, cudaTextureTypeCubemap, mode>& reference, float x, float y, float z, float level) {
  return texCubemapLod<typename kiln_texel<T, mode>::type>(reference.object, x, y, z, level);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type texCubemapLayeredLod(
    const kiln_texture<T, cudaTextureTypeCubemapLayered, mode>& reference, float x, float y, float z, int layer,
    float level) {
  return texCubemapLayeredLod<typename kiln_texel<T, mode>::type>(reference.object, x, y, z, layer, level);
}
// At the level that the derivatives ask for

template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex1DGrad(
    const kiln_texture<T, cudaTextureType1D, mode>& reference, float x, float dx, float dy) {
  return tex1DGrad<typename kiln_texel<T, mode>::type>(reference.object, x, dx, dy);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex2DGrad(
    const kiln_texture<T, cudaTextureType2D, mode>& reference, float x, float y, float2 dx, float2 dy) {
  return tex2DGrad<typename kiln_texel<T, mode>::type>(reference.object, x, y, dx, dy);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex3DGrad(
    const kiln_texture<T, cudaTextureType3D, mode>& reference, float x, float y, float z, float4 dx, float4 dy) {
  return tex3DGrad<typename kiln_texel<T, mode>::type>(reference.object, x, y, z, dx, dy);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex1DLayeredGrad(
    const kiln_texture<T, cudaTextureType1DLayered, mode>& reference, float x, int layer, float dx, float dy) {
  return tex1DLayeredGrad<typename kiln_texel<T, mode>::type>(reference.object, x, layer, dx, dy);
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_texel<T, mode>::type tex2DLayeredGrad(
    const kiln_texture<T, cudaTextureType2DLayered, mode>& reference, float x, float y, int layer, float2 dx,
    float2 dy) {
  return tex2DLayeredGrad<typename kiln_texel<T, mode>::type>(reference.object, x, y, layer, dx, dy);
}

template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_gathered<T, mode>::type tex2Dgather(
    const kiln_texture<T, cudaTextureType2D, mode>& reference, float x, float y, int channel = 0) {
  return tex2Dgather<typename kiln_gathered<T, mode>::type>(reference.object, x, y, channel);
}

}  // extern "C++"

#endif
