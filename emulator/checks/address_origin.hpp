// What an address is computed from, in the text of one function.
#pragma once

#include "emulator/machine/warp.hpp"
#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace kiln::emulator {

/// Follows the registers of an address to the variables that it is computed from.
class AddressOrigin {
 public:
  AddressOrigin(const ptx::Function& function, const ptx::Instruction& access);
  /// Of the access that the warp is at.
  static AddressOrigin of_running(const Warp& warp);

  /// The only one in shared memory; null where there are several or none.
  const ptx::Variable* array() const { return arrays_.size() == 1 ? *arrays_.begin() : nullptr; }

  /// 64 bits of a parameter.
  struct Parameter {
    const ptx::Variable* variable;
    std::int64_t offset;
    auto operator<=>(const Parameter&) const = default;
  };
  /// Those of a kernel: pointers, and what else of this size the address depends on.
  const std::set<Parameter>& parameters() const { return parameters_; }

 private:
  AddressOrigin() = default;
  void read_definition(const ptx::Instruction& instruction, std::uint32_t reg);
  void read_parameter(const ptx::Instruction& load, std::uint32_t reg);
  void follow(const ptx::Operand& operand);

  bool is_kernel_ = false;
  std::set<std::uint32_t> seen_;
  std::vector<std::uint32_t> unread_;
  std::set<const ptx::Variable*> arrays_;
  std::set<Parameter> parameters_;
};

}  // namespace kiln::emulator
