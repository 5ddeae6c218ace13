// Linkage directives.
#pragma once

#include "emulator/ptx/module.hpp"

#include <string_view>

namespace kiln::emulator::ptx {

/// For "visible", "extern", "weak" and "common"; internal for any other word.
inline Linkage linkage_named(std::string_view word) {
  if (word == "visible") return Linkage::visible;
  if (word == "extern") return Linkage::external;
  if (word == "weak") return Linkage::weak;
  if (word == "common") return Linkage::common;
  return Linkage::internal;
}

}  // namespace kiln::emulator::ptx
