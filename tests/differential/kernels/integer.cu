// Integer arithmetic, in every width.
#include "rows.cuh"

template <class T>
__device__ T arithmetic(unsigned row, T a, T b, T c) {
  switch (row) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return b != 0 && !(b == T(-1) && a == T(T(1) << (8 * sizeof(T) - 1))) ? a / b : T(7);
    case 4: return b != 0 && !(b == T(-1) && a == T(T(1) << (8 * sizeof(T) - 1))) ? a % b : T(9);
    case 5: return a < b ? a : b;
    case 6: return a > b ? a : b;
    case 7: return a * b + c;
    case 8: return T(a << (unsigned(b) % (8 * sizeof(T))));
    case 9: return T(a >> (unsigned(b) % (8 * sizeof(T))));
    case 10: return (a & b) | (~a & c);
    case 11: return (a ^ b) ^ c;
    case 12: return a / T(7) + a % T(10);
    case 13: return T(a == b) + T(a < c) * T(2) + T(b >= c) * T(4) + T(a != c) * T(8);
    case 14: return T(-a);
    default: return T(a > T(0) ? a : T(-a)) + T(!b);
  }
}

// int32 <<<(16, 16), 256>>> in bits 12288 out 65536 rows 16 exact
extern "C" __global__ void int32(const unsigned* in, unsigned* out) {
  give(out, arithmetic<int>(ROW, item<int>(in, ITEM), item<int>(in, ITEM + ITEMS), item<int>(in, ITEM + 2 * ITEMS)));
}
// uint32 <<<(16, 16), 256>>> in bits 12288 out 65536 rows 16 exact
extern "C" __global__ void uint32(const unsigned* in, unsigned* out) {
  give(out, arithmetic<unsigned>(ROW, in[ITEM], in[ITEM + ITEMS], in[ITEM + 2 * ITEMS]));
}
// int64 <<<(16, 16), 256>>> in bits 24576 out 131072 rows 16 exact
extern "C" __global__ void int64(const unsigned* in, unsigned* out) {
  using T = long long;
  give(out, arithmetic<T>(ROW, item<T>(in, ITEM), item<T>(in, ITEM + ITEMS), item<T>(in, ITEM + 2 * ITEMS)));
}
// uint64 <<<(16, 16), 256>>> in bits 24576 out 131072 rows 16 exact
extern "C" __global__ void uint64(const unsigned* in, unsigned* out) {
  using T = unsigned long long;
  give(out, arithmetic<T>(ROW, item<T>(in, ITEM), item<T>(in, ITEM + ITEMS), item<T>(in, ITEM + 2 * ITEMS)));
}
// int16 <<<(16, 16), 256>>> in bits 6144 out 32768 rows 16 exact
extern "C" __global__ void int16(const unsigned* in, unsigned* out) {
  using T = short;
  give(out, arithmetic<T>(ROW, item<T>(in, ITEM), item<T>(in, ITEM + ITEMS), item<T>(in, ITEM + 2 * ITEMS)));
}
// uint8 <<<(16, 16), 256>>> in bits 3072 out 16384 rows 16 exact
extern "C" __global__ void uint8(const unsigned* in, unsigned* out) {
  using T = unsigned char;
  give(out, arithmetic<T>(ROW, item<T>(in, ITEM), item<T>(in, ITEM + ITEMS), item<T>(in, ITEM + 2 * ITEMS)));
}

