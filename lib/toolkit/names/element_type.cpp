#include "toolkit/names/element_type.hpp"

#include "toolkit/names/type_name.hpp"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <utility>

namespace kiln {

namespace {

struct SmallNumber {
  std::uint16_t bits;
};

using ElementKind = ElementType::Kind;

/// What a launch knows of a vector's address.
template <class T>
detail::ArgumentInfo pointer_info() {
  if constexpr (!std::is_class_v<T>) return detail::argument_info<T*>();
  detail::ArgumentInfo info = detail::argument_info<void*>();
  info.pointee = {1, detail::Pointee::Kind::other, sizeof(T)};
  return info;
}

template <class T>
constexpr ElementType row(std::string_view name, ElementKind kind, std::string_view numpy) {
  return {name,           kind, std::is_signed_v<T>, sizeof(T), numpy, [] { return detail::argument_info<T>(); },
          pointer_info<T>};
}

// Of several with one name in NumPy the first is what a file's elements are.
constexpr ElementType element_types[] = {
    row<bool>("bool", ElementKind::boolean, "b1"),
    row<signed char>("signed char", ElementKind::integer, "i1"),
    row<char>("char", ElementKind::integer, "i1"),
    row<unsigned char>("unsigned char", ElementKind::integer, "u1"),
    row<short>("short", ElementKind::integer, "i2"),
    row<unsigned short>("unsigned short", ElementKind::integer, "u2"),
    row<int>("int", ElementKind::integer, "i4"),
    row<unsigned>("unsigned int", ElementKind::integer, "u4"),
    row<long>("long", ElementKind::integer, "i8"),
    row<unsigned long>("unsigned long", ElementKind::integer, "u8"),
    row<long long>("long long", ElementKind::integer, "i8"),
    row<unsigned long long>("unsigned long long", ElementKind::integer, "u8"),
    row<SmallNumber>("half", ElementKind::half, "f2"),
    row<SmallNumber>("bfloat16", ElementKind::bfloat16, ""),
    row<float>("float", ElementKind::floating, "f4"),
    row<double>("double", ElementKind::floating, "f8"),
    row<std::complex<float>>("complex<float>", ElementKind::complex, "c8"),
    row<std::complex<double>>("complex<double>", ElementKind::complex, "c16"),
};

constexpr std::pair<std::string_view, std::string_view> other_names[] = {
    {"int8", "signed char"},
    {"uint8", "unsigned char"},
    {"uchar", "unsigned char"},
    {"int16", "short"},
    {"uint16", "unsigned short"},
    {"ushort", "unsigned short"},
    {"int32", "int"},
    {"uint32", "unsigned int"},
    {"uint", "unsigned int"},
    {"int64", "long"},
    {"uint64", "unsigned long"},
    {"ulong", "unsigned long"},
    {"size_t", "unsigned long"},
    {"float16", "half"},
    {"__half", "half"},
    {"__nv_bfloat16", "bfloat16"},
    {"float32", "float"},
    {"float64", "double"},
    {"complex64", "complex<float>"},
    {"complex128", "complex<double>"},
};

}  // namespace

const ElementType* element_type(std::string_view name) {
  std::string wanted = canonical_type(name);
  for (const auto& [other, own] : other_names)
    if (other == wanted) wanted = own;
  const auto* const found = std::find_if(std::begin(element_types), std::end(element_types),
                                         [&](const ElementType& type) { return type.name == wanted; });
  return found == std::end(element_types) ? nullptr : found;
}

const ElementType* element_type_of_numpy(std::string_view numpy) {
  if (numpy.empty()) return nullptr;
  const auto* const found = std::find_if(std::begin(element_types), std::end(element_types),
                                         [&](const ElementType& type) { return type.numpy == numpy; });
  return found == std::end(element_types) ? nullptr : found;
}

const ElementType* element_behind(std::string_view pointer_type) {
  if (!pointer_type.ends_with('*')) return nullptr;
  pointer_type.remove_suffix(1);
  constexpr std::string_view qualifier = " const";
  if (pointer_type.ends_with(qualifier)) pointer_type.remove_suffix(qualifier.size());
  return element_type(pointer_type);
}

std::string element_type_names() {
  std::string names;
  for (const ElementType& type : element_types) names += (names.empty() ? "" : ", ") + std::string(type.name);
  return names + ", or NumPy's names for them";
}

}  // namespace kiln
