#include "launch/types_fit.hpp"

#include "base/text_parts.hpp"
#include "toolkit/names/bracket_depth.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

namespace {

/// A builtin scalar of CUDA C++ on 64-bit Linux.
struct BuiltinType {
  std::string_view name;
  std::size_t size;
  bool is_floating;
};

/// A demangled type in parts. A reference is passed as an address, too; an array counts as its elements.
struct TypeShape {
  std::string_view base;  // without qualifiers, pointers, references and extents
  int pointers = 0;
  bool is_void() const { return base == "void"; }
};

constexpr std::array<BuiltinType, 21> builtin_types = {{{"bool", 1, false},
                                                        {"char", 1, false},
                                                        {"signed char", 1, false},
                                                        {"unsigned char", 1, false},
                                                        {"char8_t", 1, false},
                                                        {"short", 2, false},
                                                        {"unsigned short", 2, false},
                                                        {"char16_t", 2, false},
                                                        {"int", 4, false},
                                                        {"unsigned int", 4, false},
                                                        {"char32_t", 4, false},
                                                        {"wchar_t", 4, false},
                                                        {"long", 8, false},
                                                        {"unsigned long", 8, false},
                                                        {"long long", 8, false},
                                                        {"unsigned long long", 8, false},
                                                        {"__int128", 16, false},
                                                        {"unsigned __int128", 16, false},
                                                        {"float", 4, true},
                                                        {"double", 8, true},
                                                        {"long double", 16, true}}};

constexpr std::array<std::string_view, 5> qualifiers = {"const", "volatile", "restrict", "__restrict", "__restrict__"};

bool ends_with_word(std::string_view text, std::string_view word) {
  return text.size() > word.size() && text.ends_with(word) &&
         std::string_view(" *").find(text[text.size() - word.size() - 1]) != std::string_view::npos;
}

/// Null for void, classes, enumerations and all else.
const BuiltinType* builtin_type(std::string_view base) {
  const auto* const found = std::find_if(builtin_types.begin(), builtin_types.end(),
                                         [&](const BuiltinType& known) { return known.name == base; });
  return found == builtin_types.end() ? nullptr : found;
}

/// "float const (&) [3]" in parts: "float const" and "&".
struct ArrayAddress {
  std::string_view element;
  std::string_view address;
};
std::optional<ArrayAddress> array_address(std::string_view type) {
  const std::size_t close = type.rfind(") [");
  if (!type.ends_with(']') || close == std::string_view::npos) return std::nullopt;
  const std::size_t open = type.rfind('(', close);
  if (open == std::string_view::npos || open + 1 == close || (type[open + 1] != '*' && type[open + 1] != '&'))
    return std::nullopt;
  return ArrayAddress{type.substr(0, open), type.substr(open + 1, close - open - 1)};
}

/// Demanglers write all qualifiers after what they qualify.
TypeShape shape_of(std::string_view type) {
  TypeShape shape;
  for (;;) {
    while (type.ends_with(' ')) type.remove_suffix(1);
    const auto qualifier = std::find_if(qualifiers.begin(), qualifiers.end(),
                                        [&](std::string_view word) { return ends_with_word(type, word); });
    if (qualifier != qualifiers.end()) {
      type.remove_suffix(qualifier->size());
    } else if (type.ends_with("&&")) {
      type.remove_suffix(2);
      ++shape.pointers;
    } else if (type.ends_with('*') || type.ends_with('&')) {
      type.remove_suffix(1);
      ++shape.pointers;
    } else if (const std::optional<ArrayAddress> array = array_address(type)) {
      const TypeShape address = shape_of(array->address), element = shape_of(array->element);
      return {element.base, element.pointers + address.pointers + shape.pointers};
    } else {
      shape.base = type;
      return shape;
    }
  }
}

}  // namespace

std::size_t pointee_size(std::string_view kernel_type) {
  const TypeShape shape = shape_of(kernel_type);
  if (shape.pointers != 1) return shape.pointers > 1 ? sizeof(void*) : 0;
  if (shape.base == "__half" || shape.base == "__nv_bfloat16") return 2;
  const BuiltinType* const type = builtin_type(shape.base);
  return type == nullptr ? 0 : type->size;
}

bool types_fit(std::string_view kernel_type, std::string_view host_type) {
  const TypeShape kernel = shape_of(kernel_type);
  const TypeShape host = shape_of(host_type);
  const bool kernel_any = kernel.pointers == 1 && kernel.is_void();
  const bool host_any = host.pointers == 1 && host.is_void();
  if ((kernel_any && host.pointers > 0) || (host_any && kernel.pointers > 0)) return true;
  const bool kernel_builtin = builtin_type(kernel.base) != nullptr;
  const bool host_builtin = builtin_type(host.base) != nullptr;
  if (kernel.base == host.base) return kernel.pointers == host.pointers;
  if (kernel.pointers == 0 && host.pointers == 0) return !kernel_builtin || !host_builtin;
  const bool both_classes = !kernel_builtin && !host_builtin && !kernel.is_void() && !host.is_void();
  return both_classes && kernel.pointers == host.pointers;
}

