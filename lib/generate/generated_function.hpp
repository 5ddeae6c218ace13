// A kernel of a generated source, launched with arguments that lie in an array already.
#pragma once

#include "launch/kernel.hpp"

#include <kiln/detail/vector_call.hpp>
#include <kiln/function.hpp>

#include <cstddef>

namespace kiln {

/// Thread-safe, as Function.
class GeneratedFunction : public Function {
 public:
  explicit GeneratedFunction(const Function& function) : Function(function) {}

  /// Throws ArgumentError where the kernel takes something else. Costs a compare where it is as the last time.
  void check(const detail::Signature& signature) const { kernel().check_once(signature); }
  using Function::check_types;
  /// With arguments that were checked: a thread for each element, as far as a grid goes. Nothing for no element.
  void launch(CUstream stream, std::size_t elements, const detail::VectorCall& call) const;
  /// With so many blocks.
  void launch_blocks(CUstream stream, std::size_t blocks, const detail::VectorCall& call) const;

  /// The threads of each block.
  static constexpr unsigned block = 256;
};

}  // namespace kiln
