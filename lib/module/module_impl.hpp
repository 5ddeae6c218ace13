// What all copies of a Module share.
#pragma once

#include "module/instances.hpp"
#include "module/kernel_set.hpp"

#include <kiln/module.hpp>

#include <optional>
#include <string_view>

namespace kiln {

struct Module::Impl {
  Impl(CodeObject code, std::optional<int> device) : main(std::move(code), device) {}

  KernelSet main;
  Instances instances;
};

}  // namespace kiln
