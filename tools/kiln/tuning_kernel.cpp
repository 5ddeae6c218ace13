#include "tuning_kernel.hpp"

#include "base/argument_error.hpp"
#include "base/passkey.hpp"
#include "capture_call.hpp"
#include "memory/context.hpp"
#include "output_file.hpp"
#include "source_file.hpp"
#include "tune/parameter_effect.hpp"
#include "tune/tunable.hpp"

#include <kiln/error.hpp>
#include <kiln/memcpy.hpp>
#include <kiln/source_module.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

namespace kiln::tool {

namespace {

std::optional<long long> read_integer(const std::string& text) {
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Integers where all are, booleans where all are, else texts: restrictions can reckon with the first two.
std::vector<TuneValue> read_values(const std::vector<std::string>& texts) {
  const auto is_boolean = [](const std::string& text) { return text == "true" || text == "false"; };
  const auto is_integer = [](const std::string& text) { return read_integer(text).has_value(); };
  std::vector<TuneValue> values;
  const bool are_booleans = std::all_of(texts.begin(), texts.end(), is_boolean);
  const bool are_integers = std::all_of(texts.begin(), texts.end(), is_integer);
  for (const std::string& text : texts) {
    if (are_booleans)
      values.emplace_back(text == "true");
    else if (are_integers)
      values.emplace_back(*read_integer(text));
    else
      values.emplace_back(text);
  }
  return values;
}

/// A parameter, with its values as they are written: for --default.
struct NamedParameter {
  CapturedParameter parameter;
  std::vector<std::string> texts;
};

std::vector<NamedParameter> given_parameters(const TuningArguments& arguments) {
  std::vector<NamedParameter> all;
  for (const TuningParameter& given : arguments.parameters) {
    std::vector<TuneValue> values(given.values.begin(), given.values.end());
    if (!given.is_option) values = read_values(given.values);
    all.push_back({{given.name, std::move(values), given.is_option}, given.values});
  }
  return all;
}

/// Those of the definition, and the command line's, which replace those of their name.
std::vector<NamedParameter> all_parameters(const CapturedDefinition& definition, const TuningArguments& arguments) {
  std::vector<NamedParameter> all;
  for (const CapturedParameter& parameter : definition.parameters) {
    std::vector<std::string> texts;
    for (const TuneValue& value : parameter.values) texts.push_back(value.text());
    all.push_back({parameter, std::move(texts)});
  }
  for (NamedParameter& given : given_parameters(arguments)) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const NamedParameter& known) {
      return known.parameter.name == given.parameter.name;
    });
    if (same == all.end())
      all.push_back(std::move(given));
    else
      *same = std::move(given);
  }
  return all;
}

/// "BLOCK=128" of --default, as a value of that parameter.
std::pair<std::string, TuneValue> read_default(const std::string& text, const std::vector<NamedParameter>& parameters) {
  const std::size_t end = text.find('=');
  const std::string name = text.substr(0, end), given = text.substr(end + 1);
  for (const NamedParameter& known : parameters) {
    if (known.parameter.name != name) continue;
    const auto found = std::find(known.texts.begin(), known.texts.end(), given);
    if (found == known.texts.end())
      refuse("--default " + text, "one of the values of --param " + name, '"' + given + '"');
    return {name, known.parameter.values[static_cast<std::size_t>(found - known.texts.begin())]};
  }
  refuse("--default " + text, "the name of a --param", '"' + name + '"');
}

/// Those of the definition's values that the parameters still have: --param may have replaced some lists.
TuneConfiguration kept_defaults(const CapturedDefinition& definition, const std::vector<NamedParameter>& parameters) {
  TuneConfiguration kept;
  for (const auto& [name, value] : definition.defaults)
    for (const auto& [parameter, texts] : parameters)
      if (parameter.name == name &&
          std::find(parameter.values.begin(), parameter.values.end(), value) != parameter.values.end())
        kept.emplace_back(name, value);
  return kept;
}

bool has_value(const TuneConfiguration& values, const std::string& name) {
  return std::any_of(values.begin(), values.end(), [&](const auto& value) { return value.first == name; });
}

