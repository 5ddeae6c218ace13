#include "compile/compiler/misspelt_name.hpp"

#include "base/text_parts.hpp"
#include "toolkit/names/similar_kernel.hpp"

namespace kiln {

namespace {

/// As NVRTC shows it, and as the source that nvcc gets has it.
bool refuses_expression(std::string_view log, const std::string& expression) {
  return contains(log, "#pragma nv_mangled_name " + expression) || contains(log, "name expression " + expression + '(');
}

}  // namespace

std::string misspelt_name(const std::vector<std::string>& expressions, std::string_view source, std::string_view log) {
  for (const std::string& expression : expressions) {
    if (!refuses_expression(log, expression)) continue;
    const std::string similar = similar_kernel(expression, source);
    if (similar.empty()) continue;
    std::string text = "The source has no kernel for the name expression \"" + expression;
    return text.append("\": did you mean \"").append(similar).append("\"?");
  }
  return {};
}

}  // namespace kiln
