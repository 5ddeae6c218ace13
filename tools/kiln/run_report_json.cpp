#include "base/json_object.hpp"
#include "element_value.hpp"
#include "run_report.hpp"

#include <cmath>

namespace kiln::tool {

namespace {

/// JSON has no NaN and no infinity: they are texts.
std::string figure_json(long double figure) {
  if (std::isnan(figure)) return json_text("nan");
  if (std::isinf(figure)) return json_text(figure < 0 ? "-inf" : "inf");
  return json_number(static_cast<double>(figure));
}

std::string element_json(const Array& array, std::size_t index) {
  const std::complex<long double> value = element_value(*array.type, array.element(index));
  switch (array.type->kind) {
    case ElementType::Kind::boolean:
      return value.real() != 0 ? "true" : "false";
    case ElementType::Kind::integer:
      if (value.real() < 0) return std::to_string(static_cast<std::int64_t>(value.real()));
      return std::to_string(static_cast<std::uint64_t>(value.real()));
    case ElementType::Kind::complex:
      return json_array({figure_json(value.real()), figure_json(value.imag())});
    default:
      return figure_json(value.real());
  }
}

std::string never_written_json(const NeverWritten& elements) {
  std::optional<std::size_t> first, first_in_part;
  if (elements.count != 0) first = elements.first;
  if (elements.in_part != 0) first_in_part = elements.first_in_part;
  return JsonReport()
      .add("count", elements.count)
      .add("first", first)
      .add("in_part", elements.in_part)
      .add("first_in_part", first_in_part)
      .add("certain", elements.is_certain)
      .text();
}

std::string vector_json(const CallVector& vector, bool is_printed) {
  const Array& array = vector.array;
  const VectorFigures figures = vector_figures(array);
  JsonReport object;
  object.add("argument", vector.index).add("type", array.type->name).add("shape", array.shape);
  object.add("output", vector.is_output);
  object.add_json("min", figures.min ? element_json(array, *figures.min) : "null");
  object.add_json("max", figures.max ? element_json(array, *figures.max) : "null");
  object.add_json("mean", figures.min ? figure_json(figures.mean) : "null").add("nan", figures.nan);
  object.add_json("never_written", vector.never_written ? never_written_json(*vector.never_written) : "null");
  if (!is_printed) return object.text();
  std::vector<std::string> values;
  for (std::size_t i = 0; i < array.count(); ++i) values.push_back(element_json(array, i));
  return object.add_json("values", json_array(values)).text();
}

std::string benchmark_json(const RunReport& report) {
  const BenchmarkResult& result = *report.benchmark;
  const auto rate = [&](double amount) { return amount == 0 ? std::nullopt : std::optional(amount / result.median); };
  JsonReport object;
  object.add("median_seconds", result.median).add("min_seconds", result.min);
  object.add("lower_quartile_seconds", result.lower_quartile);
  object.add("upper_quartile_seconds", result.upper_quartile);
  object.add("repetitions", result.repetitions).add("launches_per_repetition", result.calls_per_repetition);
  object.add("stable", result.stable).add("bytes_per_second", rate(report.bytes_of_launch));
  return object.add("flops_per_second", rate(report.flops_of_launch)).text();
}

std::string comparison_json(const Comparison& comparison) {
  std::vector<std::string> first;
  for (const Difference& each : comparison.first)
    first.push_back(
        JsonReport().add("element", each.element).add("value", each.value).add("expected", each.expected).text());
  return JsonReport()
      .add("argument", comparison.argument)
      .add("file", comparison.file)
      .add("matches", comparison.matches())
      .add("different", comparison.different)
      .add_json("largest_difference", figure_json(comparison.largest))
      .add_json("first", json_array(first))
      .text();
}

std::vector<unsigned> dim_list(const Dim3& dim) { return {dim.x, dim.y, dim.z}; }

}  // namespace

std::string run_json(const RunReport& report) {
  std::vector<std::string> vectors, comparisons;
  for (std::size_t i = 0; i < report.vectors->size(); ++i)
    vectors.push_back(vector_json((*report.vectors)[i], report.is_printed[i]));
  for (const Comparison& comparison : report.comparisons) comparisons.push_back(comparison_json(comparison));
  JsonReport object;
  object.add("file", report.file).add("kernel", report.kernel).add("device", report.device);
  object.add("emulator", report.is_emulator).add("grid", dim_list(report.config.grid));
  object.add("block", dim_list(report.config.block)).add("shared_bytes", report.config.shared_size);
  object.add_json("vectors", json_array(vectors)).add("seconds", report.seconds);
  object.add_json("benchmark", report.benchmark ? benchmark_json(report) : "null");
  object.add_json("expectations", json_array(comparisons)).add("passed", report.passes());
  return json_indented(object.text()) + "\n";
}

}  // namespace kiln::tool
