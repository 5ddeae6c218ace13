// What kernels print; one thread each, so that the order is known.
#include <cstdio>

// print_integers <<<1, 1>>> in bits 8 out 16 rows 1 exact prints
extern "C" __global__ void print_integers(const unsigned* in, unsigned* out) {
  const int a = int(in[0]), b = -5;
  const long long wide = -1234567890123456789ll;
  out[0] = unsigned(printf("plain\n"));
  out[1] = unsigned(printf("%d %i %u %x %X %o\n", a, b, 42u, 0xBEEFu, 0xBEEFu, 8u));
  out[2] = unsigned(printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%.3d]\n", 42, 42, 42, 42, 42, 7));
  out[3] = unsigned(printf("%lld %llu %llx %ld %hd\n", wide, 18446744073709551615ull, 255ll, -9l, short(-3)));
  out[4] = unsigned(printf("%c%c%c %%\n", 'a', 'b', 'c'));
  out[5] = unsigned(printf("%#x %#o %*d|%-*d|\n", 255u, 8u, 7, 42, 6, 13));
}
// print_floats <<<1, 1>>> in bits 8 out 16 rows 1 exact prints
extern "C" __global__ void print_floats(const unsigned*, unsigned* out) {
  out[0] = unsigned(printf("%f %e %g %G %a\n", 3.25, 12345.678, 1e-10, 1e20, 1.0));
  out[1] = unsigned(printf("[%8.3f] [%-8.2f] [%08.2f] [%+.1f] [%.0f]\n", 3.14159, 2.5, -1.25, 9.96, 2.5));
  out[2] = unsigned(printf("%f %f %f\n", 1.0 / 0.0, -1.0 / 0.0, double(1.5F)));
}
// print_texts <<<1, 1>>> in bits 8 out 16 rows 1 exact prints
extern "C" __global__ void print_texts(const unsigned* in, unsigned* out) {
  const char* word = in[0] & 1 ? "odd" : "even";
  out[0] = unsigned(printf("%s|%10s|%-6s|%.2s|\n", word, "right", "left", "cut"));
  for (int i = 0; i < 3; ++i) out[1] += unsigned(printf("%d:%s;", i, i == 1 ? "one" : "other"));
  out[2] = unsigned(printf("\n"));
}
