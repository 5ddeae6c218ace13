// Code of one source or link for several architectures.
#pragma once

#include <kiln/code_object.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

/// Calls `make` for each architecture, one or more, and returns the code for the first. The others are made for the
/// cache: a login node without a GPU fills it for every kind of compute node.
template <class Make>
CodeObject code_for_archs(const std::vector<std::string>& archs, const Make& make) {
  std::optional<CodeObject> first;
  for (const std::string& arch : archs) {
    CodeObject code = make(arch);
    if (!first) first = std::move(code);
  }
  return *std::move(first);
}

}  // namespace kiln
