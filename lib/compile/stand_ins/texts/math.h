// The functions are NVRTC's own.
#ifndef KILN_STAND_IN_MATH_H
#define KILN_STAND_IN_MATH_H

#pragma nv_diag_suppress 47

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

// Constant expressions, as with nvcc.
#ifdef __has_builtin
#if __has_builtin(__builtin_bit_cast)
#define KILN_STAND_IN_FLOAT(bits, other) __builtin_bit_cast(float, bits)
#endif
#endif
#ifndef KILN_STAND_IN_FLOAT
#define KILN_STAND_IN_FLOAT(bits, other) (other)
#endif
#ifndef INFINITY
#define INFINITY KILN_STAND_IN_FLOAT(0x7f800000, 1.0f / 0.0f)
#endif
#ifndef NAN
#define NAN KILN_STAND_IN_FLOAT(0x7fc00000, 0.0f / 0.0f)
#endif
#define HUGE_VALF INFINITY
#define HUGE_VAL ((double)INFINITY)
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling (MATH_ERRNO | MATH_ERREXCEPT)

typedef float float_t;
typedef double double_t;

// Of the calls with mixed arguments nvcc takes those of pow, which NVRTC finds ambiguous.
extern "C++" {
namespace kiln_stand_in {
template <class T> struct number {};
template <> struct number<bool> { typedef double type; };
template <> struct number<char> { typedef double type; };
template <> struct number<signed char> { typedef double type; };
template <> struct number<unsigned char> { typedef double type; };
template <> struct number<short> { typedef double type; };
template <> struct number<unsigned short> { typedef double type; };
template <> struct number<int> { typedef double type; };
template <> struct number<unsigned int> { typedef double type; };
template <> struct number<long> { typedef double type; };
template <> struct number<unsigned long> { typedef double type; };
template <> struct number<long long> { typedef double type; };
template <> struct number<unsigned long long> { typedef double type; };
template <> struct number<float> { typedef double type; };
template <> struct number<double> { typedef double type; };
template <class T, class U> struct both_numbers { typedef U type; };
}  // namespace kiln_stand_in

template <class T, class U>
__device__ __forceinline__
    typename kiln_stand_in::both_numbers<typename kiln_stand_in::number<T>::type,
                                         typename kiln_stand_in::number<U>::type>::type
    pow(T base, U exponent) {
  return pow((double)base, (double)exponent);
}
}

#endif
