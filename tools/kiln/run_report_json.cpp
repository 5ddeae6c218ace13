#include "element_value.hpp"
#include "run_report.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace kiln::tool {

namespace {

using RunJson = nlohmann::ordered_json;

/// JSON has no NaN and no infinity: they are texts.
RunJson figure_json(long double figure) {
  if (std::isnan(figure)) return "nan";
  if (std::isinf(figure)) return figure < 0 ? "-inf" : "inf";
  return static_cast<double>(figure);
}

RunJson element_json(const Array& array, std::size_t index) {
  const std::complex<long double> value = element_value(*array.type, array.element(index));
  switch (array.type->kind) {
    case ElementType::Kind::boolean:
      return value.real() != 0;
    case ElementType::Kind::integer:
      if (value.real() < 0) return static_cast<std::int64_t>(value.real());
      return static_cast<std::uint64_t>(value.real());
    case ElementType::Kind::complex:
      return RunJson::array({figure_json(value.real()), figure_json(value.imag())});
    default:
      return figure_json(value.real());
  }
}

RunJson never_written_json(const NeverWritten& elements) {
  return {{"count", elements.count},
          {"first", elements.count != 0 ? RunJson(elements.first) : RunJson()},
          {"in_part", elements.in_part},
          {"first_in_part", elements.in_part != 0 ? RunJson(elements.first_in_part) : RunJson()},
          {"certain", elements.is_certain}};
}

RunJson vector_json(const CallVector& vector, bool is_printed) {
  const Array& array = vector.array;
  const VectorFigures figures = vector_figures(array);
  RunJson object = {{"argument", vector.index},
                    {"type", array.type->name},
                    {"shape", array.shape},
                    {"output", vector.is_output},
                    {"min", figures.min ? element_json(array, *figures.min) : RunJson()},
                    {"max", figures.max ? element_json(array, *figures.max) : RunJson()},
                    {"mean", figures.min ? figure_json(figures.mean) : RunJson()},
                    {"nan", figures.nan},
                    {"never_written", vector.never_written ? never_written_json(*vector.never_written) : RunJson()}};
  if (!is_printed) return object;
  RunJson values = RunJson::array();
  for (std::size_t i = 0; i < array.count(); ++i) values.push_back(element_json(array, i));
  object["values"] = std::move(values);
  return object;
}

RunJson benchmark_json(const RunReport& report) {
  const BenchmarkResult& result = *report.benchmark;
  const auto rate = [&](double amount) { return amount == 0 ? RunJson() : RunJson(amount / result.median); };
  return {{"median_seconds", result.median},
          {"min_seconds", result.min},
          {"lower_quartile_seconds", result.lower_quartile},
          {"upper_quartile_seconds", result.upper_quartile},
          {"repetitions", result.repetitions},
          {"launches_per_repetition", result.calls_per_repetition},
          {"stable", result.stable},
          {"bytes_per_second", rate(report.bytes_of_launch)},
          {"flops_per_second", rate(report.flops_of_launch)}};
}

RunJson comparison_json(const Comparison& comparison) {
  RunJson first = RunJson::array();
  for (const Difference& each : comparison.first)
    first.push_back({{"element", each.element}, {"value", each.value}, {"expected", each.expected}});
  return {{"argument", comparison.argument},
          {"file", comparison.file},
          {"matches", comparison.matches()},
          {"different", comparison.different},
          {"largest_difference", figure_json(comparison.largest)},
          {"first", first}};
}

RunJson dim_json(const Dim3& dim) { return RunJson::array({dim.x, dim.y, dim.z}); }

}  // namespace

std::string run_json(const RunReport& report) {
  RunJson vectors = RunJson::array(), comparisons = RunJson::array();
  for (std::size_t i = 0; i < report.vectors->size(); ++i)
    vectors.push_back(vector_json((*report.vectors)[i], report.is_printed[i]));
  for (const Comparison& comparison : report.comparisons) comparisons.push_back(comparison_json(comparison));
  const RunJson object = {{"file", report.file},
                          {"kernel", report.kernel},
                          {"device", report.device},
                          {"emulator", report.is_emulator},
                          {"grid", dim_json(report.config.grid)},
                          {"block", dim_json(report.config.block)},
                          {"shared_bytes", report.config.shared_size},
                          {"vectors", vectors},
                          {"seconds", report.seconds ? RunJson(*report.seconds) : RunJson()},
                          {"benchmark", report.benchmark ? benchmark_json(report) : RunJson()},
                          {"expectations", comparisons},
                          {"passed", report.passes()}};
  return object.dump(2, ' ', false, RunJson::error_handler_t::replace) + "\n";
}

}  // namespace kiln::tool
