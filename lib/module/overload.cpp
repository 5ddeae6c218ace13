#include "module/overload.hpp"

#include "base/type_name.hpp"
#include "launch/argument_check.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <string>

namespace kiln {

namespace {

bool takes_exactly(const KernelInfo& kernel, const detail::Signature& signature) {
  return std::equal(kernel.parameters.begin(), kernel.parameters.end(), signature.arguments,
                    signature.arguments + signature.count,
                    [](const Parameter& parameter, const detail::ArgumentInfo& argument) {
                      return canonical_spacing(parameter.type) == canonical_spacing(type_name(*argument.type));
                    });
}

/// By the very check that the typed function will make.
bool takes(const KernelInfo& kernel, const detail::Signature& signature) {
  try {
    check_argument_types(kernel.name, kernel.parameters, signature);
    return true;
  } catch (const ArgumentError&) {
    return false;
  }
}

}  // namespace

std::vector<const KernelInfo*> pick_overload(const std::vector<const KernelInfo*>& candidates,
                                             const detail::Signature& signature) {
  std::vector<const KernelInfo*> exact, fitting;
  for (const KernelInfo* kernel : candidates) {
    if (takes_exactly(*kernel, signature)) exact.push_back(kernel);
    if (takes(*kernel, signature)) fitting.push_back(kernel);
  }
  return exact.empty() ? fitting : exact;
}

}  // namespace kiln
