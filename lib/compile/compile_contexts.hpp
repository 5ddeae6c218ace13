// For which devices a request asks for code.
#pragma once

#include "compile/compiler.hpp"
#include "compile/options/arch.hpp"
#include "toolkit/driver/driver.hpp"

#include <string>
#include <utility>
#include <vector>

namespace kiln {

/// Calls `work` with the context of each compile that a request asks for: with the caller's own where that or an option
/// says for what, else with that of the device in use, else with one for each architecture of KILN_ARCH.
template <class Work>
void for_each_context(const CompileOptions& options, const CompileContext& context, const Work& work) {
  if (!is_for_device(options) || !context.device_arch.empty() || context.plain) return work(context);
  if (const auto initialised = initialised_device_arch())
    return work(context_for_device("sm_" + std::to_string(*initialised)));
  const std::vector<std::string> archs = options.arch.empty() ? archs_of_environment() : std::vector<std::string>();
  if (archs.empty()) return work(context);
  for (const std::string& arch : archs) {
    CompileContext one = context;
    one.device_arch = parse_arch(arch).text();
    work(one);
  }
}

}  // namespace kiln
