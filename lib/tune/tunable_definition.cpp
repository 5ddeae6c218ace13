#include "tune/tunable_definition.hpp"

#include "base/argument_error.hpp"
#include "base/identifier.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace kiln {

namespace {

bool is_parameter_name(const std::string& name) {
  return !name.empty() && begins_identifier(name.front()) && std::all_of(name.begin(), name.end(), is_of_identifier);
}

}  // namespace

void TunableDefinition::add(TuneParameter parameter, bool is_compiler_option) {
  const std::string subject = "TunableKernel " + name + ": a parameter's name";
  if (!is_parameter_name(parameter.name)) refuse(subject, "an identifier", '"' + parameter.name + '"');
  for (const TuneParameter& other : parameters)
    if (other.name == parameter.name) refuse(subject, "one that no other parameter has", parameter.name + " again");
  (void)SearchSpace({parameter}, {});  // looks at the values
  parameters.push_back(std::move(parameter));
  is_option.push_back(is_compiler_option);
}

SizeTexts TunableDefinition::block_texts() const {
  if (!block)
    refuse("TunableKernel " + name, "the threads of a block", "none",
           R"(; call block_size("256"), or give --block 256, with the parameters that it depends on)");
  return *block;
}

SizeTexts TunableDefinition::grid_texts() const {
  if (grid) return *grid;
  SizeTexts texts;
  const SizeTexts threads = block_texts();
  const SizeTexts problem = {"problem_x", "problem_y", "problem_z"};
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = "ceil_div(" + problem[i] + ", " + threads[i] + ")";
  return texts;
}

}  // namespace kiln
