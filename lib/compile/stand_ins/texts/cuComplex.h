// CUDA's complex numbers for C, where no folder has the toolkit's header of this name: on float2 and double2.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

extern "C++" {

typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

__host__ __device__ static inline cuFloatComplex make_cuFloatComplex(float re, float im) { return float2{re, im}; }
__host__ __device__ static inline cuComplex make_cuComplex(float re, float im) { return float2{re, im}; }
__host__ __device__ static inline float cuCrealf(cuFloatComplex z) { return z.x; }
__host__ __device__ static inline float cuCimagf(cuFloatComplex z) { return z.y; }
__host__ __device__ static inline cuFloatComplex cuConjf(cuFloatComplex z) { return float2{z.x, -z.y}; }
__host__ __device__ static inline cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return float2{a.x + b.x, a.y + b.y};
}
__host__ __device__ static inline cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return float2{a.x - b.x, a.y - b.y};
}
__host__ __device__ static inline cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return float2{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
/// Both are scaled first, so that no square of a part is too large or too small.
__host__ __device__ static inline cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  const float scale = 1.0f / (fabsf(b.x) + fabsf(b.y));
  const float2 p = {a.x * scale, a.y * scale}, q = {b.x * scale, b.y * scale};
  const float whole = 1.0f / (q.x * q.x + q.y * q.y);
  return float2{(p.x * q.x + p.y * q.y) * whole, (p.y * q.x - p.x * q.y) * whole};
}
__host__ __device__ static inline float cuCabsf(cuFloatComplex z) { return hypotf(z.x, z.y); }
__host__ __device__ static inline cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
  return float2{a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};
}

__host__ __device__ static inline cuDoubleComplex make_cuDoubleComplex(double re, double im) { return double2{re, im}; }
__host__ __device__ static inline double cuCreal(cuDoubleComplex z) { return z.x; }
__host__ __device__ static inline double cuCimag(cuDoubleComplex z) { return z.y; }
__host__ __device__ static inline cuDoubleComplex cuConj(cuDoubleComplex z) { return double2{z.x, -z.y}; }
__host__ __device__ static inline cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return double2{a.x + b.x, a.y + b.y};
}
__host__ __device__ static inline cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return double2{a.x - b.x, a.y - b.y};
}
__host__ __device__ static inline cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return double2{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
__host__ __device__ static inline cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  const double scale = 1.0 / (fabs(b.x) + fabs(b.y));
  const double2 p = {a.x * scale, a.y * scale}, q = {b.x * scale, b.y * scale};
  const double whole = 1.0 / (q.x * q.x + q.y * q.y);
  return double2{(p.x * q.x + p.y * q.y) * whole, (p.y * q.x - p.x * q.y) * whole};
}
__host__ __device__ static inline double cuCabs(cuDoubleComplex z) { return hypot(z.x, z.y); }
__host__ __device__ static inline cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return double2{a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};
}

__host__ __device__ static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return double2{z.x, z.y}; }
__host__ __device__ static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return float2{(float)z.x, (float)z.y};
}

}  // extern "C++"

#endif
