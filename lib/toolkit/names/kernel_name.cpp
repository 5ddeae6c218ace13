#include "toolkit/names/kernel_name.hpp"

#include "base/text_parts.hpp"
#include "toolkit/names/bracket_depth.hpp"
#include "toolkit/names/type_name.hpp"

namespace kiln {
namespace {

struct Component {
  std::string name;
  bool has_arguments = false;
  std::string arguments;  // canonical, with their brackets
};

constexpr std::string_view unnamed = "(anonymous namespace)";

std::vector<Component> components_of(std::string_view qualified_name) {
  std::vector<Component> components;
  for (const std::string_view part : split_outside_brackets(qualified_name, "::")) {
    if (part.empty()) continue;
    const std::string canonical = canonical_name(part);
    const std::vector<int> depths = bracket_depths(canonical);
    std::size_t open = 0;
    while (open < canonical.size() && !(depths[open] == 0 && canonical[open] == '<')) ++open;
    components.push_back({canonical.substr(0, open), open < canonical.size(), canonical.substr(open)});
  }
  return components;
}

bool matches(const Component& wanted, const Component& actual) {
  return wanted.name == actual.name && (!wanted.has_arguments || wanted.arguments == actual.arguments);
}

// Unnamed namespaces, which a C++ name does not spell, need not be among the wanted components.
bool components_match(const std::vector<Component>& wanted, const std::vector<Component>& actual, bool from_root) {
  std::size_t left = actual.size();
  const auto skip_unnamed = [&] {
    while (left > 0 && actual[left - 1].name == unnamed) --left;
  };
  for (std::size_t i = wanted.size(); i > 0; --i, --left) {
    if (wanted[i - 1].name != unnamed) skip_unnamed();
    if (left == 0 || !matches(wanted[i - 1], actual[left - 1])) return false;
  }
  skip_unnamed();
  return !wanted.empty() && (!from_root || left == 0);
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
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
  const ReadableName asked = parse_demangled(canonical_spacing(with_unnamed_as_demangled(wanted)));
  const std::vector<Component> components = components_of(asked.qualified_name);
  if (components.empty()) return false;
  // Most symbols do not have the name, which shows before they are read to the end.
  const std::string& own_name = components.back().name;
  if (!contains(symbol, std::to_string(own_name.size()) + own_name)) return canonical_name(wanted) == symbol;
  const std::string readable = demangle(symbol);
  if (readable == symbol) return canonical_name(wanted) == symbol;
  const ReadableName actual = parse_demangled(readable);
  const bool from_root = asked.qualified_name.compare(0, 2, "::") == 0;
  return components_match(components, components_of(actual.qualified_name), from_root) &&
         parameters_match(asked, actual);
}

bool names_variable(std::string_view wanted, const std::string& symbol) {
  if (wanted == symbol) return true;
  const std::string asked = canonical_spacing(with_unnamed_as_demangled(wanted));
  return components_match(components_of(asked), components_of(demangle(symbol)), asked.compare(0, 2, "::") == 0);
}

std::string with_unnamed_as_demangled(std::string_view name) {
  return replaced(std::string(name), "<unnamed>", unnamed);
}

std::string without_unnamed(std::string_view name) {
  return replaced(with_unnamed_as_demangled(name), std::string(unnamed) + "::", "");
}

void add_readable_name(KernelInfo& kernel) {
  const std::string readable = demangle(kernel.name);
  const ReadableName name = parse_demangled(readable);
  kernel.readable_name = kernel.name;
  if (!name.has_parameters) return;
  kernel.readable_name = name.qualified_name + '(';
  for (std::size_t i = 0; i < name.parameters.size(); ++i)
    kernel.readable_name += (i == 0 ? "" : ", ") + name.parameters[i];
  kernel.readable_name += ')';
  if (name.parameters.size() != kernel.parameters.size()) return;
  for (std::size_t i = 0; i < name.parameters.size(); ++i) {
    kernel.parameters[i].type = name.parameters[i];
    if (const ParameterKind kind = parameter_kind(name.parameters[i]); kind != ParameterKind::other)
      kernel.parameters[i].kind = kind;
  }
}

}  // namespace kiln
