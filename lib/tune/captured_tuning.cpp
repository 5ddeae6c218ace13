#include "tune/captured_tuning.hpp"

#include "base/json_object.hpp"
#include "capture/capture_hook.hpp"
#include "capture/capture_pause.hpp"
#include "compile/record/record.hpp"
#include "launch/kernel.hpp"
#include "tune/tunable_request.hpp"

#include <kiln/source_module.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace kiln {

namespace {

std::string values_json(const TuneConfiguration& values) {
  JsonObject object;
  for (const auto& [name, value] : values) object.add_json(name, value.json());
  return object.text();
}

std::string parameters_json(const TunableDefinition& definition) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < definition.parameters.size(); ++i) {
    std::vector<std::string> values;
    for (const TuneValue& value : definition.parameters[i].values) values.push_back(value.json());
    JsonObject object;
    object.add("name", definition.parameters[i].name).add_json("values", json_array(values));
    if (definition.is_option[i]) object.add("option", true);
    items.push_back(object.text());
  }
  return json_array(items);
}

std::vector<std::string> size_list(const SizeTexts& sizes) { return {sizes.begin(), sizes.end()}; }

}  // namespace

std::string tuning_json(const TunableDefinition& definition) {
  JsonObject object;
  object.add("name", definition.name).add_json("parameters", parameters_json(definition));
  object.add("restrictions", definition.restrictions);
  object.add("callable_restrictions", static_cast<int>(definition.predicates.size()));
  if (definition.block) object.add("block", size_list(*definition.block));
  if (definition.grid) object.add("grid", size_list(*definition.grid));
  object.add("shared", definition.shared);
  if (definition.default_values) object.add_json("default", values_json(*definition.default_values));
  return object.add_json("request", source_request({}, definition.options)).text();
}

std::optional<Function> captured_function(const TunableDefinition& definition, const TuneConfiguration& values,
                                          const ProblemSize& problem) {
  if (CapturePause::is_on() || !are_captured()) return std::nullopt;
  const std::string& name = definition.name;
  std::optional<CaptureRule> rule = capture_rule({definition.key, name, name.substr(0, name.find('<'))});
  if (!rule) return std::nullopt;
  const CapturePause own_way;
  const TunableRequest request = request_of(definition, values);
  const SourceModule module(definition.source, request.options);
  Function function = module.get_function(request.function);
  Kernel& kernel = kernel_of(function);
  CapturedKernel captured{*std::move(rule), kernel.info(), module.code(), {}};
  captured.tuning = CapturedTuning{definition.key, tuning_json(definition), problem};
  kernel.set_hook(std::make_shared<CaptureHook>(std::move(captured)));
  return function;
}

}  // namespace kiln
