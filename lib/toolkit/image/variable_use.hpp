// Which of a PTX text's variables each of its kernels uses.
#pragma once

#include "toolkit/image/ptx_scan.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kiln {

/// A variable of the module, in global or constant memory.
struct UsedVariable {
  std::string_view symbol;
  bool is_constant = false;  // in constant memory, which kernels cannot write
  /// What it holds when the module is loaded, with zeros for what the text leaves out; empty where that is not a list
  /// of bytes, or longer than 256.
  std::string bytes;
};

/// A use is a name that stands in the kernel, in a function that the kernel may call, or in the initial value of a
/// variable that these use. Library variables (kernel_name.hpp) are left out. Never changes, so thread-safe.
class VariableUse {
 public:
  /// Throws Error where the text is damaged.
  explicit VariableUse(std::string ptx);
  VariableUse(const VariableUse&) = delete;  // views into its own text
  VariableUse& operator=(const VariableUse&) = delete;

  bool knows(std::string_view kernel) const { return items_.count(kernel) != 0; }
  struct Use {
    const UsedVariable* variable;
    bool may_write;  // false where the kernel at most loads from it
  };
  /// In the text's order; none for an unknown symbol.
  std::vector<Use> of(std::string_view kernel) const;

 private:
  /// A function or a variable of the module, and what its body or initial value is made of.
  struct Item {
    std::vector<PtxStatement> statements;
    bool is_function = false;
    std::size_t variable = none;  // its place in variables_
  };
  using Statements = std::vector<PtxStatement>;
  static constexpr std::size_t none = ~std::size_t{0};

  void read_function(const PtxStatement& statement);
  void read_variable(const PtxStatement& statement, bool is_constant);
  std::set<std::string_view> names_in(const Item& item) const;

  const std::string ptx_;
  std::unordered_map<std::string_view, Item> items_;
  std::vector<UsedVariable> variables_;
};

}  // namespace kiln
