// Passkey: marks constructors that are for Kiln's own code.
#pragma once

namespace kiln::detail {

/// Only Kiln's own code can make one: OwnCode is defined there. So nothing else can call what takes one.
class Passkey {
  friend struct OwnCode;
  constexpr Passkey() noexcept {}  // not defaulted: an aggregate in C++17 would be made by {}
};

}  // namespace kiln::detail
