#include "emulator/provider/stream/copy.hpp"

#include "emulator/memory/relaxed_copy.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/memory.hpp"
#include "emulator/provider/context/stream_state.hpp"
#include "emulator/provider/stream/capture.hpp"

#include <memory>
#include <vector>

namespace kiln::emulator {
namespace {

bool is_device_side(std::uint64_t address, Side side) {
  require(address != 0);
  return side == Side::device || is_known(address);
}

void check(const CopyRequest& request) {
  if (is_device_side(request.to, request.to_side)) (void)writable_range_of(request.to, request.size);
  if (is_device_side(request.from, request.from_side)) (void)range_of(request.from, request.size);
}

CUresult copy_all(std::uint64_t to, const void* from, std::size_t size) {
  relaxed_copy(reinterpret_cast<void*>(to), from, size);
  AddressSpace::get().mark_written(to, size);
  return CUDA_SUCCESS;
}

CUresult copy_all(const CopyRequest& request) {
  return copy_all(request.to, reinterpret_cast<const void*>(request.from), request.size);
}

Work staged(const CopyRequest& request) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(request.from);
  auto kept = std::make_shared<std::vector<std::byte>>(bytes, bytes + request.size);
  return [request, kept] { return copy_all(request.to, kept->data(), kept->size()); };
}

}  // namespace

CUresult copy_now(const CopyRequest& request) {
  const StreamPtr stream = stream_of(nullptr);
  refuse_in_capture(*stream);
  if (request.size == 0) return CUDA_SUCCESS;
  check(request);
  return run_in_order(*stream, [&] { return copy_all(request); });
}

CUresult copy_in_order(const CopyRequest& request, CUstream handle) {
  const StreamPtr stream = stream_of(handle);
  const bool captured = capture_of(*stream) != nullptr;
  if (request.size == 0) return CUDA_SUCCESS;
  check(request);
  const auto whole = [request] { return copy_all(request); };
  if (!captured && !is_known(request.to)) return run_in_order(*stream, whole);
  if (!captured && !is_known(request.from))
    enqueue(handle, staged(request), "memcpy");
  else
    enqueue(handle, whole, "memcpy");
  return CUDA_SUCCESS;
}

}  // namespace kiln::emulator