namespace {

using Kind = detail::Pointee::Kind;

bool is_untyped(std::string_view base) {
  return base == "void" || base == "char" || base == "unsigned char" || base == "std::byte";
}

bool holds_addresses(Kind kind, std::size_t size) { return kind == Kind::integer && size == sizeof(void*); }

/// Both without pointers.
bool values_fit(std::string_view kernel_base, const detail::Pointee& host) {
  const BuiltinType* const kernel = builtin_type(kernel_base);
  if (kernel == nullptr) return true;
  if (host.kind == Kind::other) return host.size % kernel->size == 0;
  return host.size == kernel->size && (host.kind == Kind::floating) == kernel->is_floating;
}

}  // namespace

bool pointee_fits(std::string_view kernel_type, const detail::Pointee& host) {
  const TypeShape kernel = shape_of(kernel_type);
  const auto host_levels = static_cast<int>(host.levels);
  // Pointers to functions are not taken apart.
  if (kernel.pointers == 0 || host_levels == 0 || kernel.base.ends_with(')')) return true;
  // The memory behind as many levels as both have.
  const int levels = std::min(kernel.pointers, host_levels);
  if (kernel.pointers == levels && is_untyped(kernel.base)) return true;
  if (host_levels == levels && host.kind == Kind::untyped) return true;
  if (kernel.pointers == host_levels) return values_fit(kernel.base, host);
  // Addresses kept as integers, or a class that has them.
  if (host_levels < kernel.pointers) return holds_addresses(host.kind, host.size) || host.kind == Kind::other;
  const BuiltinType* const value = builtin_type(kernel.base);
  return value == nullptr || holds_addresses(value->is_floating ? Kind::floating : Kind::integer, value->size);
}

namespace {

/// A template's instance in parts, without the namespaces that it is in.
struct InstanceShape {
  std::string_view name;
  std::vector<std::string_view> arguments;
};

std::string_view without_namespace(std::string_view name) {
  const std::size_t colon = name.rfind("::", name.find('<'));
  return colon == std::string_view::npos ? name : name.substr(colon + 2);
}

InstanceShape instance_shape(std::string_view type) {
  const std::string_view base = without_namespace(shape_of(type).base);
  const std::size_t open = base.find('<'), close = base.rfind('>');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {base, {}};
  return {base.substr(0, open), split_outside_brackets(base.substr(open + 1, close - open - 1), ",")};
}

bool values_fit(std::string_view kernel_type, std::string_view host_type) {
  const BuiltinType* const kernel = builtin_type(kernel_type);
  const BuiltinType* const host = builtin_type(host_type);
  return kernel == nullptr || host == nullptr ||
         (kernel->size == host->size && kernel->is_floating == host->is_floating);
}

bool elements_fit(std::string_view kernel_type, std::string_view host_type) {
  const TypeShape kernel = shape_of(trimmed(kernel_type)), host = shape_of(trimmed(host_type));
  return kernel.pointers == host.pointers && values_fit(kernel.base, host.base);
}

bool extents_fit(std::string_view kernel_type, std::string_view host_type) {
  const InstanceShape kernel = instance_shape(trimmed(kernel_type)), host = instance_shape(trimmed(host_type));
  if (kernel.arguments.size() != host.arguments.size() || kernel.arguments.empty()) return false;
  if (!values_fit(trimmed(kernel.arguments[0]), trimmed(host.arguments[0]))) return false;
  return std::equal(kernel.arguments.begin() + 1, kernel.arguments.end(), host.arguments.begin() + 1,
                    [](std::string_view one, std::string_view other) { return trimmed(one) == trimmed(other); });
}

bool layouts_fit(std::string_view kernel_type, std::string_view host_type) {
  return without_namespace(trimmed(kernel_type)) == without_namespace(trimmed(host_type));
}

}  // namespace

bool views_fit(std::string_view kernel_type, std::string_view host_type) {
  const InstanceShape kernel = instance_shape(kernel_type), host = instance_shape(host_type);
  const auto has_dimensions = [](const InstanceShape& type) {  // also cuda::device_mdspan
    return type.name.ends_with("mdspan") && type.arguments.size() >= 3;
  };
  const auto is_span = [](const InstanceShape& type) { return type.name == "span" && type.arguments.size() >= 2; };
  if (has_dimensions(kernel) && has_dimensions(host))
    return elements_fit(kernel.arguments[0], host.arguments[0]) &&
           extents_fit(kernel.arguments[1], host.arguments[1]) && layouts_fit(kernel.arguments[2], host.arguments[2]);
  if (is_span(kernel) && is_span(host))
    return elements_fit(kernel.arguments[0], host.arguments[0]) &&
           trimmed(kernel.arguments[1]) == trimmed(host.arguments[1]);
  const bool are_both_views = (has_dimensions(kernel) || is_span(kernel)) && (has_dimensions(host) || is_span(host));
  return !are_both_views;
}

}  // namespace kiln
