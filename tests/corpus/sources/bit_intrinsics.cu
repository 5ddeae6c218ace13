// kernel: bits
// out: unsigned
// expect: 8 24 4 2147483648 1431655765 16 305419896 30 12 7
__global__ void bits(unsigned* out, int n) {
  const unsigned even = __ballot_sync(0xffffffff, threadIdx.x % 2 == 0);
  if (threadIdx.x != 0) return;
  out[0] = __popc(0xff);
  out[1] = __clz(0xff);
  out[2] = __ffs(8);
  out[3] = __brev(1);
  out[4] = even;
  out[5] = __popc(even);
  out[6] = __byte_perm(0x78563412, 0, 0x0123);
  out[7] = __dp4a(0x01020304, 0x01020304, 0);
  out[8] = __umulhi(0xc0000000, 0x10);
  for (int i = 9; i < n; ++i) out[i] = __funnelshift_r(0x70, 0, 4);
}
