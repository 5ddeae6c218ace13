// Copies into and out of arrays.
#include "base/argument_error.hpp"
#include "memory/array_impl.hpp"
#include "memory/array_limits.hpp"
#include "memory/context.hpp"

#include <kiln/array.hpp>
#include <kiln/memcpy_3d.hpp>

#include <algorithm>
#include <string>

namespace kiln {

namespace {

std::string sizes_of(const ArrayBox& box) {
  return std::to_string(box.width) + " x " + std::to_string(box.height) + " x " + std::to_string(box.depth);
}

std::size_t checked_extent(const char* axis, std::size_t begin, std::size_t extent, std::size_t size) {
  if (begin < size && extent <= size - begin) return extent != 0 ? extent : size - begin;
  refuse(std::string("Array: the box's range in ") + axis, "inside of 0 to " + std::to_string(size),
         std::to_string(begin) + " and " + std::to_string(extent) + " more");
}

/// The box with its sizes filled in, at least 1 each. Throws ArgumentError unless it lies in the array.
ArrayBox checked_box(ArrayBox box, const ArrayDescriptor& descriptor) {
  box.width = checked_extent("x", box.x, box.width, descriptor.width);
  box.height = checked_extent("y", box.y, box.height, std::max<std::size_t>(descriptor.height, 1));
  box.depth = checked_extent("z", box.z, box.depth, std::max<std::size_t>(descriptor.depth, 1));
  return box;
}

/// How many values of a type of so many channels the box, which is checked, holds.
std::size_t values_in(const ArrayBox& box, const ArrayDescriptor& descriptor, unsigned num_channels) {
  return box.width * box.height * box.depth * (descriptor.num_channels / num_channels);
}

void check_memory(const detail::ArrayMemory& memory, const ArrayBox& box, const ArrayDescriptor& descriptor) {
  if (memory.format != descriptor.format ||
      (memory.num_channels != descriptor.num_channels && memory.num_channels != 1))
    refuse("Array: the type of the elements to copy",
           std::to_string(descriptor.num_channels) + " x " + name_of(descriptor.format),
           std::to_string(memory.num_channels) + " x " + name_of(memory.format));
  const std::size_t wanted = values_in(box, descriptor, memory.num_channels);
  if (memory.count != detail::ArrayMemory::unknown && memory.count != wanted)
    refuse("Array: the number of elements to copy", std::to_string(wanted), std::to_string(memory.count),
           " (the box is " + sizes_of(box) + " in a " + describe(descriptor) + ")");
}

template <class Copy>
void set_sizes(Copy& copy, const ArrayBox& box, const ArrayDescriptor& descriptor) {
  copy.width_in_bytes = box.width * descriptor.element_size();
  copy.height = box.height;
  copy.depth = box.depth;
}

template <class Copy>
void set_array_source(Copy& copy, const Array::Impl& array, const ArrayBox& box) {
  copy.set_src_array(array.handle);
  copy.src_x_in_bytes = box.x * array.descriptor.element_size();
  copy.src_y = box.y;
  copy.src_z = box.z;
}

template <class Copy>
void set_array_target(Copy& copy, const Array::Impl& array, const ArrayBox& box) {
  copy.set_dst_array(array.handle);
  copy.dst_x_in_bytes = box.x * array.descriptor.element_size();
  copy.dst_y = box.y;
  copy.dst_z = box.z;
}

/// In the context of `array`, whose device must be the stream's.
template <class Copy>
void run(const Copy& copy, const Array::Impl& array, const CUstream* stream) {
  const ContextGuard guard(array.context);
  if (stream == nullptr) return copy();
  const int device = stream_device(*stream);
  if (device != array.device)
    refuse("Array: stream", "one of the array's device, " + std::to_string(array.device),
           "one of device " + std::to_string(device));
  copy(*stream);
}

}  // namespace

void Array::write(const detail::ArrayMemory& source, const ArrayBox& box, const CUstream* stream) {
  const Impl& array = *shared();
  const ArrayBox part = checked_box(box, array.descriptor);
  check_memory(source, part, array.descriptor);
  Memcpy3D copy;
  if (source.on_device)
    copy.set_src_device(source.data);
  else
    copy.set_src_host(source.data);
  copy.src_pitch = source.pitch;
  copy.src_height = source.rows;
  set_array_target(copy, array, part);
  set_sizes(copy, part, array.descriptor);
  run(copy, array, stream);
}

void Array::read(const detail::ArrayMemory& target, const ArrayBox& box, const CUstream* stream) const {
  const Impl& array = *shared();
  const ArrayBox part = checked_box(box, array.descriptor);
  check_memory(target, part, array.descriptor);
  Memcpy3D copy;
  set_array_source(copy, array, part);
  if (target.on_device)
    copy.set_dst_device(target.data);
  else
    copy.set_dst_host(const_cast<void*>(target.data));
  copy.dst_pitch = target.pitch;
  copy.dst_height = target.rows;
  set_sizes(copy, part, array.descriptor);
  run(copy, array, stream);
}

void Array::copy_array(const Array& source, const ArrayBox& box, const ArrayBox& source_box, const CUstream* stream) {
  const Impl& to = *shared();
  const Impl& from = *source.shared();
  detail::check_element_type(to.descriptor, from.descriptor.format, from.descriptor.num_channels);
  const ArrayBox to_part = checked_box(box, to.descriptor);
  const ArrayBox from_part = checked_box(source_box, from.descriptor);
  if (sizes_of(to_part) != sizes_of(from_part))
    refuse("Array: the source's box", sizes_of(to_part), sizes_of(from_part));
  const auto set = [&](auto& copy) {
    set_array_source(copy, from, from_part);
    set_array_target(copy, to, to_part);
    set_sizes(copy, to_part, to.descriptor);
  };
  if (from.context == to.context) {
    Memcpy3D copy;
    set(copy);
    return run(copy, to, stream);
  }
  Memcpy3DPeer copy;
  set(copy);
  copy.src_context = from.context;
  copy.dst_context = to.context;
  run(copy, to, stream);
}

void Array::copy_from(const Array& source, const ArrayBox& box, const ArrayBox& source_box) {
  copy_array(source, box, source_box, nullptr);
}

void Array::copy_from(const Array& source, const ArrayBox& box, const ArrayBox& source_box, CUstream stream) {
  copy_array(source, box, source_box, &stream);
}

std::size_t Array::count_in(const ArrayBox& box, unsigned num_channels) const {
  const ArrayDescriptor& descriptor = shared()->descriptor;
  return values_in(checked_box(box, descriptor), descriptor, num_channels);
}

}  // namespace kiln
