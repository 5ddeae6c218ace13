// What a compile makes.
#pragma once

#include "cache/dependencies.hpp"
#include "compile/code/code_data.hpp"
#include "compile/compiler/compiler_job.hpp"
#include "compile/headers/header_search_paths.hpp"

#include <memory>
#include <optional>
#include <string>

namespace kiln {

struct MadeCode {
  std::shared_ptr<CodeData> code;  // null where nvcc is needed
  HeaderReport headers = {};       // empty unless it was asked for
  std::optional<NvccNeeded> nvcc_needed = {};
  std::optional<CompilerTimes> times = {};  // where the request asks for them
};

/// What a cache keeps of a request, and all that decides whether it is right elsewhere. A value.
struct PortableCode {
  std::string request;  // the canonical bytes, which are the same on each machine where the request means the same
  std::string maker;    // the identity of the compiler
  std::string entry;    // a cache entry's file
  Dependencies dependencies;
};

}  // namespace kiln
