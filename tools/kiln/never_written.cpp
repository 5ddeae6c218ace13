#include "never_written.hpp"

#include "base/shared_library.hpp"
#include "expectation.hpp"
#include "toolkit/driver/driver.hpp"

#include <kiln/error.hpp>

#include <algorithm>

namespace kiln::tool {

namespace {

FunctionAddress emulator_function(const char* name) { return {Driver::get().symbols.exported(name)}; }

/// For each byte, whether it was never written.
std::string unwritten_bytes(const Array& array, CUdeviceptr address, bool is_followed) {
  std::string unwritten(array.bytes.size(), '\0');
  if (!is_followed) {
    std::transform(array.bytes.begin(), array.bytes.end(), unwritten.begin(), [](char byte) { return byte == '\xff'; });
    return unwritten;
  }
  CUresult (*const ask)(CUdeviceptr, std::size_t, char*) = emulator_function("kiln_driver_unwritten");
  if (ask(address, unwritten.size(), unwritten.data()) != CUDA_SUCCESS)
    throw Error("the emulator does not tell which memory was written");
  return unwritten;
}

void add(std::size_t element, std::size_t& count, std::size_t& first) {
  if (count++ == 0) first = element;
}

}  // namespace

bool follow_writes(CUdeviceptr address, std::size_t bytes) {
  CUresult (*const follow)(CUdeviceptr, std::size_t) = emulator_function("kiln_driver_follow_writes");
  return follow != nullptr && follow(address, bytes) == CUDA_SUCCESS;
}

std::optional<NeverWritten> never_written(const Array& array, CUdeviceptr address, bool is_followed) {
  const std::string unwritten = unwritten_bytes(array, address, is_followed);
  NeverWritten elements;
  elements.is_certain = is_followed;
  const auto size = static_cast<std::ptrdiff_t>(array.type->size);
  for (std::size_t i = 0; i < array.count(); ++i) {
    const auto begin = unwritten.begin() + static_cast<std::ptrdiff_t>(i) * size;
    const std::ptrdiff_t bytes = std::count(begin, begin + size, '\1');
    if (bytes == size)
      add(i, elements.count, elements.first);
    else if (bytes != 0 && is_followed)
      add(i, elements.in_part, elements.first_in_part);
  }
  if (elements.count == 0 && elements.in_part == 0) return std::nullopt;
  return elements;
}

std::string never_written_text(const NeverWritten& elements, const Array& array) {
  const std::string all = std::to_string(array.count());
  const auto place = [&](std::size_t element) { return ", the first is " + element_place(array.shape, element); };
  std::string text;
  if (!elements.is_certain)
    text = std::to_string(elements.count) + " of " + all +
           " elements have all bits set, as before the launch, which may never have written them" +
           place(elements.first);
  else if (elements.count == array.count())
    text = elements.count == 1 ? "its only element was never written" : "none of its " + all + " elements was written";
  else if (elements.count != 0)
    text = std::to_string(elements.count) + " of " + all + (elements.count == 1 ? " elements was" : " elements were") +
           " never written" + place(elements.first);
  if (elements.in_part == 0) return text;
  if (!text.empty()) return text + "; " + std::to_string(elements.in_part) + " in part" + place(elements.first_in_part);
  return std::to_string(elements.in_part) + " of " + all + " elements were written in part" +
         place(elements.first_in_part);
}

}  // namespace kiln::tool
