#include <kiln/detail/global_variable.hpp>

#include "base/argument_error.hpp"

#include <kiln/memset.hpp>

#include <cstring>
#include <string>

namespace kiln::detail {

namespace {

std::string subject(const std::string& name) { return "the variable \"" + name + "\""; }
std::string in_bytes(std::size_t size) { return std::to_string(size) + (size == 1 ? " byte" : " bytes"); }

/// One fill for each run of equal words.
template <class Word, class Fill>
void write_runs(CUdeviceptr dest, const void* value, std::size_t bytes, Fill fill) {
  const std::size_t count = bytes / sizeof(Word);
  const auto word_at = [&](std::size_t index) {
    Word word;
    std::memcpy(&word, static_cast<const char*>(value) + index * sizeof(Word), sizeof word);
    return word;
  };
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    const Word word = word_at(begin);
    while (end < count && word_at(end) == word) ++end;
    fill(dest + begin * sizeof(Word), word, end - begin);
  }
}

}  // namespace

void check_variable_size(const std::string& name, std::size_t size, std::size_t given) {
  if (given == size) return;
  throw_argument_error(subject(name) + " has " + in_bytes(size) + ", the value " + in_bytes(given) +
                           ": give a value of the variable's own type (a part is written by memcpy_htod(pointer, ...))",
                       in_bytes(size), in_bytes(given));
}

void check_variable_container(const std::string& name, std::size_t size, std::size_t given) {
  if (given == size) return;
  throw_argument_error(subject(name) + " has " + in_bytes(size) + ", the container " + in_bytes(given) +
                           ": give one of exactly its size (a part is written by memcpy_htod(pointer, container))",
                       in_bytes(size), in_bytes(given));
}

void check_variable_elements(const std::string& name, std::size_t size, std::size_t element_size) {
  if (size % element_size == 0) return;
  throw_argument_error(subject(name) + " has " + in_bytes(size) + ", which are no whole elements of " +
                           in_bytes(element_size) + ": read it as elements of the variable's own type",
                       "elements of which " + in_bytes(size) + " consist", "elements of " + in_bytes(element_size));
}

void write_words(CUdeviceptr dest, const void* value, std::size_t bytes, CUstream stream) {
  // A struct of chars may lie at any address.
  const bool in_words = (dest | bytes) % sizeof(unsigned) == 0;
  if (in_words)
    write_runs<unsigned>(dest, value, bytes, [&](CUdeviceptr at, unsigned word, std::size_t count) {
      memset_d32_async(at, word, count, stream);
    });
  else
    write_runs<unsigned char>(dest, value, bytes, [&](CUdeviceptr at, unsigned char byte, std::size_t count) {
      memset_d8_async(at, byte, count, stream);
    });
}

}  // namespace kiln::detail
