// The handler of all atom and red instructions, around an operation on values.
#pragma once

#include "emulator/instructions/memory/warp_access.hpp"
#include "emulator/memory/relaxed_values.hpp"

#include <cstdint>
#include <cstring>

namespace kiln::emulator {

/// Op::apply(old, b, c, in_shared) returns the new value in memory.
template <class Op, class T>
T atomic_update(T* place, T b, T c, bool in_shared) {
  T old = relaxed_load(place);
  if (in_shared) {  // a cluster runs on one host thread
    relaxed_store(place, Op::apply(old, b, c, true));
    return old;
  }
  while (!relaxed_exchange(place, old, Op::apply(old, b, c, false))) {
  }
  return old;
}

/// `more`: destinations, then as many values; operand 1 is the address, operand 3 the third operand of cas.
template <class T, class Op>
[[gnu::noinline]] void atomic_anywhere(const Step& step, Warp& warp, LaneMask active) {
  constexpr std::size_t most = 8;
  const std::size_t count = std::min(most, step.more.size() / 2);
  const HostAddresses at =
      host_addresses(step, warp, active, 1, static_cast<unsigned>(count * sizeof(T)), Access::read_write);
  Block& block = warp.block();
  const auto shared = reinterpret_cast<std::uint64_t>(block.shared());
  const std::uint64_t shared_size = block.shared_size();
  const bool has_peers = block.cluster() != nullptr;
  const T* const c = warp.in<T>(step.operand[3]);
  each_lane(active, [&](unsigned lane) {
    const bool in_shared = at.at[lane] - shared < shared_size || (has_peers && block.is_of_peer(at.at[lane]));
    T old[most];
    for (std::size_t i = 0; i < count; ++i)
      old[i] = atomic_update<Op>(at.pointer<T>(lane) + i, warp.in<T>(step.more[count + i])[lane], c[lane], in_shared);
    // Written last: a destination may also be a source.
    for (std::size_t i = 0; i < count; ++i) warp.out<T>(step.more[i])[lane] = old[i];
  });
}

/// The same, for one value in shared memory with one test for all lanes.
template <class T, class Op>
void atomic(const Step& step, Warp& warp, LaneMask active) {
  SharedPlaces places;
  if (step.more.size() == 2) find_shared(step, warp, active, sizeof(T), places);
  if (places.begin == nullptr) return atomic_anywhere<T, Op>(step, warp, active);
  const T *const b = warp.in<T>(step.more[1]), *const c = warp.in<T>(step.operand[3]);
  T* const d = warp.out<T>(step.more[0]);
  each_lane(active,
            [&](unsigned lane) { d[lane] = atomic_update<Op>(places.pointer<T>(lane), b[lane], c[lane], true); });
}

/// The same on one value, given as bytes: for asynchronous reductions.
template <class T, class Op>
void update_value(std::byte* place, const std::byte* value, bool in_shared) {
  T b;
  std::memcpy(&b, value, sizeof b);
  atomic_update<Op>(reinterpret_cast<T*>(place), b, b, in_shared);
}

/// An operation of atom and red, by its modifiers.
struct AtomicRow {
  std::string_view operation, type;
  Handler handler;
  void (*update)(std::byte* place, const std::byte* value, bool in_shared);
  unsigned size;  // bytes of a value
};
template <class T, class Op>
constexpr AtomicRow atomic_row(std::string_view operation, std::string_view type) {
  return {operation, type, atomic<T, Op>, update_value<T, Op>, unsigned{sizeof(T)}};
}
/// Null if there is none.
const AtomicRow* atomic_row_of(std::string_view operation, std::string_view type);
std::span<const AtomicRow> atomic_integer_rows();  // atomic_integer.cpp
std::span<const AtomicRow> atomic_float_rows();    // atomic_float.cpp

}  // namespace kiln::emulator
