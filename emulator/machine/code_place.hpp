// The place of a step in the PTX and in the CUDA source.
#pragma once

#include "emulator/machine/code.hpp"
#include "emulator/machine/warp.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator {

/// "bar.sync 0;"
std::string instruction_text(const Code& code, std::uint32_t instruction);
/// "PTX line 12 of foo(int): bar.sync 0;"
std::string ptx_place(const Code& code, std::uint32_t instruction);
/// "file.cu:12: __syncthreads();", innermost first, then "inlined at file.cu:30: ..."; empty without -lineinfo.
std::vector<std::string> source_places(const Code& code, std::uint32_t instruction);
/// The same, of code that is not lowered.
std::vector<std::string> source_places(const ptx::Module& module, const ptx::Instruction& instruction);

struct CodePlace {
  const Code* code = nullptr;
  std::uint32_t instruction = 0;
};
/// Whether both are of the same lines of the source, those that they are inlined at included. True where either has
/// none.
bool same_source_lines(const CodePlace& a, const CodePlace& b);

/// ptx_place, and source_places in lines below it.
std::string places_text(const Code& code, std::uint32_t instruction);

/// The text of a source that Kiln appended to the PTX; `name` as in the .file.
std::optional<std::string> embedded_source(std::string_view ptx, std::string_view name);
/// The PTX without such texts.
std::string_view without_embedded_sources(std::string_view ptx);

struct CallSite {
  const Code* callee = nullptr;  // null for a call through a register
  /// In the caller's parameter bytes.
  std::vector<ParamPlace> arguments, results;
};

/// Copies the arguments of the lanes to their new frame.
void pass_arguments(const CallSite& site, const Frame& frame, LaneMask lanes);
/// Copies the results of the lanes that return from the frame to its caller.
void return_results(const Frame& frame, LaneMask lanes);

}  // namespace kiln::emulator
