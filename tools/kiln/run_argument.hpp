// The arguments of `kiln run`, as they are written: what is to be passed to the kernel.
#pragma once

#include "base/files.hpp"
#include "literal.hpp"
#include "npy_file.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace kiln::tool {

/// 1000, 1.5f; or with the type that is to be passed, half:1.5.
struct ScalarArgument {
  Literal literal;
  const ElementType* stated = nullptr;
};

/// float[1000]=arange, out:float[2x3], @x.npy.
struct VectorArgument {
  enum class Values { none, arange, random, number, file };
  const ElementType* type = nullptr;  // null where the file tells it
  std::vector<std::size_t> shape;
  Values values = Values::none;
  Literal number = {};
  std::string file;
  bool is_out = false;
};

struct NullArgument {};

/// hex:0a1b: a value's bytes, for a struct.
struct BytesArgument {
  std::string bytes;
};

/// A capture's: where it points in one of the memories of the call.
struct MemoryArgument {
  std::size_t memory = 0;
  std::size_t offset = 0;
};

struct RunArgument {
  std::size_t index = 0;
  std::string text;
  std::variant<ScalarArgument, VectorArgument, NullArgument, BytesArgument, MemoryArgument> value;
};

/// Throws ArgumentError with the argument's index and what can be written.
RunArgument read_run_argument(std::size_t index, const std::string& text);

/// The values that the vector has before the launch; what is only written (Values::none) has all bits set. Random
/// numbers depend on the seed and the argument's index alone. Throws ArgumentError for what the type cannot hold, and
/// for files that are not as the argument says.
Array array_of(const RunArgument& argument, const VectorArgument& vector, std::uint64_t seed);

/// Reads an array for the argument of that index, or one to compare it with. Throws ArgumentError with the path.
Array read_npy_file(const std::string& path, std::string (*read)(const std::string&) = read_named_file);

/// "argument 2 (counted from 0), \"float[10]=many\": <fault>".
[[noreturn]] void refuse_run_argument(const RunArgument& argument, const std::string& fault);

}  // namespace kiln::tool
