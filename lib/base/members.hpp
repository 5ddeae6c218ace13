// The members of an aggregate: how many there are, and all of them in order.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace kiln {

/// Stands for any member in the question whether an aggregate has so many. Never called.
template <class Owner>
struct AnyMember {
  // NOLINTBEGIN(google-explicit-constructor): an implicit conversion is the question
  template <class Member>
  requires(!std::same_as<std::remove_cvref_t<Member>, Owner>) operator Member&() const&;
  template <class Member>
  requires(!std::same_as<std::remove_cvref_t<Member>, Owner>) operator Member&&() const&&;
  // NOLINTEND(google-explicit-constructor)
};

template <class Struct, class... Found>
constexpr std::size_t count_members() {
  if constexpr (requires { Struct{Found{}..., AnyMember<Struct>{}}; })
    return count_members<Struct, Found..., AnyMember<Struct>>();
  else
    return sizeof...(Found);
}

template <class Struct>
inline constexpr std::size_t member_count = count_members<Struct>();

/// Calls take(first, second, ...) with references to all members.
template <class Struct, class Take>
constexpr decltype(auto) with_members(Struct& value, const Take& take) {
  constexpr std::size_t count = member_count<std::remove_const_t<Struct>>;
  static_assert(std::is_aggregate_v<std::remove_const_t<Struct>> && count <= 23, "one more line is needed below");
  if constexpr (count == 0) {
    return take();
  } else if constexpr (count == 1) {
    auto& [a] = value;
    return take(a);
  } else if constexpr (count == 2) {
    auto& [a, b] = value;
    return take(a, b);
  } else if constexpr (count == 3) {
    auto& [a, b, c] = value;
    return take(a, b, c);
  } else if constexpr (count == 4) {
    auto& [a, b, c, d] = value;
    return take(a, b, c, d);
  } else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = value;
    return take(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto& [a, b, c, d, e, f] = value;
    return take(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto& [a, b, c, d, e, f, g] = value;
    return take(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    auto& [a, b, c, d, e, f, g, h] = value;
    return take(a, b, c, d, e, f, g, h);
  } else if constexpr (count == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = value;
    return take(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = value;
    return take(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (count == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
    return take(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (count == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
    return take(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (count == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
    return take(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (count == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value;
    return take(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (count == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
    return take(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  } else if constexpr (count == 16) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
    return take(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  } else if constexpr (count == 17) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = value;
    return take(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
  } else if constexpr (count == 18) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = value;
    return take(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
  } else if constexpr (count == 19) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = value;
    return take(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
  } else if constexpr (count == 20) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = value;
    return take(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
  } else if constexpr (count == 21) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = value;
    return take(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
  } else if constexpr (count == 22) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v] = value;
    return take(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
  } else if constexpr (count == 23) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w] = value;
    return take(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w);
  }
}

}  // namespace kiln
