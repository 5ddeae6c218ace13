#include "emulator/memory/relaxed_values.hpp"

#include <array>
#include <mutex>

namespace kiln::emulator {
namespace {

std::mutex& mutex_of(const Bits128* place) {
  static std::array<std::mutex, 64> mutexes;
  return mutexes[reinterpret_cast<std::uintptr_t>(place) / sizeof(Bits128) % mutexes.size()];
}

// Instructions of smaller types may access the halves at the same time.
Bits128 halves(const Bits128* from) { return {relaxed_load(&from->low), relaxed_load(&from->high)}; }
void put_halves(Bits128* to, Bits128 value) {
  relaxed_store(&to->low, value.low);
  relaxed_store(&to->high, value.high);
}

}  // namespace

Bits128 relaxed_load(const Bits128* from) {
  const std::lock_guard<std::mutex> lock(mutex_of(from));
  return halves(from);
}

void relaxed_store(Bits128* to, Bits128 value) {
  const std::lock_guard<std::mutex> lock(mutex_of(to));
  put_halves(to, value);
}

bool relaxed_exchange(Bits128* place, Bits128& expected, Bits128 wanted) {
  const std::lock_guard<std::mutex> lock(mutex_of(place));
  const Bits128 found = halves(place);
  if (found == expected) {
    put_halves(place, wanted);
    return true;
  }
  expected = found;
  return false;
}

}  // namespace kiln::emulator
