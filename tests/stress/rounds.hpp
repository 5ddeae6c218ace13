// How long a stress test goes on.
#pragma once

#include <chrono>
#include <cstdlib>

namespace kiln::test {

/// KILN_STRESS_SECONDS, for longer runs than the ordinary one; 0 where it is unset.
inline std::chrono::seconds stress_time() {
  const char* text = std::getenv("KILN_STRESS_SECONDS");
  return std::chrono::seconds(text == nullptr ? 0 : std::atol(text));
}

/// Calls `body` with 0, 1, 2 ... until that time is over, and once at least. What a round does differs by its number.
template <class Body>
void repeat(Body body) {
  const auto end = std::chrono::steady_clock::now() + stress_time();
  int round = 0;
  do body(round++);
  while (std::chrono::steady_clock::now() < end);
}

}  // namespace kiln::test
