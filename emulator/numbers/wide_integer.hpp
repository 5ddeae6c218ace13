// Integers of twice the width, and the high half of a product.
#pragma once

#include <cstdint>
#include <type_traits>

namespace kiln::emulator {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

template <class T>
struct WiderOf;
template <>
struct WiderOf<std::uint16_t> : std::type_identity<std::uint32_t> {};
template <>
struct WiderOf<std::int16_t> : std::type_identity<std::int32_t> {};
template <>
struct WiderOf<std::uint32_t> : std::type_identity<std::uint64_t> {};
template <>
struct WiderOf<std::int32_t> : std::type_identity<std::int64_t> {};
template <>
struct WiderOf<std::uint64_t> : std::type_identity<Uint128> {};
template <>
struct WiderOf<std::int64_t> : std::type_identity<Int128> {};
template <class T>
using Wider = typename WiderOf<T>::type;

template <class T>
T high_half(T a, T b) {
  return static_cast<T>((static_cast<Wider<T>>(a) * b) >> (8 * sizeof(T)));
}

}  // namespace kiln::emulator
