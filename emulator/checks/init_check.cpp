#include "emulator/checks/init_check.hpp"

#include "emulator/checks/access_text.hpp"
#include "emulator/machine/code_place.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

bool is_in_cub(const Warp& warp, const Step& step) {
  const auto places = source_places(*warp.current().frame->code, step.instruction);
  return !places.empty() && places.front().find("/cub/") != std::string::npos;
}

}  // namespace

// False for a read of uninitialised bytes. A write initialises them.
bool InitCheck::take(Written& memory, std::uint64_t offset, unsigned size, Access access) {
  if (memory.size() < offset + size) memory.resize(offset + size);
  const auto begin = memory.begin() + static_cast<std::ptrdiff_t>(offset), end = begin + size;
  if (reads(access) && std::find(begin, end, false) != end) return false;
  if (!only_reads(access)) std::fill(begin, end, true);
  return true;
}

void InitCheck::access(Warp& warp, const Step& step, unsigned lane, ptx::Space space, std::uint64_t address,
                       unsigned size, Access access) {
  bool fine = true;
  if (!reports_) {
    const bool is_device = space != ptx::Space::shared && space != ptx::Space::local && space != ptx::Space::param;
    if (is_device && !only_reads(access)) AddressSpace::get().mark_written(address, size);
  } else if (space == ptx::Space::shared) {
    fine = take(shared_, address, size, access) || is_in_cub(warp, step);
  } else if (space == ptx::Space::local) {
    fine = take(local_[warp.thread_number(lane)], address, size, access);
  } else if (space != ptx::Space::param) {
    AddressSpace& memory = AddressSpace::get();
    fine = !reads(access) || memory.written(address, size);
    if (!only_reads(access)) memory.mark_written(address, size);
  }
  if (!fine)
    throw Fault(CUDA_ERROR_LAUNCH_FAILED, lane,
                access_text(space, address, size, access) + ", which nothing has written" +
                    (space == ptx::Space::global   ? allocation_text(address)
                     : space == ptx::Space::shared ? shared_variable_text(warp.block(), address)
                                                   : ""));
}

}  // namespace kiln::emulator
