// The codes of prepared functions: PyCUDA's letters, which are those of Python's struct, and CUDA's names.
#pragma once

#include <kiln/code_object.hpp>
#include <kiln/detail/argument.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// One argument, as a code says it.
struct ArgumentCode {
  /// What is passed: a scalar that numbers are converted to; or a value of `size` bytes that is no scalar (object), or
  /// any (bytes).
  enum class Value { pointer, integer, boolean, character, floating, half, bfloat16, object, bytes };

  /// As it was written, "i" or "float4"; of a C++ type its name.
  std::string text;
  /// Such as "unsigned int"; empty of a C++ type.
  std::string type;
  Value value = Value::object;
  bool is_signed = false;
  std::size_t size = 0;
  /// 0 where the code does not define it: bytes, and classes of the host.
  std::size_t alignment = 0;
  /// Bytes that 'x' puts before it.
  std::size_t padding = 0;

  ParameterKind kind() const noexcept;
  /// "code i (int, 4 bytes)".
  std::string describe() const;
};

/// "PPPi", "P12s4x2f". Throws ArgumentError, with the known codes, for an unknown one; `kernel` is for its text.
std::vector<ArgumentCode> read_codes(const std::string& kernel, std::string_view codes);
/// {"P", "float4", "12s"}: each as above, or a name.
std::vector<ArgumentCode> read_codes(const std::string& kernel, const std::vector<std::string>& codes);
/// Those of C++ types.
std::vector<ArgumentCode> codes_of(const detail::Signature& signature);

}  // namespace kiln
