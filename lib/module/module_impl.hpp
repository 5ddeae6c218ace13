// What all copies of a Module share.
#pragma once

#include "module/instances.hpp"
#include "module/module_images.hpp"
#include "module/reference.hpp"

#include <kiln/module.hpp>

#include <atomic>
#include <memory>
#include <optional>

namespace kiln {

struct Module::Impl {
  Impl(CodeObject code, std::optional<int> device, Recompile recompile = {})
      : images(std::move(code), device, std::move(recompile)) {}

  /// Has the launches of all kernels, those of instances included, bind what the table holds.
  void hook_launches();

  ModuleImages images;
  Instances instances;
  const std::shared_ptr<ReferenceTable> references = std::make_shared<ReferenceTable>();
  std::atomic<bool> has_references{false};
};

}  // namespace kiln
