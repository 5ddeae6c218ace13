// PyCUDA's helpers: doubles and complex numbers in textures and surfaces, whose elements are integers of their size.
#ifndef KILN_PYCUDA_HELPERS_HPP
#define KILN_PYCUDA_HELPERS_HPP

#include <kiln_surface_references.h>
#include <kiln_texture_references.h>
#include <pycuda-complex.hpp>

extern "C++" {  // PyCUDA wraps sources in extern "C"

typedef float fp_tex_float;
typedef int2 fp_tex_double;
typedef uint2 fp_tex_cfloat;
typedef int4 fp_tex_cdouble;

/// An element of a texture, and the number that it holds.
template <class Element>
struct kiln_fp {
  typedef Element number;
  static __device__ __forceinline__ number read(Element element) { return element; }
};
template <>
struct kiln_fp<fp_tex_double> {
  typedef double number;
  static __device__ __forceinline__ number read(fp_tex_double element) {
    return __hiloint2double(element.y, element.x);
  }
};
template <>
struct kiln_fp<fp_tex_cfloat> {
  typedef pycuda::complex<float> number;
  static __device__ __forceinline__ number read(fp_tex_cfloat element) {
    return number(__uint_as_float(element.x), __uint_as_float(element.y));
  }
};
template <>
struct kiln_fp<fp_tex_cdouble> {
  typedef pycuda::complex<double> number;
  static __device__ __forceinline__ number read(fp_tex_cdouble element) {
    return number(__hiloint2double(element.y, element.x), __hiloint2double(element.w, element.z));
  }
};

/// A number, and the element of a surface that holds it.
template <class Number>
struct kiln_fp_element {
  typedef Number type;
  static __device__ __forceinline__ type write(Number number) { return number; }
};
template <>
struct kiln_fp_element<double> {
  typedef fp_tex_double type;
  static __device__ __forceinline__ type write(double number) {
    return make_int2(__double2loint(number), __double2hiint(number));
  }
};
template <>
struct kiln_fp_element<pycuda::complex<float>> {
  typedef fp_tex_cfloat type;
  static __device__ __forceinline__ type write(pycuda::complex<float> number) {
    return make_uint2(__float_as_uint(number._M_re), __float_as_uint(number._M_im));
  }
};
template <>
struct kiln_fp_element<pycuda::complex<double>> {
  typedef fp_tex_cdouble type;
  static __device__ __forceinline__ type write(pycuda::complex<double> number) {
    return make_int4(__double2loint(number._M_re), __double2hiint(number._M_re), __double2loint(number._M_im),
                     __double2hiint(number._M_im));
  }
};

// Textures: as the functions of CUDA without fp_

template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_fp<T>::number fp_tex1Dfetch(
    const kiln_texture<T, cudaTextureType1D, mode>& reference, int i) {
  return kiln_fp<T>::read(tex1Dfetch(reference, i));
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_fp<T>::number fp_tex1D(
    const kiln_texture<T, cudaTextureType1D, mode>& reference, int i) {
  return kiln_fp<T>::read(tex1D(reference, i));
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_fp<T>::number fp_tex2D(
    const kiln_texture<T, cudaTextureType2D, mode>& reference, int i, int j) {
  return kiln_fp<T>::read(tex2D(reference, i, j));
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_fp<T>::number fp_tex3D(
    const kiln_texture<T, cudaTextureType3D, mode>& reference, int i, int j, int k) {
  return kiln_fp<T>::read(tex3D(reference, i, j, k));
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_fp<T>::number fp_tex1DLayered(
    const kiln_texture<T, cudaTextureType1DLayered, mode>& reference, float i, int layer) {
  return kiln_fp<T>::read(tex1DLayered(reference, i, layer));
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_fp<T>::number fp_tex2DLayered(
    const kiln_texture<T, cudaTextureType2DLayered, mode>& reference, float i, float j, int layer) {
  return kiln_fp<T>::read(tex2DLayered(reference, i, j, layer));
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_fp<T>::number fp_texCubemap(
    const kiln_texture<T, cudaTextureTypeCubemap, mode>& reference, float x, float y, float z) {
  return kiln_fp<T>::read(texCubemap(reference, x, y, z));
}
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename kiln_fp<T>::number fp_texCubemapLayered(
    const kiln_texture<T, cudaTextureTypeCubemapLayered, mode>& reference, float x, float y, float z, int layer) {
  return kiln_fp<T>::read(texCubemapLayered(reference, x, y, z, layer));
}

// Surfaces: as the functions of CUDA without fp_, but that `i` counts elements rather than bytes

template <class T>
__device__ __forceinline__ void fp_surf1Dread(T* number, const kiln_surface<void, cudaSurfaceType1D>& reference, int i,
                                              enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  typedef typename kiln_fp_element<T>::type element;
  *number = kiln_fp<element>::read(surf1Dread<element>(reference, i * static_cast<int>(sizeof(element)), mode));
}
template <class T>
__device__ __forceinline__ void fp_surf1Dwrite(T number, const kiln_surface<void, cudaSurfaceType1D>& reference, int i,
                                               enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surf1Dwrite(kiln_fp_element<T>::write(number), reference, i * static_cast<int>(sizeof(T)), mode);
}

template <class T>
__device__ __forceinline__ void fp_surf2Dread(T* number, const kiln_surface<void, cudaSurfaceType2D>& reference, int i,
                                              int j, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  typedef typename kiln_fp_element<T>::type element;
  *number = kiln_fp<element>::read(surf2Dread<element>(reference, i * static_cast<int>(sizeof(element)), j, mode));
}
template <class T>
__device__ __forceinline__ void fp_surf2Dwrite(T number, const kiln_surface<void, cudaSurfaceType2D>& reference, int i,
                                               int j, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surf2Dwrite(kiln_fp_element<T>::write(number), reference, i * static_cast<int>(sizeof(T)), j, mode);
}

template <class T>
__device__ __forceinline__ void fp_surf3Dread(T* number, const kiln_surface<void, cudaSurfaceType3D>& reference, int i,
                                              int j, int k, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  typedef typename kiln_fp_element<T>::type element;
  *number = kiln_fp<element>::read(surf3Dread<element>(reference, i * static_cast<int>(sizeof(element)), j, k, mode));
}
template <class T>
__device__ __forceinline__ void fp_surf3Dwrite(T number, const kiln_surface<void, cudaSurfaceType3D>& reference, int i,
                                               int j, int k, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surf3Dwrite(kiln_fp_element<T>::write(number), reference, i * static_cast<int>(sizeof(T)), j, k, mode);
}

template <class T>
__device__ __forceinline__ void fp_surf1DLayeredread(T* number,
                                                     const kiln_surface<void, cudaSurfaceType1DLayered>& reference,
                                                     int i, int layer,
                                                     enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  typedef typename kiln_fp_element<T>::type element;
  *number =
      kiln_fp<element>::read(surf1DLayeredread<element>(reference, i * static_cast<int>(sizeof(element)), layer, mode));
}
template <class T>
__device__ __forceinline__ void fp_surf1DLayeredwrite(T number,
                                                      const kiln_surface<void, cudaSurfaceType1DLayered>& reference,
                                                      int i, int layer,
                                                      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surf1DLayeredwrite(kiln_fp_element<T>::write(number), reference, i * static_cast<int>(sizeof(T)), layer, mode);
}

template <class T>
__device__ __forceinline__ void fp_surf2DLayeredread(T* number,
                                                     const kiln_surface<void, cudaSurfaceType2DLayered>& reference,
                                                     int i, int j, int layer,
                                                     enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  typedef typename kiln_fp_element<T>::type element;
  *number = kiln_fp<element>::read(
      surf2DLayeredread<element>(reference, i * static_cast<int>(sizeof(element)), j, layer, mode));
}
template <class T>
__device__ __forceinline__ void fp_surf2DLayeredwrite(T number,
                                                      const kiln_surface<void, cudaSurfaceType2DLayered>& reference,
                                                      int i, int j, int layer,
                                                      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surf2DLayeredwrite(kiln_fp_element<T>::write(number), reference, i * static_cast<int>(sizeof(T)), j, layer, mode);
}

template <class T>
__device__ __forceinline__ void fp_surfCubemapread(T* number,
                                                   const kiln_surface<void, cudaSurfaceTypeCubemap>& reference, int i,
                                                   int j, int face,
                                                   enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  typedef typename kiln_fp_element<T>::type element;
  *number =
      kiln_fp<element>::read(surfCubemapread<element>(reference, i * static_cast<int>(sizeof(element)), j, face, mode));
}
template <class T>
__device__ __forceinline__ void fp_surfCubemapwrite(T number,
                                                    const kiln_surface<void, cudaSurfaceTypeCubemap>& reference, int i,
                                                    int j, int face,
                                                    enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surfCubemapwrite(kiln_fp_element<T>::write(number), reference, i * static_cast<int>(sizeof(T)), j, face, mode);
}

template <class T>
__device__ __forceinline__ void fp_surfCubemapLayeredread(
    T* number, const kiln_surface<void, cudaSurfaceTypeCubemapLayered>& reference, int i, int j, int layer_face,
    enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  typedef typename kiln_fp_element<T>::type element;
  *number = kiln_fp<element>::read(
      surfCubemapLayeredread<element>(reference, i * static_cast<int>(sizeof(element)), j, layer_face, mode));
}
template <class T>
__device__ __forceinline__ void fp_surfCubemapLayeredwrite(
    T number, const kiln_surface<void, cudaSurfaceTypeCubemapLayered>& reference, int i, int j, int layer_face,
    enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surfCubemapLayeredwrite(kiln_fp_element<T>::write(number), reference, i * static_cast<int>(sizeof(T)), j, layer_face,
                          mode);
}

}  // extern "C++"

#endif
