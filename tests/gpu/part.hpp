// Part of a buffer, as a program's own type that stands for device memory.
#pragma once

#include <kiln/device_buffer.hpp>
#include <kiln/device_pointer.hpp>

#include <cstddef>

namespace kiln::test {

template <class T>
struct Part {
  T* address;
  std::size_t count;
  std::size_t size() const { return count; }
};

template <class T>
Part<T> part(const DeviceBuffer<T>& buffer, std::size_t offset, std::size_t count) {
  return {buffer.data() + offset, count};
}

}  // namespace kiln::test

template <class T>
struct kiln::DevicePointer<kiln::test::Part<T>> {
  static T* get(const kiln::test::Part<T>& part) { return part.address; }
};
