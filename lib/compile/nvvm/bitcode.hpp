// What of LLVM bitcode must be known before it is given to libnvvm.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

struct BitcodeFacts {
  std::string producer;  // "LLVM14.0.6"; none before LLVM 3.8
  std::optional<std::string> layout;
  std::optional<std::string> triple;
  bool is_whole = false;  // the module was walked through without meeting anything malformed
};

/// Of its first module. Never throws: what is malformed has few facts.
BitcodeFacts read_bitcode(std::string_view bitcode);

}  // namespace kiln
