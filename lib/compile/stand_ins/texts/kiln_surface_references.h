// The surface references that CUDA 12 removed: the class template `surface` under another name, and its functions.
// lib/module/reference_variable.hpp reads the variables: both change together, with the mark.
#ifndef KILN_SURFACE_REFERENCES_H
#define KILN_SURFACE_REFERENCES_H

extern "C++" {  // PyCUDA wraps sources in extern "C"

/// A surface reference. The host stores a surface object in the first member. Laid out as kiln_texture.
template <class T, int dimensions = cudaSurfaceType1D>
struct kiln_surface {
  cudaSurfaceObject_t object;
  unsigned long long mark;
  unsigned char kind;
  unsigned char type;  // cudaSurfaceType1D and so on
  unsigned char unused[6];

  __host__ __device__ constexpr kiln_surface()
      : object(0), mark(0x016665726e6c696bULL), kind(2), type(dimensions), unused() {}
};

template <class T>
__device__ __forceinline__ T surf1Dread(const kiln_surface<void, cudaSurfaceType1D>& reference, int x,
                                        enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return surf1Dread<T>(reference.object, x, mode);
}
template <class T>
__device__ __forceinline__ void surf1Dread(T* result, const kiln_surface<void, cudaSurfaceType1D>& reference, int x,
                                           enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surf1Dread(result, reference.object, x, mode);
}
template <class T>
__device__ __forceinline__ void surf1Dwrite(T value, const kiln_surface<void, cudaSurfaceType1D>& reference, int x,
                                            enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surf1Dwrite(value, reference.object, x, mode);
}

template <class T>
__device__ __forceinline__ T surf2Dread(const kiln_surface<void, cudaSurfaceType2D>& reference, int x, int y,
                                        enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return surf2Dread<T>(reference.object, x, y, mode);
}
template <class T>
__device__ __forceinline__ void surf2Dread(T* result, const kiln_surface<void, cudaSurfaceType2D>& reference, int x,
                                           int y, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surf2Dread(result, reference.object, x, y, mode);
}
template <class T>
__device__ __forceinline__ void surf2Dwrite(T value, const kiln_surface<void, cudaSurfaceType2D>& reference, int x,
                                            int y, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surf2Dwrite(value, reference.object, x, y, mode);
}

template <class T>
__device__ __forceinline__ T surf3Dread(const kiln_surface<void, cudaSurfaceType3D>& reference, int x, int y, int z,
                                        enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return surf3Dread<T>(reference.object, x, y, z, mode);
}
template <class T>
__device__ __forceinline__ void surf3Dread(T* result, const kiln_surface<void, cudaSurfaceType3D>& reference, int x,
                                           int y, int z, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surf3Dread(result, reference.object, x, y, z, mode);
}
template <class T>
__device__ __forceinline__ void surf3Dwrite(T value, const kiln_surface<void, cudaSurfaceType3D>& reference, int x,
                                            int y, int z, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surf3Dwrite(value, reference.object, x, y, z, mode);
}

template <class T>
__device__ __forceinline__ T surf1DLayeredread(const kiln_surface<void, cudaSurfaceType1DLayered>& reference, int x,
                                               int layer, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return surf1DLayeredread<T>(reference.object, x, layer, mode);
}
template <class T>
__device__ __forceinline__ void surf1DLayeredread(T* result,
                                                  const kiln_surface<void, cudaSurfaceType1DLayered>& reference, int x,
                                                  int layer, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surf1DLayeredread(result, reference.object, x, layer, mode);
}
template <class T>
__device__ __forceinline__ void surf1DLayeredwrite(T value,
                                                   const kiln_surface<void, cudaSurfaceType1DLayered>& reference, int x,
                                                   int layer,
                                                   enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surf1DLayeredwrite(value, reference.object, x, layer, mode);
}

template <class T>
__device__ __forceinline__ T surf2DLayeredread(const kiln_surface<void, cudaSurfaceType2DLayered>& reference, int x,
                                               int y, int layer,
                                               enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return surf2DLayeredread<T>(reference.object, x, y, layer, mode);
}
template <class T>
__device__ __forceinline__ void surf2DLayeredread(T* result,
                                                  const kiln_surface<void, cudaSurfaceType2DLayered>& reference, int x,
                                                  int y, int layer,
                                                  enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surf2DLayeredread(result, reference.object, x, y, layer, mode);
}
template <class T>
__device__ __forceinline__ void surf2DLayeredwrite(T value,
                                                   const kiln_surface<void, cudaSurfaceType2DLayered>& reference, int x,
                                                   int y, int layer,
                                                   enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surf2DLayeredwrite(value, reference.object, x, y, layer, mode);
}

template <class T>
__device__ __forceinline__ T surfCubemapread(const kiln_surface<void, cudaSurfaceTypeCubemap>& reference, int x, int y,
                                             int face, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return surfCubemapread<T>(reference.object, x, y, face, mode);
}
template <class T>
__device__ __forceinline__ void surfCubemapread(T* result, const kiln_surface<void, cudaSurfaceTypeCubemap>& reference,
                                                int x, int y, int face,
                                                enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surfCubemapread(result, reference.object, x, y, face, mode);
}
template <class T>
__device__ __forceinline__ void surfCubemapwrite(T value, const kiln_surface<void, cudaSurfaceTypeCubemap>& reference,
                                                 int x, int y, int face,
                                                 enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surfCubemapwrite(value, reference.object, x, y, face, mode);
}

template <class T>
__device__ __forceinline__ T surfCubemapLayeredread(const kiln_surface<void, cudaSurfaceTypeCubemapLayered>& reference,
                                                    int x, int y, int layer_face,
                                                    enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return surfCubemapLayeredread<T>(reference.object, x, y, layer_face, mode);
}
template <class T>
__device__ __forceinline__ void surfCubemapLayeredread(
    T* result, const kiln_surface<void, cudaSurfaceTypeCubemapLayered>& reference, int x, int y, int layer_face,
    enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surfCubemapLayeredread(result, reference.object, x, y, layer_face, mode);
}
template <class T>
__device__ __forceinline__ void surfCubemapLayeredwrite(
    T value, const kiln_surface<void, cudaSurfaceTypeCubemapLayered>& reference, int x, int y, int layer_face,
    enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  surfCubemapLayeredwrite(value, reference.object, x, y, layer_face, mode);
}

}  // extern "C++"

#endif
