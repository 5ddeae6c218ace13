// Comparison of the host's C++ type names (base/type_name.hpp) with those in a kernel's symbol.
#pragma once

#include <kiln/detail/argument.hpp>

#include <cstddef>
#include <string_view>

namespace kiln {

/// Whether a value of the host's type can be meant for a parameter of the kernel's: builtin scalars and pointers to
/// them must be the same, const, volatile and restrict apart; void* fits every pointer; a class or enumeration fits
/// every other non-pointer and a pointer to one every other pointer to one, as their names may differ.
bool types_fit(std::string_view kernel_type, std::string_view host_type);

/// The size of what a pointer to a scalar, a half or another pointer points to; 0 for classes and other types.
std::size_t pointee_size(std::string_view kernel_type);

/// Whether a pointer may be passed for the kernel's by a call that states no types, by what lies behind both: integers
/// of one size, whatever their names and signs, and floating numbers of one size; integers of 64 bits for addresses;
/// void and the byte types (char, unsigned char, std::byte) for everything, as C++ lets them alias anything; a class or
/// enumeration of the kernel for everything, as the host may have another name for it; a class of the host for a scalar
/// of the kernel that divides its size. const, volatile and restrict apart. True for what is no pointer.
bool pointee_fits(std::string_view kernel_type, const detail::Pointee& host);

/// Whether a span or an mdspan may be passed by value for the kernel's, by its elements, extents and layout: views of
/// one size may differ in all of these. Elements fit as pointers to them do; extents must be the same, in an index type
/// of one size. The namespaces of libraries are left aside, so that std::mdspan fits cuda::std::mdspan. True where
/// either is no view.
bool views_fit(std::string_view kernel_type, std::string_view host_type);

}  // namespace kiln
