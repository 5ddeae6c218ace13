// Selects handlers of loads and stores by the type in memory and the register, which may be wider.
#pragma once

#include "emulator/memory/relaxed_values.hpp"

#include <cstddef>
#include <cstdint>

namespace kiln::emulator {

/// Family::of<M, R>() for M in memory and registers R of `register_size` bytes; nothing if they are smaller than M.
template <class Family, class M>
auto handlers_of(unsigned register_size) {
  using Handlers = decltype(Family::template of<M, M>());
  const auto found = [](auto in_register) -> Handlers {
    using R = decltype(in_register);
    if constexpr (sizeof(R) >= sizeof(M))
      return Family::template of<M, R>();
    else
      return {};
  };
  switch (register_size) {
    case 1:
      return found(std::uint8_t{});
    case 2:
      return found(std::uint16_t{});
    case 4:
      return found(std::uint32_t{});
    case 8:
      return found(std::uint64_t{});
    default:
      return Handlers{};
  }
}

/// The same for unsigned values of `size` bytes.
template <class Family>
auto handlers_by_size(std::size_t size, unsigned register_size) {
  using Handlers = decltype(Family::template of<Bits128, Bits128>());
  switch (size) {
    case 1:
      return handlers_of<Family, std::uint8_t>(register_size);
    case 2:
      return handlers_of<Family, std::uint16_t>(register_size);
    case 4:
      return handlers_of<Family, std::uint32_t>(register_size);
    case 8:
      return handlers_of<Family, std::uint64_t>(register_size);
    case 16:
      return register_size == 16 ? Family::template of<Bits128, Bits128>() : Handlers{};
    default:
      return Handlers{};
  }
}

}  // namespace kiln::emulator
