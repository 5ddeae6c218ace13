#include "emulator/instructions/device_runtime/device_errors.hpp"

#include "emulator/memory/address_space.hpp"

#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace kiln::emulator {
namespace {

struct DeviceErrorRow {
  std::int32_t error;
  std::string_view name, text;
};
// What functions of the device runtime return. The last row is for all others.
constexpr DeviceErrorRow device_error_rows[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {65, "cudaErrorLaunchMaxDepthExceeded",
     "launch failed because launch would exceed maximum depth of nested launches"},
    {69, "cudaErrorLaunchPendingCountExceeded",
     "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"},
    {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {215, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture"},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {-1, "unrecognized error code", "unrecognized error code"},
};

const DeviceErrorRow& error_row_of(std::int32_t error) {
  const DeviceErrorRow* row = std::begin(device_error_rows);
  while (row != std::end(device_error_rows) - 1 && row->error != error) ++row;
  return *row;
}

// All device_error_texts with their zeros, for as long as the process runs.
std::uint64_t device_error_texts() {
  static const std::uint64_t address = [] {
    std::string all;
    for (const DeviceErrorRow& row : device_error_rows)
      all.append(row.name).append(1, '\0').append(row.text).append(1, '\0');
    const std::uint64_t made = AddressSpace::get().allocate(all.size(), Allocation::Kind::constant, 0);
    if (made != 0) std::memcpy(reinterpret_cast<void*>(made), all.data(), all.size());
    return made;
  }();
  return address;
}

std::uint64_t text_place(std::int32_t error, bool of_name) {
  const std::uint64_t begin = device_error_texts();
  if (begin == 0) return 0;
  const DeviceErrorRow& wanted = error_row_of(error);
  std::uint64_t offset = 0;
  for (const DeviceErrorRow* row = std::begin(device_error_rows); row != &wanted; ++row)
    offset += row->name.size() + row->text.size() + 2;
  return begin + offset + (of_name ? 0 : wanted.name.size() + 1);
}

}  // namespace

std::uint64_t device_error_name(std::int32_t error) { return text_place(error, true); }
std::uint64_t device_error_text(std::int32_t error) { return text_place(error, false); }

}  // namespace kiln::emulator
