// Runs one floating instruction over many values: what the tests of these instructions share.
#pragma once

#include "run_ptx.hpp"

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace kiln::emulator {

/// Bits of values, each in the lower part of eight bytes.
using Cells = std::vector<std::uint64_t>;

/// A register type of the tests' kernels: the letter of its registers (run_ptx.hpp) and what loads it.
struct RegisterKind {
  std::string letter, memory;
};
inline RegisterKind register_kind(const std::string& type) {
  if (type == "f32") return {"f", "f32"};
  if (type == "f64") return {"e", "f64"};
  const bool is_wide = type.find("64") != std::string::npos;
  const bool is_packed = type.ends_with("f16x2");
  if (is_wide) return {"d", "b64"};
  if (is_packed || type.find("32") != std::string::npos) return {"r", "b32"};
  return {"h", "b16"};
}

/// `instruction` of three sources' names: "$d", "$a", "$b", "$c" stand for registers, and a pair of predicates for
/// "$p", "$q". $c is what lies in the upper half of a's cells (of 64 bits: what $b is).
inline std::string floating_body(std::string instruction, const std::string& to, const std::string& from) {
  const RegisterKind result = register_kind(to), source = register_kind(from);
  const std::string s = "%" + source.letter, d = "%" + result.letter + "9";
  std::string body = "ld.global." + source.memory + " " + s + "1, [%a]; ld.global." + source.memory + " " + s +
                     "2, [%b];\nld.global." + source.memory + " " + s +
                     (source.letter == "e" || source.letter == "d" ? "3, [%b];\n" : "3, [%a+4];\n");
  const auto put = [&](const std::string& name, const std::string& text) {
    for (std::size_t at = instruction.find(name); at != std::string::npos; at = instruction.find(name))
      instruction.replace(at, name.size(), text);
  };
  put("$d", d);
  put("$a", s + "1");
  put("$b", s + "2");
  put("$c", s + "3");
  put("$p", "%p1");
  put("$q", "%p2");
  return body + instruction + "\nst.global." + result.memory + " [%out], " + d + ";\n";
}

/// Padded to whole warps.
inline Cells run_floating(const std::string& instruction, const std::string& to, const std::string& from, Cells a,
                          Cells b) {
  const std::size_t count = a.size(), padded = (count + 31) / 32 * 32;
  a.resize(padded);
  b.resize(padded);
  Cells all = run_elementwise<std::uint64_t>(floating_body(instruction, to, from), a, b);
  all.resize(count);
  return all;
}

template <class T>
std::uint64_t bits_of(T value) {
  if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(value);
  if constexpr (sizeof(T) == 8) return std::bit_cast<std::uint64_t>(value);
  return static_cast<std::uint64_t>(value);
}
inline float f32_of(std::uint64_t cell) { return std::bit_cast<float>(static_cast<std::uint32_t>(cell)); }
inline double f64_of(std::uint64_t cell) { return std::bit_cast<double>(cell); }

/// expected(i) for every cell; tells the first that differs.
template <class Expected>
void check_cells(const std::string& name, const Cells& got, const Cells& a, const Cells& b, Expected expected) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::uint64_t wanted = expected(i);
    if (got[i] == wanted || different++ != 0) continue;
    const auto hex = [](std::uint64_t bits) {
      char text[20];
      std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(bits));
      return std::string(text);
    };
    FAIL_CHECK(name << " of " << hex(a[i]) << " and " << hex(b[i]) << " gives " << hex(got[i]) << ", not "
                    << hex(wanted));
  }
  CHECK(different == 0);
}

}  // namespace kiln::emulator
