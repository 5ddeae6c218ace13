// The kernel of a product of a warp group, in CUDA C++ with PTX.
#pragma once

#include "warp_group_case.hpp"

#include <string>

namespace kiln::test {

inline std::string operand_numbers(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) text += (i == 0 ? "%" : ", %") + std::to_string(first + i);
  return text + "}";
}

/// The asm statement of a case: c is an array of accumulators, a of registers, m the metadata, x and y descriptors.
inline std::string product_statement(const WarpGroupCase& group) {
  const unsigned words = group.d_words();
  const std::string kind = group.d == "f32" ? "\"+f\"" : "\"+r\"";
  std::string text = "asm volatile(\"" + group.instruction() + " " + operand_numbers(0, words) + ", " +
                     (group.a_in_registers ? operand_numbers(words, 4) : "%" + std::to_string(words + 4)) + ", %" +
                     std::to_string(words + 5) + ", " +
                     (group.is_sparse ? "%" + std::to_string(words + 6) + ", " : "") + group.arguments() +
                     ";\"\n    : ";
  for (unsigned i = 0; i < words; ++i) text += (i == 0 ? "" : ", ") + kind + "(c[" + std::to_string(i) + "])";
  return text +
         "\n    : \"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3]), \"l\"(x), \"l\"(y), \"r\"(m) : \"memory\");\n";
}

/// The block copies the image to shared memory; each thread loads its registers and stores what the product made of
/// its accumulators.
inline std::string product_kernel(const WarpGroupCase& group, const std::string& name) {
  const bool is_single = group.d == "f32";
  return "extern \"C\" __global__ void __launch_bounds__(128) " + name +
         "(const unsigned* image, const unsigned* a_words, const unsigned* metadata, const unsigned* c_words, "
         "unsigned* d_words, unsigned long long x, unsigned long long y) {\n"
         "  __shared__ alignas(1024) unsigned shared[12288];\n  const unsigned t = threadIdx.x;\n"
         "  for (unsigned i = t; i < 12288; i += 128) shared[i] = image[i];\n"
         "  asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");\n  __syncthreads();\n"
         "  const unsigned long long place = static_cast<unsigned>(__cvta_generic_to_shared(shared)) >> 4;\n"
         "  x += place;\n  y += place;\n  const unsigned a[4] = {a_words[4 * t], a_words[4 * t + 1], a_words[4 * t + "
         "2], "
         "a_words[4 * t + 3]};\n  const unsigned m = metadata[t];\n" +
         (is_single ? "  float" : "  unsigned") + " c[" + std::to_string(group.d_words()) +
         "];\n#pragma unroll\n  for (int i = 0; i < " + std::to_string(group.d_words()) +
         "; ++i) c[i] = " + (is_single ? "__uint_as_float" : "") + "(c_words[t * " + std::to_string(group.d_words()) +
         " + i]);\n  asm volatile(\"wgmma.fence.sync.aligned;\" ::: \"memory\");\n  " + product_statement(group) +
         "  asm volatile(\"wgmma.commit_group.sync.aligned;\" ::: \"memory\");\n"
         "  asm volatile(\"wgmma.wait_group.sync.aligned 0;\" ::: \"memory\");\n#pragma unroll\n  for (int i = 0; i "
         "< " +
         std::to_string(group.d_words()) + "; ++i) d_words[t * " + std::to_string(group.d_words()) +
         " + i] = " + (is_single ? "__float_as_uint" : "") + "(c[i]);\n}\n";
}

}  // namespace kiln::test
