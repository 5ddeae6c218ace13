// Texts to parse, without what every one of them has.
#pragma once

#include "emulator/ptx/parse.hpp"

#include <doctest/doctest.h>

#include <string>

namespace kiln::emulator::ptx {

/// Of a whole module: what stands behind its first line, from line 2.
inline Module module_of(const std::string& declarations) {
  return parse(".version 9.0 .target sm_90 .address_size 64\n" + declarations);
}

/// Of a kernel `k` with the parameter `a` and registers of all kinds; the statements stand in line 2.
inline Module kernel_of(const std::string& statements, const std::string& declarations = "") {
  return module_of(declarations +
                   ".visible .entry k(.param .u64 a) { .reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .f32 %f<10>;"
                   " .reg .pred %p<10>; .reg .v4 .b32 %v; " +
                   statements + "}");
}

inline const Function& kernel(const Module& module) { return *module.function("k"); }

inline const Instruction& first(const Module& module) { return kernel(module).instructions.at(0); }

/// The first error in it: line and text, without what all begin with; "" where there is none.
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const ParseError& error) {
    const std::string text = error.what();
    const std::string start = "ptxas application ptx input, line " + std::to_string(error.line()) + "; ";
    CHECK(text.substr(0, start.size()) == start);
    return std::to_string(error.line()) + "; " + text.substr(start.size(), text.find('\n') - start.size());
  }
  return "";
}

inline std::string module_error(const std::string& declarations) {
  return error_of([&] { module_of(declarations); });
}

inline std::string kernel_error(const std::string& statements) {
  return error_of([&] { kernel_of(statements); });
}

}  // namespace kiln::emulator::ptx
