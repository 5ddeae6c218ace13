#include "generate/staged_vectors.hpp"

#include <algorithm>
#include <utility>

namespace kiln {

std::string element_type(const GeneratedParameter& vector) {
  return "kiln_generated::element<decltype(" + vector.name + " + 0)>::type";  // without const and restrict of its own
}

StagedVectors::StagedVectors(const VectorArguments& arguments, std::string index)
    : arguments_(arguments), index_(std::move(index)) {}

template <class Write>
std::string StagedVectors::for_each(Write write) const {
  std::string text;
  for (std::size_t k = 0; k < arguments_.parameters.size(); ++k)
    if (arguments_.uses[k].can_be_staged) text += write(arguments_.parameters[k], arguments_.uses[k]);
  return text;
}

std::size_t StagedVectors::count() const {
  return static_cast<std::size_t>(std::count_if(arguments_.uses.begin(), arguments_.uses.end(),
                                                [](const ElementUse& use) { return use.can_be_staged; }));
}

std::string StagedVectors::size() const {
  const std::string types = for_each([](const auto& vector, const auto&) { return ", " + element_type(vector); });
  return "  constexpr unsigned kiln_size = kiln_generated::lane_count<" + types.substr(2) + ">();\n";
}

std::string StagedVectors::loads() const {
  return for_each([](const GeneratedParameter& vector, const ElementUse& use) {
    const std::string type = "kiln_generated::lanes<" + element_type(vector) + ", kiln_size> ";
    const std::string lanes = "kiln_" + vector.name;
    std::string text = "    " + type + lanes + ";\n";
    if (use.is_loaded) text += "    " + lanes + ".load(" + vector.name + " + kiln_at);\n";
    if (use.store == ElementUse::Store::where_changed)
      text += "    const " + type + lanes + "_before = " + lanes + ";\n";
    return text;
  });
}

std::string StagedVectors::windows() const {
  // Names behind all windows, as a name hides its own kind from its declaration on.
  return for_each([this](const GeneratedParameter& vector, const auto&) {
           return "      const kiln_generated::window<" + std::string(vector.is_const ? "const " : "") +
                  element_type(vector) + ", kiln_size, " + index_ + "> kiln_" + vector.name + "_here{kiln_" +
                  vector.name + ".values, kiln_at};\n";
         }) +
         for_each([](const GeneratedParameter& vector, const auto&) {
           return "      const auto& " + vector.name + " = kiln_" + vector.name + "_here;\n";
         });
}

std::string StagedVectors::stores() const {
  return for_each([](const GeneratedParameter& vector, const ElementUse& use) {
    const std::string lanes = "kiln_" + vector.name;
    const std::string store = lanes + ".store(" + vector.name + " + kiln_at);\n";
    switch (use.store) {
      case ElementUse::Store::never:
        return std::string();
      case ElementUse::Store::always:
        return "    " + store;
      case ElementUse::Store::where_changed:
        return "    if (" + lanes + ".differs_from(" + lanes + "_before)) " + store;
    }
    return std::string();
  });
}

}  // namespace kiln
