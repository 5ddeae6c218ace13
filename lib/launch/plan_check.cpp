#include "launch/plan_check.hpp"

#include "base/type_name.hpp"
#include "launch/argument_check.hpp"
#include "launch/launch_limits.hpp"
#include "launch/plan_step.hpp"

#include <kiln/error.hpp>

namespace kiln {

namespace {

std::string in_plan(std::size_t index) { return "launch " + std::to_string(index) + " (counted from 0) of the plan: "; }

/// Runs a check of the kernel; where it throws, says which launch it was.
template <class Check>
void check_in_plan(std::size_t index, const Check& check) {
  try {
    check();
  } catch (const ArgumentError& error) {
    throw ArgumentError(in_plan(index) + error.what(), error.kernel(), error.index(), error.expected(), error.given());
  }
}

[[noreturn]] void throw_foreign(std::size_t index, const std::string& kernel, std::size_t argument) {
  const std::string expected = "a parameter of this plan";
  const std::string given = "one of another plan";
  throw ArgumentError(in_plan(index) + "kernel " + kernel + ": argument " + std::to_string(argument) +
                          " (counted from 0): expected " + expected + ", given " + given +
                          "; make it by parameter() of the plan that it is added to",
                      kernel, argument, expected, given);
}

std::string list_of(const std::vector<const PlanValue*>& parameters) {
  std::string list;
  for (const PlanValue* parameter : parameters)
    list += (list.empty() ? ": " : ", ") + type_name(*parameter->info.type) +
            (parameter->name.empty() ? "" : " " + parameter->name);
  return list;
}

[[noreturn]] void throw_unfit(const std::vector<const PlanValue*>& parameters, const ArgumentError& error) {
  std::string text = "launch plan: ";
  if (error.index() == ArgumentError::no_index) {
    text += "a replay takes " + error.expected() + list_of(parameters) + "; given " + error.given();
  } else {
    const std::string& name = parameters[error.index()]->name;
    text += "argument " + std::to_string(error.index()) + (name.empty() ? "" : ", " + name) +
            " (counted from 0, behind the stream): expected " + error.expected() + ", given " + error.given() +
            "; nothing is converted at a replay: cast it to the parameter's type";
  }
  throw ArgumentError(text, {}, error.index(), error.expected(), error.given());
}

}  // namespace

void check_planned_config(std::size_t index, const Kernel& kernel, const LaunchConfig& config) {
  check_in_plan(index, [&] {
    check_no_zero(config, kernel.display_name());
    if (config.stream == nullptr) return;
    const std::string expected = "a configuration without a stream";
    const std::string given = "one with a stream";
    throw ArgumentError("kernel " + kernel.display_name() + ": expected " + expected + ", given " + given +
                            "; the stream is given to the replay: plan(stream, ...)",
                        kernel.display_name(), ArgumentError::no_index, expected, given);
  });
}

void check_planned_launch(std::size_t index, Kernel& kernel, const LaunchConfig& config,
                          const detail::Signature& signature, const detail::PlanArgument* arguments,
                          std::uint64_t plan) {
  check_planned_config(index, kernel, config);
  for (std::size_t i = 0; i < signature.count; ++i)
    if (arguments[i].constant == nullptr && arguments[i].plan != plan) throw_foreign(index, kernel.display_name(), i);
  check_in_plan(index, [&] { kernel.check(signature); });
}

void check_replay(const std::vector<const PlanValue*>& parameters, const detail::Signature& signature) {
  std::vector<Parameter> expected;
  expected.reserve(parameters.size());
  for (const PlanValue* parameter : parameters)
    expected.push_back({0, parameter->info.size, parameter->info.kind, type_name(*parameter->info.type)});
  try {
    check_argument_types("", expected, signature);
  } catch (const ArgumentError& error) {
    throw_unfit(parameters, error);
  }
}

}  // namespace kiln
