// Choosing among overloads by the parameter types that the caller states.
#pragma once

#include <kiln/code_object.hpp>
#include <kiln/detail/argument.hpp>

#include <vector>

namespace kiln {

/// The candidates that take exactly these types; where none does, those that a typed function of them would accept.
std::vector<const KernelInfo*> pick_overload(const std::vector<const KernelInfo*>& candidates,
                                             const detail::Signature& signature);

}  // namespace kiln