/// The definition's values with those of --default in their place, and first values where --param left a gap.
TuneConfiguration default_values(const CapturedDefinition& definition, const TuningArguments& arguments,
                                 const std::vector<NamedParameter>& parameters) {
  TuneConfiguration values = kept_defaults(definition, parameters);
  for (const std::string& text : arguments.defaults) {
    const auto given = read_default(text, parameters);
    const auto same =
        std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.first == given.first; });
    if (same == values.end())
      values.push_back(given);
    else
      same->second = given.second;
  }
  if (definition.defaults.empty() || values.empty()) return values;
  for (const auto& [parameter, texts] : parameters)
    if (!has_value(values, parameter.name)) values.emplace_back(parameter.name, parameter.values.front());
  return values;
}

using SizeSetter = TunableKernel& (TunableKernel::*)(std::string_view, std::string_view, std::string_view);

void set_sizes(TunableKernel& kernel, SizeSetter setter, const std::vector<std::string>& given,
               const std::vector<std::string>& captured) {
  const std::vector<std::string>& sizes = given.empty() ? captured : given;
  if (sizes.empty()) return;
  (kernel.*setter)(sizes[0], sizes.size() > 1 ? sizes[1] : "1", sizes.size() > 2 ? sizes[2] : "1");
}

void describe(TunableKernel& kernel, const CapturedDefinition& definition, const TuningArguments& arguments) {
  const std::vector<NamedParameter> parameters = all_parameters(definition, arguments);
  for (const auto& [parameter, texts] : parameters) {
    if (parameter.is_option)
      kernel.tune_option(parameter.name, texts);
    else
      kernel.tune(parameter.name, parameter.values);
  }
  for (const std::string& restriction : definition.restrictions) kernel.restriction(restriction);
  for (const std::string& restriction : arguments.restrictions) kernel.restriction(restriction);
  set_sizes(kernel, &TunableKernel::block_size, arguments.block, definition.block);
  set_sizes(kernel, &TunableKernel::grid_size, arguments.grid, definition.grid);
  const std::string& shared = arguments.shared.empty() ? definition.shared : arguments.shared;
  if (!shared.empty()) kernel.shared_memory(shared);
  const std::string& key = arguments.key.empty() ? definition.key : arguments.key;
  if (!key.empty()) kernel.tuning_key(key);
  TuneConfiguration defaults = default_values(definition, arguments, parameters);
  if (!defaults.empty()) kernel.default_configuration(std::move(defaults));
}

/// A tuned kernel's variables are as the source has them: the program's content is in none of the candidates.
void refuse_variables(const Capture& capture) {
  if (capture.variables.empty()) return;
  const RecordedSource& source = capture.request->source;
  const SourceModule module(source.text, source.options);
  for (const CapturedVariable& variable : capture.variables) {
    const GlobalVariable own = module.get_global(variable.symbol);
    std::string bytes(own.size, '\0');
    memcpy_dtoh(bytes.data(), own.pointer, bytes.size());
    if (bytes != variable.content.bytes)
      throw Error(
          "the program had set the variable " + variable.symbol +
          ", which the candidates of a tuning run do not have: pass the values as an argument, and capture again");
  }
}

std::vector<std::string> size_texts(const Dim3& sizes) {
  return {std::to_string(sizes.x), std::to_string(sizes.y), std::to_string(sizes.z)};
}

/// Of a kernel that was not tunable: what the command line leaves open is as it was launched.
CapturedDefinition plain_definition(const Capture& capture, const TuningArguments& arguments) {
  if (arguments.parameters.empty())
    throw_argument_error(capture.folder +
                             " is a capture of a kernel without tuning parameters: give --param NAME=VALUE,VALUE, such "
                             "as --param BLOCK=64,128,256 --block BLOCK",
                         "--param", "none");
  CapturedDefinition definition;
  definition.name = capture.name();
  definition.key = definition.name.substr(0, definition.name.find('<', 1));
  definition.options = capture.request->source.options;
  definition.options.name_expressions.clear();
  const auto is_parameter = [&](const Define& define) {
    return std::any_of(arguments.parameters.begin(), arguments.parameters.end(),
                       [&](const TuningParameter& parameter) { return parameter.name == define.name; });
  };
  std::erase_if(definition.options.defines, is_parameter);
  std::erase_if(definition.options.late_defines, is_parameter);
  definition.shared = std::to_string(capture.shared_size);
  if (!arguments.block.empty()) return definition;
  definition.block = size_texts(capture.block);
  definition.grid = size_texts(capture.grid);
  return definition;
}

