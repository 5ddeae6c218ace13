// Programs whose host code is more than a launch: it makes textures, or tensor maps.
#pragma once

#include "golden.hpp"

#include <functional>

namespace differential {

struct HostProgram {
  Program description;  // name, sizes, comparison
  std::function<Words(const Words& input)> run;
  std::function<Words(const Words& input)> expected = {};  // what the host computes; none where only a GPU knows
};

}  // namespace differential
