// What all copies of a Module share.
#pragma once

#include "module/instances.hpp"
#include "module/kernel_set.hpp"
#include "module/reference_table.hpp"

#include <kiln/module.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <string_view>

namespace kiln {

/// The symbol that a variable's name stands for in one code object; empty where there is none. Throws ArgumentError for
/// a name that fits several.
std::string find_global_symbol(const KernelSet& code, std::string_view name);

struct Module::Impl {
  Impl(CodeObject code, std::optional<int> device, MakeAgain make_again = {})
      : main(std::move(code), device, std::move(make_again)) {}

  /// Has the launches of all kernels, those of instances included, bind what the table holds.
  void hook_launches();

  KernelSet main;
  Instances instances;
  const std::shared_ptr<ReferenceTable> references = std::make_shared<ReferenceTable>();
  std::atomic<bool> has_references{false};
};

}  // namespace kiln
