// Code on its way to another machine.
#pragma once

#include "cache/dependencies.hpp"

#include <string>

namespace kiln {

/// What a cache keeps of a request, and all that decides whether it is right elsewhere. A value.
struct PortableCode {
  std::string request;  // the canonical bytes, which are the same on each machine where the request means the same
  std::string maker;    // the identity of the compiler
  std::string entry;    // a cache entry's file
  Dependencies dependencies;
};

}  // namespace kiln
