#include "tune/tune_outputs.hpp"

#include "base/argument_error.hpp"
#include "memory/pointer_info.hpp"
#include "tune/element_difference.hpp"

#include <kiln/event.hpp>
#include <kiln/memcpy.hpp>

#include <utility>

namespace kiln {

namespace {

bool is_read_only(const detail::TunedMemory& memory, const std::vector<Parameter>& parameters) {
  if (memory.is_const) return true;
  if (memory.index >= parameters.size()) return false;
  return parameters[memory.index].type.ends_with("const*");
}

/// Nothing where it is a number or null.
std::optional<MemoryRange> range_of(const detail::TunedMemory& memory) {
  if (memory.address == 0 || memory.bytes == 0) return std::nullopt;
  if (memory.bytes != detail::unknown_count) return MemoryRange{memory.address, memory.bytes};
  const std::optional<MemoryRange> allocation = allocation_of(memory.address);
  if (!allocation && memory.pointee.levels != 0)
    refuse("tune: argument " + std::to_string(memory.index), "memory whose size is known",
           "a pointer that is in no allocation of the driver", "; pass a kiln::DeviceBuffer or a std::span");
  return allocation;
}

}  // namespace

TuneOutputs::TuneOutputs(const std::vector<detail::TunedMemory>& memory, const std::vector<Parameter>& parameters,
                         CUstream stream)
    : stream_(stream) {
  for (const detail::TunedMemory& one : memory) {
    if (is_read_only(one, parameters)) continue;
    const std::optional<MemoryRange> range = range_of(one);
    if (!range) continue;
    Output output{one.index, range->begin, range->bytes, one.pointee, DeviceBuffer<std::byte>(range->bytes)};
    memcpy_dtod_async(output.kept.device_pointer(), output.address, output.bytes, stream_);
    outputs_.push_back(std::move(output));
  }
}

void TuneOutputs::restore() {
  for (const Output& output : outputs_)
    memcpy_dtod_async(output.address, output.kept.device_pointer(), output.bytes, stream_);
}

bool TuneOutputs::make_reference() {
  if (!comparison_) comparison_.emplace(stream_);
  bool is_changed = outputs_.empty();
  for (Output& output : outputs_) {
    const CUdeviceptr kept = output.kept.device_pointer();
    is_changed = is_changed || comparison_->differ(output.address, kept, output.bytes, output.pointee, 0);
    output.reference.emplace(output.bytes);
    memcpy_dtod_async(output.reference->device_pointer(), output.address, output.bytes, stream_);
  }
  Event().record(stream_).synchronize();
  return is_changed;
}

/// Only what differs is copied to the host, which says where.
std::optional<std::string> TuneOutputs::difference(double tolerance) {
  if (!comparison_) comparison_.emplace(stream_);
  for (const Output& output : outputs_) {
    const CUdeviceptr reference = output.reference->device_pointer();
    if (!comparison_->differ(output.address, reference, output.bytes, output.pointee, tolerance)) continue;
    const auto given = content(output.address, output.bytes), wanted = content(reference, output.bytes);
    const auto text = element_difference(given, wanted, output.pointee, tolerance);
    return "argument " + std::to_string(output.index) + ", " + text.value_or("which changes by itself");
  }
  return std::nullopt;
}

std::vector<std::byte> TuneOutputs::content(CUdeviceptr address, std::size_t size) const {
  std::vector<std::byte> bytes(size);
  memcpy_dtoh_async(bytes, address, stream_);
  Event().record(stream_).synchronize();
  return bytes;
}

}  // namespace kiln
