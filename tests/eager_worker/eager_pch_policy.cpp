// kiln-worker, but that it makes a precompiled header of any headers, at once: so that the next compile uses it.
// KILN_EAGER_LEAST_HEADERS: how long headers must take, in milliseconds.
#include "worker/pch/pch_policy.hpp"

#include <cstdlib>

namespace kiln {

const PchPolicy& pch_policy() {
  static const PchPolicy policy = [] {
    const char* const least = std::getenv("KILN_EAGER_LEAST_HEADERS");
    return PchPolicy{std::chrono::milliseconds(0), std::chrono::milliseconds(least != nullptr ? std::atoi(least) : 0),
                     true};
  }();
  return policy;
}

}  // namespace kiln
