// A small job for a compiler.
#pragma once

#include "compile/compiler/compiler_job.hpp"

#include <string>
#include <utility>

namespace kiln::test {

inline CompilerJob job(std::string source) {
  CompilerJob made;
  made.source = std::move(source);
  made.name = "kernel.cu";
  made.arch = "sm_90";
  return made;
}

}  // namespace kiln::test
