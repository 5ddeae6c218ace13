#include "toolkit/names/bracket_depth.hpp"
#include "toolkit/names/kernel_name.hpp"

namespace kiln {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Where the parameter list that ends the name begins, npos without one. "(anonymous namespace)::k" has none.
std::size_t parameter_list(std::string_view name) {
  if (name.empty() || name.back() != ')') return std::string_view::npos;
  const std::vector<int> depths = bracket_depths(name);
  if (depths.back() != 0) return std::string_view::npos;  // the name of an operator
  std::size_t at = name.size() - 1;
  while (at > 0 && !(depths[at] == 0 && name[at] == '(')) --at;
  return at == 0 ? std::string_view::npos : at;
}

// What follows the return type. "operator new" and "(anonymous namespace)" hold blanks of their own.
std::string_view without_return_type(std::string_view name) {
  const std::vector<int> depths = bracket_depths(name);
  const std::size_t keyword = name.find("operator");
  const std::size_t limit = keyword == std::string_view::npos ? name.size() : keyword;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < limit; ++at)
    if (depths[at] == 0 && name[at] == ' ') begin = at + 1;
  return name.substr(begin);
}

// "foo(int) [clone .cold]"
std::string_view without_clone_mark(std::string_view name) {
  const std::size_t at = name.find(" [clone ");
  return at == std::string_view::npos ? name : name.substr(0, at);
}

}  // namespace

ReadableName parse_demangled(std::string_view demangled) {
  ReadableName result;
  const std::string_view name = trim(without_clone_mark(demangled));
  const std::size_t list = parameter_list(name);
  result.qualified_name = std::string(without_return_type(trim(name.substr(0, list))));
  if (list == std::string_view::npos) return result;
  result.has_parameters = true;
  const std::string_view parameters = trim(name.substr(list + 1, name.size() - list - 2));
  if (parameters.empty() || parameters == "void") return result;
  for (const std::string_view parameter : split_outside_brackets(parameters, ","))
    result.parameters.emplace_back(trim(parameter));
  return result;
}

}  // namespace kiln
