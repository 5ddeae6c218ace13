// The values of a vector before the launch.
#include "run_argument.hpp"

#include "base/argument_error.hpp"
#include "base/files.hpp"
#include "element_value.hpp"

#include <kiln/error.hpp>

#include <cstring>
#include <new>
#include <random>

namespace kiln::tool {

namespace {

/// The type of a complex number's parts; every other type itself.
const ElementType& part_type(const ElementType& type) {
  static const ElementType* const single = element_type("float");
  static const ElementType* const twice = element_type("double");
  if (type.kind != ElementType::Kind::complex) return type;
  return type.size == 8 ? *single : *twice;
}

/// Writes a whole number as an element; false where it has no place in the type.
bool put_whole(std::uint64_t number, const ElementType& type, char* element) {
  static const ElementType* const own = element_type("unsigned long");
  return convert_literal({own, number}, part_type(type), element);
}

/// A number below 1 that the type holds exactly, by the highest of 64 random bits.
void put_fraction(std::uint64_t bits, const ElementType& type, char* element) {
  int digits = 53;
  if (type.size == sizeof(float)) digits = 24;
  if (type.kind == ElementType::Kind::half) digits = 11;
  if (type.kind == ElementType::Kind::bfloat16) digits = 8;
  const double value = static_cast<double>(bits >> (64 - digits)) / static_cast<double>(std::uint64_t{1} << digits);
  static const ElementType* const own = element_type("double");
  Literal literal{own, 0};
  std::memcpy(&literal.bits, &value, sizeof value);
  (void)convert_literal(literal, type, element);
}

/// Of the standard's engine alone: its distributions differ from library to library.
void put_random(std::mt19937_64& engine, const ElementType& type, char* element) {
  if (type.is_whole()) {
    (void)put_whole(engine() % (type.kind == ElementType::Kind::boolean ? 2 : 100), type, element);
  } else if (type.kind == ElementType::Kind::complex) {
    const ElementType& part = part_type(type);
    put_fraction(engine(), part, element);
    put_fraction(engine(), part, element + part.size);
  } else {
    put_fraction(engine(), type, element);
  }
}

void repeat_number(const Literal& number, Array& array) {
  const std::size_t size = array.type->size;
  if (array.bytes.empty()) return;
  (void)convert_literal(number, part_type(*array.type), array.bytes.data());
  for (std::size_t at = size; at < array.bytes.size(); at += size)
    std::memcpy(array.bytes.data() + at, array.bytes.data(), size);
}

void fill_values(const RunArgument& argument, const VectorArgument& vector, std::uint64_t seed, Array& array) {
  if (vector.values == VectorArgument::Values::number) return repeat_number(vector.number, array);
  // Arguments of one call differ, and seeds side by side, too.
  std::mt19937_64 engine(seed + (argument.index + 1) * std::uint64_t{0x9e3779b97f4a7c15});
  const std::size_t count = array.count();
  for (std::size_t i = 0; i < count; ++i) {
    char* const element = array.bytes.data() + i * array.type->size;
    if (vector.values == VectorArgument::Values::random)
      put_random(engine, *array.type, element);
    else if (!put_whole(i, *array.type, element))
      refuse_run_argument(
          argument, "the numbers go to " + std::to_string(count - 1) + "; expected " + literal_range(*array.type));
  }
}

/// Of a file with the type and the shape that the argument states.
Array stated_file(const RunArgument& argument, const VectorArgument& vector) {
  Array array = read_npy_file(vector.file);
  if (vector.type == nullptr) return array;
  const bool same_type = array.type->kind == vector.type->kind && array.type->size == vector.type->size &&
                         array.type->is_signed == vector.type->is_signed;
  const bool is_wide = vector.type->kind == ElementType::Kind::bfloat16 && array.type->name == "float";
  if (array.shape != vector.shape || (!same_type && !is_wide))
    refuse_run_argument(argument, "the file has " + array_type_text(*array.type, array.shape));
  if (same_type) {
    array.type = vector.type;
    return array;
  }
  Array narrow{vector.type, array.shape, std::string(array.bytes.size() / 2, '\0')};
  for (std::size_t i = 0; i < array.count(); ++i) {
    Literal literal{array.type, 0};
    std::memcpy(&literal.bits, array.element(i), array.type->size);
    if (!convert_literal(literal, *narrow.type, narrow.bytes.data() + 2 * i))
      refuse_run_argument(argument, element_text(*array.type, array.element(i)) + " of the file is no bfloat16");
  }
  return narrow;
}

}  // namespace

Array read_npy_file(const std::string& path, std::string (*read)(const std::string&)) {
  std::string fault;
  try {
    return read_npy(read(path));
  } catch (const Error& error) {
    fault = error.what();
  }
  if (fault.find(path) == std::string::npos) fault = path + ": " + fault;
  throw_argument_error(fault, "a file of NumPy's (.npy)", path);
}

Array array_of(const RunArgument& argument, const VectorArgument& vector, std::uint64_t seed) {
  if (vector.values == VectorArgument::Values::file) return stated_file(argument, vector);
  Array array{vector.type, vector.shape, {}};
  std::size_t bytes = 0;
  (void)array_bytes(*vector.type, vector.shape, bytes);  // it was looked at when the argument was read
  const bool is_unset = vector.values == VectorArgument::Values::none;
  try {
    array.bytes.assign(bytes, is_unset ? '\xff' : '\0');
  } catch (const std::exception&) {
    refuse_run_argument(argument, "this machine has no memory for its " + std::to_string(bytes) + " bytes");
  }
  if (!is_unset) fill_values(argument, vector, seed, array);
  return array;
}

}  // namespace kiln::tool
