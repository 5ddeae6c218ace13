#include "kernel_summary.hpp"

namespace kiln::tool {

std::string kernel_summary(const CodeObject& code) {
  std::string summary;
  for (const KernelInfo& kernel : code.kernels()) {
    if (!summary.empty()) summary += "; ";
    summary += kernel.readable_name;
    const char* separator = ": ";
    const auto add = [&](int amount, const char* unit) {
      if (amount < 0) return;
      summary += separator + std::to_string(amount) + unit;
      separator = ", ";
    };
    add(kernel.registers, " registers");
    add(kernel.shared_bytes, " bytes shared");
    if (kernel.local_bytes > 0) add(kernel.local_bytes, " bytes local");
  }
  return summary;
}

}  // namespace kiln::tool
