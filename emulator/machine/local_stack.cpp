// alloca: local memory after that of the frame.
#include "emulator/core/addresses.hpp"
#include "emulator/machine/warp_state.hpp"

#include <algorithm>
#include <string>

namespace kiln::emulator {

std::uint64_t Warp::local_end(unsigned lane) const {
  const Frame& frame = *state_->lane_frames[lane];
  return frame.local_base + frame.code->local_bytes + frame.allocated[lane];
}

void Warp::set_local_end(unsigned lane, std::uint64_t end) {
  Frame& frame = *state_->lane_frames[lane];
  frame.allocated[lane] = static_cast<std::uint32_t>(end - frame.local_base - frame.code->local_bytes);
  frame.most_allocated = *std::max_element(std::begin(frame.allocated), std::end(frame.allocated));
}

std::uint64_t Warp::allocate_local(unsigned lane, std::uint64_t size, std::uint64_t alignment) {
  const Frame& frame = *state_->lane_frames[lane];
  const std::uint64_t begin = aligned(local_end(lane), alignment);
  // Without the kernel's own variables: the driver's stack limit does not count them either.
  const std::uint64_t counted = begin - frame.local_base - frame.code->local_bytes;
  const std::uint64_t used = counted + frame.stack;
  const std::uint64_t limit = stack_limit(block_);
  if (used > limit || size > limit - used)
    throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, lane,
                "allocates " + std::to_string(size) + " bytes on the thread's stack, of which " + std::to_string(used) +
                    " are used: a larger CU_LIMIT_STACK_SIZE is needed");
  reserve_locals(begin + size);
  set_local_end(lane, begin + size);
  return begin;
}

void Warp::free_local(unsigned lane, std::uint64_t end) {
  const Frame& frame = *state_->lane_frames[lane];
  if (end < frame.local_base + frame.code->local_bytes || end > local_end(lane))
    throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, lane,
                "restores a stack that ends at " + std::to_string(end) + ", which its function did not save");
  set_local_end(lane, end);
}

}  // namespace kiln::emulator
