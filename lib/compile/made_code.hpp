// What a compile makes.
#pragma once

#include "compile/code_data.hpp"
#include "compile/header_search.hpp"
#include "compile/nvcc_needed.hpp"

#include <memory>
#include <optional>

namespace kiln {

struct MadeCode {
  std::shared_ptr<CodeData> code;  // null where nvcc is needed
  HeaderReport headers = {};       // empty unless it was asked for
  std::optional<NvccNeeded> nvcc_needed = {};
};

}  // namespace kiln
