// What a compile makes.
#pragma once

#include "compile/code/code_data.hpp"
#include "compile/compiler/compiler_job.hpp"
#include "compile/headers/header_search_paths.hpp"

#include <memory>
#include <optional>

namespace kiln {

struct MadeCode {
  std::shared_ptr<CodeData> code;  // null where nvcc is needed
  HeaderReport headers = {};       // empty unless it was asked for
  std::optional<NvccNeeded> nvcc_needed = {};
  std::optional<CompilerTimes> times = {};  // where the request asks for them
};

}  // namespace kiln
