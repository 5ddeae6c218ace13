#include "generate/staged_vectors.hpp"

#include <algorithm>
#include <utility>

namespace kiln {

namespace {

std::string lanes_of(const GeneratedParameter& vector) { return "__kiln_lanes_of_" + vector.name; }
std::string before_of(const GeneratedParameter& vector) { return "__kiln_before_of_" + vector.name; }

}  // namespace

std::string element_type(const GeneratedParameter& vector) {
  return "__kiln_element<decltype(" + vector.name + " + 0)>::__kiln_type";  // without const and restrict of its own
}

std::string element_name(const GeneratedParameter& vector) {
  return "      const auto& " + vector.name + " = __kiln_here_of_" + vector.name + ";\n";
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
  return "  constexpr unsigned __kiln_size = __kiln_lane_count<" + types.substr(2) + ">();\n";
}

std::string StagedVectors::loads() const {
  return for_each([](const GeneratedParameter& vector, const ElementUse& use) {
    const std::string type = "__kiln_lanes<" + element_type(vector) + ", __kiln_size> ";
    const std::string lanes = lanes_of(vector);
    std::string text = "    " + type + lanes + ";\n";
    if (use.is_loaded) text += "    " + lanes + ".__kiln_load(" + vector.name + " + __kiln_at);\n";
    if (use.store == ElementUse::Store::where_changed)
      text += "    const " + type + before_of(vector) + " = " + lanes + ";\n";
    return text;
  });
}

std::string StagedVectors::windows() const {
  // Names after all windows, as a name hides its own kind from its declaration on.
  return for_each([this](const GeneratedParameter& vector, const auto&) {
           return "      const __kiln_window<" + std::string(vector.is_const ? "const " : "") + element_type(vector) +
                  ", __kiln_size, " + index_ + "> __kiln_here_of_" + vector.name + "{" + lanes_of(vector) +
                  ".__kiln_values, __kiln_at};\n";
         }) +
         for_each([](const GeneratedParameter& vector, const auto&) { return element_name(vector); });
}

std::string StagedVectors::stores() const {
  return for_each([](const GeneratedParameter& vector, const ElementUse& use) {
    const std::string lanes = lanes_of(vector);
    const std::string store = lanes + ".__kiln_store(" + vector.name + " + __kiln_at);\n";
    switch (use.store) {
      case ElementUse::Store::never:
        return std::string();
      case ElementUse::Store::always:
        return "    " + store;
      case ElementUse::Store::where_changed:
        return "    if (" + lanes + ".__kiln_differs_from(" + before_of(vector) + ")) " + store;
    }
    return std::string();
  });
}

}  // namespace kiln
