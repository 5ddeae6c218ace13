// passkey: what the constructors of public classes take that are for Kiln's own code.
#pragma once

#include <kiln/detail/passkey.hpp>

namespace kiln {

namespace detail {
struct OwnCode {
  static constexpr Passkey passkey() noexcept { return {}; }
};
}  // namespace detail

inline constexpr detail::Passkey passkey = detail::OwnCode::passkey();

}  // namespace kiln
