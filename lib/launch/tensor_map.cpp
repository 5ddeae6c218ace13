#include <kiln/tensor_map.hpp>

#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "launch/tensor_map_request.hpp"
#include "memory/context.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <map>
#include <mutex>
#include <optional>

namespace kiln {

namespace {

/// Maps that were encoded before. They hold no resource, so that only their number is to be bounded.
struct EncodedMaps {
  static constexpr std::size_t most = 512;
  ForkSafeMutex mutex;
  std::map<TensorMapRequest, TensorMap> maps;
};

std::optional<TensorMap> find_encoded(const TensorMapRequest& request) {
  EncodedMaps& encoded = fork_safe_instance<EncodedMaps>();
  const std::lock_guard lock(encoded.mutex);
  const auto found = encoded.maps.find(request);
  if (found == encoded.maps.end()) return std::nullopt;
  return found->second;
}

void keep_encoded(const TensorMapRequest& request, const TensorMap& map) {
  EncodedMaps& encoded = fork_safe_instance<EncodedMaps>();
  const std::lock_guard lock(encoded.mutex);
  if (encoded.maps.size() >= EncodedMaps::most) encoded.maps.clear();
  encoded.maps.emplace(request, map);
}

/// The rules were checked before.
void check_encoded(int result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  check_driver(result, call, result == CUDA_ERROR_NOT_SUPPORTED ? "" : " though every rule that it states is kept");
}

CUtensorMap* handle(TensorMap& map) { return reinterpret_cast<CUtensorMap*>(&map); }

void encode_tiled(const TensorMapRequest& request, TensorMap& map) {
  check_encoded(DriverExtras::get().tensor_map_encode_tiled(
                    handle(map), request.type, request.rank, const_cast<void*>(request.pointer), request.sizes.data(),
                    request.strides.data(), request.box.data(), request.element_strides.data(), request.interleave,
                    request.swizzle, request.l2_promotion, request.fill),
                "cuTensorMapEncodeTiled");
}

void encode_im2col(const TensorMapRequest& request, TensorMap& map) {
  check_encoded(DriverExtras::get().tensor_map_encode_im2col(
                    handle(map), request.type, request.rank, const_cast<void*>(request.pointer), request.sizes.data(),
                    request.strides.data(), request.lower_corner.data(), request.upper_corner.data(),
                    request.channels_per_pixel, request.pixels_per_column, request.element_strides.data(),
                    request.interleave, request.swizzle, request.l2_promotion, request.fill),
                "cuTensorMapEncodeIm2col");
}

TensorMap encoded(const TensorMapRequest& request) {
  if (std::optional<TensorMap> known = find_encoded(request)) return *known;
  check_tensor_map(request);
  TensorMap map;
  request.im2col ? encode_im2col(request, map) : encode_tiled(request, map);
  keep_encoded(request, map);
  return map;
}

}  // namespace

static_assert(sizeof(TensorMap) == sizeof(CUtensorMap) && alignof(TensorMap) >= alignof(CUtensorMap));
static_assert(std::is_trivially_copyable_v<TensorMap>);

TensorMap TensorMap::tiled(const TensorMapTiled& tensor) { return encoded(request_of(tensor, current_device())); }

TensorMap TensorMap::im2col(const TensorMapIm2col& tensor) { return encoded(request_of(tensor, current_device())); }

TensorMap TensorMap::with_address(const void* pointer) const {
  constexpr std::uintptr_t alignment = 16;
  if (pointer == nullptr || reinterpret_cast<std::uintptr_t>(pointer) % alignment != 0)
    throw_tensor_map("TensorMap::with_address", "pointer", "device memory at a multiple of 16 bytes",
                     pointer == nullptr ? "null" : "one that is not");
  require_context();
  TensorMap map = *this;
  check_driver(DriverExtras::get().tensor_map_replace_address(handle(map), const_cast<void*>(pointer)),
               "cuTensorMapReplaceAddress",
               ": does the map describe a tensor, and is the address a multiple of 32 bytes if that is interleaved?");
  return map;
}

}  // namespace kiln
