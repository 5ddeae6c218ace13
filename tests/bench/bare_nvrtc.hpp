// The bare calls that Kiln is measured against.
#pragma once

#include "toolkit/libraries/nvrtc_library.hpp"
#include "workloads.hpp"

#include <kiln/kiln.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace kiln::bench {

/// What NVRTC receives from Kiln, as a failing compile tells, but for Kiln's own headers.
inline std::vector<std::string> options_of(const std::string& source, const kiln::CompileOptions& wish = {}) {
  try {
    kiln::compile(source + "\n#error stop here", wish.with_cache(false));
  } catch (const kiln::CompileError& error) {
    return without_own_headers(error.options());
  }
  std::fprintf(stderr, "a broken source compiled\n");
  std::exit(1);
}

/// The bytes of the cubin.
inline std::size_t compile_bare(const kiln::NvrtcLibrary& nvrtc, const std::string& source,
                                const std::vector<std::string>& options) {
  std::vector<const char*> pointers;
  for (const std::string& option : options) pointers.push_back(option.c_str());
  const auto check = [&](nvrtcResult result) {
    if (result != NVRTC_SUCCESS) std::fprintf(stderr, "bare: %s\n", nvrtc.get_error_string(result)), std::exit(1);
  };
  nvrtcProgram program = nullptr;
  check(nvrtc.create_program(&program, source.c_str(), "kernel.cu", 0, nullptr, nullptr));
  check(nvrtc.compile_program(program, static_cast<int>(pointers.size()), pointers.data()));
  std::size_t size = 0;
  check(nvrtc.get_cubin_size(program, &size));
  std::string cubin(size, '\0');
  check(nvrtc.get_cubin(program, cubin.data()));
  check(nvrtc.destroy_program(&program));
  return cubin.size();
}

}  // namespace kiln::bench
