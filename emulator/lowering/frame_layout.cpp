#include "emulator/lowering/frame_layout.hpp"

#include "emulator/core/aligned.hpp"
#include "emulator/core/call_error.hpp"
#include "emulator/lowering/alignment.hpp"
#include "emulator/lowering/call_params.hpp"
#include "emulator/lowering/register_places.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <cuda.h>

#include <string>

namespace kiln::emulator {
namespace {

constexpr std::uint64_t frame_limit = std::uint64_t{1} << 30;
constexpr std::uint64_t local_limit = 512 * 1024;  // per thread, as on hardware

[[noreturn]] void refuse_size(const ptx::Function& function, const char* what) {
  throw CallError(CUDA_ERROR_INVALID_PTX,
                  "the function '" + demangle(std::string(function.name)) + "' has too large " + what);
}

std::uint64_t lay_out_registers(Code& code) {
  const std::uint64_t end = place_registers(code);
  if (end > frame_limit) refuse_size(*code.source, "registers");
  return end;
}

std::map<const ptx::Variable*, std::uint64_t> lay_out_locals(Code& code) {
  std::map<const ptx::Variable*, std::uint64_t> places;
  std::uint64_t offset = 0;
  for (const ptx::Variable& each : code.source->variables) {
    if (each.space != ptx::Space::local) continue;
    places[&each] = offset = aligned(offset, alignment_of(each));
    offset += each.size;
  }
  code.local_bytes = static_cast<std::uint32_t>(aligned(offset, 16));
  return places;
}

std::map<const ptx::Variable*, std::uint64_t> lay_out_params(const Code& code, std::uint64_t& end) {
  const ptx::Function& source = *code.source;
  // The parameters of a kernel are in the launch's buffer.
  auto places = lay_out_call_params(source, source.is_entry ? 0 : code.param_bytes, end);
  for (std::size_t i = 0; i < code.params.size(); ++i) places[&source.params[i]] = code.params[i].offset;
  for (std::size_t i = 0; i < code.returns.size(); ++i) places[&source.returns[i]] = code.returns[i].offset;
  if (end > local_limit) refuse_size(source, "parameters");
  return places;
}

}  // namespace

FrameLayout lay_out_frame(Code& code) {
  FrameLayout layout;
  layout.register_end = lay_out_registers(code);
  layout.locals = lay_out_locals(code);
  layout.params = lay_out_params(code, layout.param_end);
  return layout;
}

}  // namespace kiln::emulator
