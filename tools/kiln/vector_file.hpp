// Options that name a file for one of a call's vectors: --save 2=y.npy, --expect ref.npy.
#pragma once

#include "kernel_call.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kiln::tool {

/// "2=y.npy", or a path alone.
struct VectorFile {
  std::optional<std::size_t> index;
  std::string path;
};
VectorFile read_vector_file(const std::string& text);

/// The place in vectors() of what an option names. Throws ArgumentError with those that there are.
std::size_t vector_place(const KernelCall& call, const std::string& option, const std::optional<std::size_t>& index);

/// A file to compare with, and the vector.
struct Expected {
  std::string path;
  Array array;
  std::optional<std::size_t> index;
  std::size_t place = 0;
  bool is_captured = false;  // what the program of a capture computed
};

/// Reads what --expect names; the vectors' places are open yet.
std::vector<Expected> read_expected(const std::vector<std::string>& texts);
/// Throws ArgumentError for files of other shapes than the vectors.
void place_expected(const KernelCall& call, std::vector<Expected>& expected);
/// A digest of the vectors' places, types and values: others expect something else.
std::string digest_of_expected(const std::vector<Expected>& expected);

}  // namespace kiln::tool
