#include "compile/compiler/misspelt_name.hpp"

#include "base/text_parts.hpp"
#include "compile/compiler/undeclared_name.hpp"
#include "toolkit/names/kernels_in_source.hpp"
#include "toolkit/names/similar_kernel.hpp"

#include <cstddef>

namespace kiln {

namespace {

constexpr std::string_view of_nvrtc = "__nv_name_map";
constexpr std::string_view of_nvcc = "name expression ";

std::string shown_kernel(const SourceKernel& kernel) {
  return kernel.is_template ? "template " + kernel.parameters + " " + kernel.name : kernel.name;
}

std::string list_of(const std::vector<SourceKernel>& kernels) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < kernels.size() && i < most; ++i) text += (i > 0 ? ", " : "") + shown_kernel(kernels[i]);
  return kernels.size() > most ? text + ", ..." : text;
}

/// Of a name within the arguments, such as a type.
std::string unknown_argument(const std::string& expression, const Diagnostic& error, const FailedCompile& failed) {
  const auto words = quoted_words(error.text);
  if (!error.text.ends_with("\" is undefined") || words.empty() || words.front() == last_component(expression))
    return {};
  const std::string advice = undeclared_name_advice(words.front(), failed.source, failed.log);
  return "\"" + std::string(words.front()) + "\" is not declared in the source." + (advice.empty() ? "" : " " + advice);
}

/// Of kernels that have the expression's name, so that the rest of it is wrong.
std::string wrong_arguments(const std::string& expression, const std::vector<SourceKernel>& named) {
  const std::string quoted = "\"" + expression + "\"";
  if (named.size() > 1)
    return "The name expression " + quoted + " fits none, or several, of the source's " + list_of(named) + ".";
  const SourceKernel& kernel = named.front();
  if (!kernel.is_template)
    return "\"" + kernel.name + "\" is no template: it needs no name expression, or one without arguments, \"" +
           kernel.name + "\".";
  return "The arguments of the name expression " + quoted + " do not fit its template: " + shown_kernel(kernel) +
         ". An instance is, for example, \"" + example_instance(kernel) + "\".";
}

}  // namespace

std::string refused_expression(const Diagnostic& error, std::string_view log) {
  if (error.file.starts_with(of_nvcc)) return error.file.substr(of_nvcc.size());
  if (error.file != of_nvrtc) return {};
  constexpr std::string_view before = "#pragma nv_mangled_name ";
  const std::string place = error.file + "(" + std::to_string(error.line) + "): ";
  std::size_t at = log.find(place + error.text);
  at = at == std::string_view::npos ? at : log.find(before, at);
  if (at == std::string_view::npos) return "?";
  log.remove_prefix(at + before.size());
  return std::string(next_line(log));
}

std::string misspelt_name(const Diagnostic& error, const FailedCompile& failed) {
  const std::string expression = refused_expression(error, failed.log);
  if (expression.empty()) return {};
  if (const std::string similar = similar_kernel(expression, failed.source); !similar.empty())
    return "The source has no kernel for the name expression \"" + expression + "\": did you mean \"" + similar + "\"?";
  const std::vector<SourceKernel> kernels = kernels_in_source(failed.source);
  std::vector<SourceKernel> named;
  for (const SourceKernel& kernel : kernels)
    if (last_component(kernel.name) == last_component(expression)) named.push_back(kernel);
  if (!named.empty()) {
    const std::string unknown = unknown_argument(expression, error, failed);
    return (unknown.empty() ? "" : unknown + "\n") + wrong_arguments(expression, named);
  }
  return kernels.empty() ? "The source itself has no kernel."
                         : "The source has no kernel of that name. It has " + list_of(kernels) + ".";
}

}  // namespace kiln
