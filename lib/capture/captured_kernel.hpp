// What a capture says of the kernel, whatever it is launched with.
#pragma once

#include "capture/capture_rule.hpp"

#include <kiln/code_object.hpp>
#include <kiln/driver_types.hpp>
#include <kiln/problem_size.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// What a TunableKernel adds.
struct CapturedTuning {
  std::string key;
  std::string json;  // its definition, an object
  ProblemSize problem;
};

/// A variable of the kernel's module, which the program may have set.
struct ModuleVariable {
  std::string symbol;
  CUdeviceptr address;
  std::size_t bytes;
};
using ModuleVariables = std::function<std::vector<ModuleVariable>(int device)>;

/// Immutable once made.
struct CapturedKernel {
  CaptureRule rule;
  KernelInfo info;
  CodeObject code;
  ModuleVariables variables;  // empty: none
  std::optional<CapturedTuning> tuning = std::nullopt;

  /// As a person writes it.
  const std::string& display_name() const noexcept {
    return info.readable_name.empty() ? info.name : info.readable_name;
  }
  /// "scale", for files.
  std::string short_name() const;
  /// What its captures' names hang on, beside the problem: source and options, of a TunableKernel its definition.
  std::string identity() const;
  /// Empty where the code was not compiled here.
  std::string_view source() const noexcept;
};

}  // namespace kiln
