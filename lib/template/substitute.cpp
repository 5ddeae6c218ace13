#include "template/substitution.hpp"

#include <kiln/substitute.hpp>

namespace kiln {

std::string substitute(std::string_view text, const TemplateValues& values) {
  return substituted(text, values, Unknown::refuse, "substitute");
}

std::string safe_substitute(std::string_view text, const TemplateValues& values) {
  return substituted(text, values, Unknown::leave, "safe_substitute");
}

}  // namespace kiln