void refuse_untunable(const Capture& capture) {
  if (!capture.request)
    throw Error(capture.folder + ": its code was not compiled by the program, and only a source can be tuned");
  if (capture.attributes.cooperative || capture.attributes.cluster != Dim3{})
    throw Error(capture.folder + ": the launch was cooperative or in clusters, which no tunable kernel is");
}

TunableKernel captured_kernel(const Capture& capture, const TuningArguments& arguments) {
  refuse_untunable(capture);
  const CapturedDefinition definition = capture.tuning ? *capture.tuning : plain_definition(capture, arguments);
  const RunArguments& run = arguments.run;
  TunableKernel kernel(capture.request->source.text, run.kernel.empty() ? definition.name : run.kernel,
                       options_for(definition.options, run.options));
  describe(kernel, definition, arguments);
  return kernel;
}

TunableKernel described_kernel(const TuningArguments& arguments, const std::string& source,
                               const std::optional<Capture>& capture) {
  if (capture) return captured_kernel(*capture, arguments);
  const RunArguments& run = arguments.run;
  CompileOptions options = run.options;
  if (run.file != "-") options.name = std::filesystem::absolute(run.file).string();
  TunableKernel kernel(source, run.kernel, options);
  describe(kernel, {}, arguments);
  return kernel;
}

}  // namespace

TunableKernel tuning_kernel(const TuningArguments& arguments, const std::string& source,
                            const std::optional<Capture>& capture) {
  TunableKernel kernel = described_kernel(arguments, source, capture);
  if (!capture) return kernel;
  if (capture->tuning && capture->tuning->callable_restrictions != 0)
    say("kiln: " + std::to_string(capture->tuning->callable_restrictions) +
        " of the program's restrictions are C++ callables, which are in no file: configurations that they rule out are "
        "tried, too\n");
  refuse_variables(*capture);
  return kernel;
}

TunableKernel default_kernel(const TuningArguments& arguments, const std::string& source,
                             const std::optional<Capture>& capture) {
  TunableKernel kernel = described_kernel(arguments, source, capture);
  kernel.wisdom(Wisdom::from_text(""));
  return kernel;
}

void check_parameters(const TunableKernel& kernel, const ProblemSize& problem,
                      const std::vector<std::string>& defaults) {
  const TunableDefinition& definition = kernel.impl(passkey).use();
  const TunedDevice& device = tuned_devices().at(static_cast<std::size_t>(current_device()));
  const TunableSpace space(definition, device.attributes, problem);
  refuse_unused_parameters(definition, space, false, {});
  if (defaults.empty()) return;
  if (const std::string fault = space.default_fault(); !fault.empty())
    throw_argument_error("--default: no configuration with these values can be launched: " + fault,
                         "values that can be launched", defaults.front());
}

std::vector<unsigned long long> tuning_problem(const TuningArguments& arguments,
                                               const std::optional<Capture>& capture) {
  if (!arguments.problem.empty() || !capture) return arguments.problem;
  if (capture->tuning) return capture->tuning->problem;
  const auto threads = [](std::uint32_t grid, std::uint32_t block) { return std::uint64_t{grid} * block; };
  std::vector<unsigned long long> problem = {threads(capture->grid.x, capture->block.x),
                                             threads(capture->grid.y, capture->block.y),
                                             threads(capture->grid.z, capture->block.z)};
  while (problem.size() > 1 && problem.back() == 1) problem.pop_back();
  return problem;
}

}  // namespace kiln::tool
