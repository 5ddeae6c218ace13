#include "compile/nvrtc/tile_kernels.hpp"

#include "base/text_parts.hpp"
#include "compile/headers/host_questions.hpp"

#include <kiln/error.hpp>

namespace kiln {

namespace {

/// Messages of NVRTC and nvcc from 13.1 on, and the name in kiln_host_macros.h.
bool is_about_tile(std::string_view line) {
  return contains(line, "parsing for Tile constructs is not enabled") ||
         contains(line, "unknown attribute \"tile_global\"") || contains(line, "kiln_has_no_tile_kernels");
}

[[noreturn]] void refuse(const CompilerJob& job, const std::string& place, std::string_view log) {
  throw CompileError("could not compile \"" + job.name + "\": " + place +
                         " has a tile kernel or function (__tile_global__, __tile__), and Kiln does not support CUDA "
                         "Tile C++ yet: write it as a __global__ kernel",
                     std::string(log), job.users_arguments);
}

}  // namespace

void refuse_tile_attributes(const CompilerJob& job) {
  if (has_tile_attribute(job.source)) refuse(job, "\"" + job.name + "\"", {});
  for (const std::string& argument : job.arguments)
    if (has_tile_attribute(argument)) refuse(job, "the option " + argument, {});
  for (const auto& [name, text] : job.headers)
    if (has_tile_attribute(text)) refuse(job, "the in-memory header \"" + name + "\"", {});
}

void refuse_tile_kernels(const CompilerJob& job, std::string_view log) {
  for (std::string_view rest = log; !rest.empty();) {
    const std::string_view line = next_line(rest);
    if (!is_about_tile(line)) continue;
    const std::size_t end = line.find("):");
    refuse(job, end == std::string_view::npos ? "\"" + job.name + "\"" : std::string(line.substr(0, end + 1)), log);
  }
}

std::string tile_refusal_lines() {
  return "#ifdef __tile_global__\n#undef __tile_global__\n"
         "#define __tile_global__ __attribute__((aligned(kiln_has_no_tile_kernels)))\n#endif\n";
}

}  // namespace kiln
