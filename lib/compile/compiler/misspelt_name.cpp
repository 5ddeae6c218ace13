#include "compile/compiler/misspelt_name.hpp"

#include "base/text_parts.hpp"
#include "compile/compiler/declaring_header.hpp"
#include "compile/compiler/host_names.hpp"
#include "compile/compiler/namespace_member.hpp"
#include "compile/compiler/undeclared_name.hpp"
#include "toolkit/names/kernels_in_source.hpp"
#include "toolkit/names/similar_kernel.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

namespace {

constexpr std::string_view of_nvrtc = "__nv_name_map(";
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

/// Of a type of NVIDIA's libraries in an expression.
std::string library_argument(std::string_view expression, std::string_view source) {
  while (!expression.empty()) {
    const std::size_t size = std::min(expression.find_first_of("<>,*& ()"), expression.size());
    const std::string_view name = expression.substr(0, size);
    expression.remove_prefix(std::min(size + 1, expression.size()));
    if (!contains(name, "::")) continue;
    if (std::string advice = namespace_member_advice(name, source); !advice.empty()) return advice;
  }
  return {};
}

/// Of a name within the arguments, such as a type.
std::string unknown_argument(const std::string& expression, const Diagnostic& error, const FailedCompile& failed) {
  const auto words = quoted_words(error.text);
  if (std::string advice = library_argument(expression, failed.source); !advice.empty()) return advice;
  if (!error.text.ends_with("\" is undefined") || words.empty() || words.front() == last_component(expression))
    return {};
  if (const std::string header = declaring_header(words.front()); !header.empty())
    return "\"" + std::string(words.front()) + "\" is declared by a header: #include " + header + ".";
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

std::string refused_expression(const Diagnostic& error) {
  return error.file.starts_with(of_nvcc) ? error.file.substr(of_nvcc.size()) : std::string();
}

std::string with_name_expressions(std::string log) {
  constexpr std::string_view before = "#pragma nv_mangled_name ";
  if (!contains(log, of_nvrtc)) return log;
  std::string text;
  bool is_marked = false;  // in the line before
  for (std::string_view rest = log; !rest.empty();) {
    std::string_view row = next_line(rest);
    const std::size_t pragma = row.find(before);
    const std::size_t end = row.find("): ");
    if (row.starts_with(of_nvrtc) && end != std::string_view::npos) {
      std::string_view expression = rest.substr(std::min(rest.find(before), rest.size()));
      expression.remove_prefix(std::min(before.size(), expression.size()));
      text.append(of_nvcc).append(next_line(expression)).append("(1").append(row.substr(end)) += '\n';
    } else if (pragma != std::string_view::npos) {
      text.append(row.substr(0, pragma)).append(row.substr(pragma + before.size())) += '\n';
    } else {
      if (is_marked && trimmed(row) == "^") row.remove_prefix(std::min(before.size(), row.size() - 1));
      text.append(row) += '\n';
    }
    is_marked = pragma != std::string_view::npos;
  }
  return text;
}

std::string misspelt_name(const Diagnostic& error, const FailedCompile& failed) {
  const std::string expression = refused_expression(error);
  if (expression.empty()) return {};
  if (std::string of_host = host_container_advice(expression); !of_host.empty()) return of_host;
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
