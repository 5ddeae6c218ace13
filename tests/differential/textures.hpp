// The programs that need arrays, textures and surfaces.
#pragma once

#include "golden.hpp"

#include <functional>
#include <vector>

namespace differential {

struct TextureProgram {
  Program description;  // name, sizes, comparison; its file is "textures"
  std::function<Words(const Words& input)> run;
};

std::vector<TextureProgram> texture_programs();

}  // namespace differential
