#include "compile/compiler/misspelt_name.hpp"

#include "base/text_parts.hpp"
#include "toolkit/names/kernels_in_source.hpp"
#include "toolkit/names/similar_kernel.hpp"

namespace kiln {

namespace {

/// As NVRTC shows it, and as the source that nvcc gets has it.
bool refuses_expression(std::string_view log, const std::string& expression) {
  return contains(log, "#pragma nv_mangled_name " + expression) || contains(log, "name expression " + expression + '(');
}

/// Of the template that the expression names, so that its arguments are wrong; empty where it names none, or several.
std::string wrong_arguments(const std::string& expression, std::string_view source) {
  std::vector<SourceKernel> named;
  for (const SourceKernel& kernel : kernels_in_source(source))
    if (kernel.is_template && last_component(kernel.name) == last_component(expression)) named.push_back(kernel);
  if (named.size() != 1) return {};
  const SourceKernel& kernel = named.front();
  return "The arguments of the name expression \"" + expression + "\" do not fit its template: template " +
         kernel.parameters + " " + kernel.name + ". An instance is, for example, \"" + example_instance(kernel) + "\".";
}

}  // namespace

std::string misspelt_name(const std::vector<std::string>& expressions, std::string_view source, std::string_view log) {
  for (const std::string& expression : expressions) {
    if (!refuses_expression(log, expression)) continue;
    const std::string similar = similar_kernel(expression, source);
    if (similar.empty()) {
      if (std::string wrong = wrong_arguments(expression, source); !wrong.empty()) return wrong;
      continue;
    }
    std::string text = "The source has no kernel for the name expression \"" + expression;
    return text.append("\": did you mean \"").append(similar).append("\"?");
  }
  return {};
}

}  // namespace kiln
