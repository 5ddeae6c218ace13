#include "toolkit/kernel_name.hpp"

#include "toolkit/bracket_depth.hpp"
#include "toolkit/type_name.hpp"

namespace kiln {
namespace {

struct Component {
  std::string name;
  bool has_arguments = false;
  std::string arguments;  // canonical, with their brackets
};

// Components of a qualified name, without anonymous namespaces, which a C++ name does not spell.
std::vector<Component> components_of(std::string_view qualified_name) {
  std::vector<Component> components;
  for (const std::string_view part : split_outside_brackets(qualified_name, "::")) {
    if (part.empty() || part == "(anonymous namespace)") continue;
    const std::string canonical = canonical_name(part);
    const std::vector<int> depths = bracket_depths(canonical);
    std::size_t open = 0;
    while (open < canonical.size() && !(depths[open] == 0 && canonical[open] == '<')) ++open;
    components.push_back({canonical.substr(0, open), open < canonical.size(), canonical.substr(open)});
  }
  return components;
}

bool components_match(const std::vector<Component>& wanted, const std::vector<Component>& actual, bool from_root) {
  if (wanted.empty() || wanted.size() > actual.size() || (from_root && wanted.size() != actual.size())) return false;
  const std::size_t skipped = actual.size() - wanted.size();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Component& component = actual[skipped + i];
    if (wanted[i].name != component.name) return false;
    if (wanted[i].has_arguments && wanted[i].arguments != component.arguments) return false;
  }
  return true;
}

bool parameters_match(const ReadableName& wanted, const ReadableName& actual) {
  if (!wanted.has_parameters) return true;
  if (wanted.parameters.size() != actual.parameters.size()) return false;
  for (std::size_t i = 0; i < wanted.parameters.size(); ++i)
    if (canonical_type(wanted.parameters[i]) != canonical_type(actual.parameters[i])) return false;
  return true;
}

}  // namespace

bool names_function(std::string_view wanted, const std::string& symbol) {
  if (wanted == symbol) return true;
  const std::string readable = demangle(symbol);
  if (readable == symbol) return canonical_name(wanted) == symbol;
  const ReadableName actual = take_apart(readable);
  const ReadableName asked = take_apart(canonical_spacing(wanted));
  const bool from_root = asked.qualified_name.compare(0, 2, "::") == 0;
  return components_match(components_of(asked.qualified_name), components_of(actual.qualified_name), from_root) &&
         parameters_match(asked, actual);
}

void add_readable_name(KernelInfo& kernel) {
  const std::string readable = demangle(kernel.name);
  const ReadableName name = take_apart(readable);
  kernel.readable_name = kernel.name;
  if (!name.has_parameters) return;
  kernel.readable_name = name.qualified_name + '(';
  for (std::size_t i = 0; i < name.parameters.size(); ++i)
    kernel.readable_name += (i == 0 ? "" : ", ") + name.parameters[i];
  kernel.readable_name += ')';
  if (name.parameters.size() != kernel.parameters.size()) return;
  for (std::size_t i = 0; i < name.parameters.size(); ++i) {
    kernel.parameters[i].type = name.parameters[i];
    kernel.parameters[i].kind = parameter_kind(name.parameters[i]);
  }
}

}  // namespace kiln
