#include "launch/types_fit.hpp"

#include "launch/type_shape.hpp"

#include <algorithm>

namespace kiln {

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
  // Pointers to functions and arrays are not taken apart.
  if (kernel.pointers == 0 || host_levels == 0 || kernel.base.ends_with(')') || kernel.base.ends_with(']')) return true;
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

}  // namespace kiln