// wide <<<(16, 12), 256>>> in bits 24576 out 98304 rows 12 exact
extern "C" __global__ void wide(const unsigned* in, unsigned* out) {
  const auto a = item<unsigned long long>(in, ITEM), b = item<unsigned long long>(in, ITEM + ITEMS);
  const auto c = item<unsigned long long>(in, ITEM + 2 * ITEMS);
  unsigned long long r = 0, high = 0;
  const auto product = static_cast<unsigned __int128>(a) * b;
  switch (ROW) {
    case 0: r = __umul64hi(a, b); break;
    case 1: r = static_cast<unsigned long long>(__mul64hi(static_cast<long long>(a), static_cast<long long>(b))); break;
    case 2: r = __umulhi(unsigned(a), unsigned(b)); break;
    case 3: r = static_cast<unsigned>(__mulhi(int(a), int(b))); break;
    case 4: r = static_cast<unsigned long long>(product + c >> 64); break;
    case 5: r = static_cast<unsigned long long>((product - c) >> 3); break;
    case 6:
      asm("{ add.cc.u64 %0, %2, %3; addc.u64 %1, %4, 0; }" : "=l"(r), "=l"(high) : "l"(a), "l"(b), "l"(c));
      r ^= high * 3;
      break;
    case 7:
      asm("{ sub.cc.u64 %0, %2, %3; subc.u64 %1, %4, 1; }" : "=l"(r), "=l"(high) : "l"(a), "l"(b), "l"(c));
      r ^= high * 3;
      break;
    case 8: r = c != 0 ? static_cast<unsigned long long>(product / c) : 1; break;
    case 9: r = c != 0 ? static_cast<unsigned long long>(product % c) : 1; break;
    case 10: r = static_cast<unsigned long long>(__mul24(int(a), int(b))) + __umul24(unsigned(b), unsigned(c)); break;
    default: r = __usad(unsigned(a), unsigned(b), unsigned(c)) + __sad(int(a), int(b), unsigned(c)) +
                 __uhadd(unsigned(a), unsigned(b)) + unsigned(__rhadd(int(a), int(b)));
  }
  give(out, r);
}

// bits <<<(16, 24), 256>>> in bits 12288 out 98304 rows 24 exact
extern "C" __global__ void bits(const unsigned* in, unsigned* out) {
  const unsigned a = in[ITEM], b = in[ITEM + ITEMS], c = in[ITEM + 2 * ITEMS];
  const unsigned long long ab = (static_cast<unsigned long long>(a) << 32) | b;
  unsigned r = 0;
  switch (ROW) {
    case 0: r = __popc(a) + 100 * __popcll(ab); break;
    case 1: r = __clz(a) + 100 * __clzll(ab); break;
    case 2: r = __brev(a); break;
    case 3: r = unsigned(__brevll(ab) >> 17); break;
    case 4: r = __ffs(int(a)) + 100 * __ffsll(static_cast<long long>(ab)); break;
    case 5: r = __byte_perm(a, b, c); break;
    case 6: r = __funnelshift_l(a, b, c); break;
    case 7: r = __funnelshift_r(a, b, c); break;
    case 8: r = __funnelshift_lc(a, b, c & 63); break;
    case 9: r = __funnelshift_rc(a, b, c & 63); break;
    case 10: asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b & 63), "r"(c & 63)); break;
    case 11: asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b & 63), "r"(c & 63)); break;
    case 12: asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c & 63), "r"(c >> 8 & 63)); break;
    case 13: asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a)); break;
    case 14: asm("bfind.s32 %0, %1;" : "=r"(r) : "r"(a)); break;
    case 15: asm("bfind.shiftamt.u32 %0, %1;" : "=r"(r) : "r"(a)); break;
    case 16: asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(c & 63)); break;
    case 17: asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(c & 63)); break;
    case 18: asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(c)); break;
    case 19: asm("lop3.b32 %0, %1, %2, %3, 0x1E;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 20: asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c & 3)); break;
    case 21: asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c & 3)); break;
    case 22: asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(b & 63), "r"(c & 63)); break;
    default: asm("szext.wrap.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(c));
  }
  give(out, r);
}

// saturating <<<(16, 12), 256>>> in bits 12288 out 49152 rows 12 exact
extern "C" __global__ void saturating(const unsigned* in, unsigned* out) {
  const unsigned a = in[ITEM], b = in[ITEM + ITEMS], c = in[ITEM + 2 * ITEMS];
  unsigned r = 0;
  switch (ROW) {
    case 0: asm("add.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); break;
    case 1: asm("sub.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); break;
    case 2: asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    // Not by their functions, some of which the headers of NVRTC 12.0 do not define.
    case 3: asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 4: asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 5: asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 6: asm("dp2a.hi.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 7: r = __vaddus4(a, b) ^ __vabsdiffs2(b, c); break;
    case 8: r = __vmaxs2(a, b) + __vminu4(b, c); break;
    case 9: r = __vcmpgts4(a, b) ^ __vavgu4(a, c); break;
    case 10: r = __vsads4(a, b) + __viaddmax_s16x2_relu(a, b, c); break;
    default: r = __vimax3_s32_relu(int(a), int(b), int(c)) ^ __vimin3_u16x2(a, b, c);
  }
  give(out, r);
}
