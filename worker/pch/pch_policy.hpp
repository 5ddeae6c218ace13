// When a precompiled header is worth making.
#pragma once

#include <chrono>

namespace kiln {

struct PchPolicy {
  std::chrono::milliseconds least_compile;  // a compile that is faster would gain nothing worth a file
  std::chrono::milliseconds least_headers;  // headers that are compiled faster are not worth one either
  bool waits;                               // the worker waits until it is made: for tests
};

/// Of this program: a test may have a worker with another one.
const PchPolicy& pch_policy();

}  // namespace kiln
