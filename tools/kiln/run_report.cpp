#include "run_report.hpp"

#include "base/json_object.hpp"
#include "element_value.hpp"
#include "figures.hpp"
#include "table.hpp"

#include <algorithm>
#include <cmath>

namespace kiln::tool {

bool RunReport::passes() const {
  return std::all_of(comparisons.begin(), comparisons.end(), [](const Comparison& each) { return each.matches(); });
}

VectorFigures vector_figures(const Array& array) {
  VectorFigures figures;
  const bool is_complex = array.type->kind == ElementType::Kind::complex;
  long double sum = 0, least = 0, largest = 0;
  for (std::size_t i = 0; i < array.count(); ++i) {
    const std::complex<long double> element = element_value(*array.type, array.element(i));
    const long double value = element.real();
    if (std::isnan(value) || std::isnan(element.imag())) {
      ++figures.nan;
      continue;
    }
    sum += value;
    if (is_complex) continue;
    if (!figures.min || value < least) {
      figures.min = i;
      least = value;
    }
    if (!figures.max || value > largest) {
      figures.max = i;
      largest = value;
    }
  }
  if (array.count() != figures.nan) figures.mean = sum / static_cast<long double>(array.count() - figures.nan);
  return figures;
}

namespace {

// More elements than both ends have are not shown in between.
constexpr std::size_t first_elements = 4;
constexpr std::size_t last_elements = 2;

std::string ends_text(const Array& array) {
  const std::size_t count = array.count();
  const bool is_cut = count > first_elements + last_elements + 2;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (is_cut && i == first_elements) {
      text += " ...";
      i = count - last_elements;
    }
    text += " " + element_text(*array.type, array.element(i));
  }
  return text;
}

std::string figures_text(const Array& array) {
  const VectorFigures figures = vector_figures(array);
  std::string text;
  if (figures.min)
    text = "; min " + element_text(*array.type, array.element(*figures.min)) + ", max " +
           element_text(*array.type, array.element(*figures.max)) + ", mean " + figure_text(figures.mean);
  if (figures.nan != 0) text += "; " + std::to_string(figures.nan) + " NaN";
  return text;
}

/// A row of the last dimension on a line; of one dimension, a value.
std::string all_values(const Array& array) {
  const std::size_t row = array.shape.size() < 2 ? 1 : array.shape.back();
  std::string text;
  for (std::size_t i = 0; i < array.count(); ++i)
    text += element_text(*array.type, array.element(i)) + ((i + 1) % row == 0 ? "\n" : " ");
  return text;
}

std::string vector_text(const CallVector& vector, bool is_printed) {
  const Array& array = vector.array;
  const std::string title =
      "argument " + std::to_string(vector.index) + ": " + array_type_text(*array.type, array.shape) + ":";
  std::string text =
      is_printed ? title + "\n" + all_values(array) : title + ends_text(array) + figures_text(array) + "\n";
  if (vector.never_written)
    text += "argument " + std::to_string(vector.index) + ": " + never_written_text(*vector.never_written, array) + "\n";
  return text;
}

std::string benchmark_row(const char* title, const std::string& text) {
  return "  " + table_row({title, text}, {-10}, " ");
}

std::string rate_row(const char* title, double amount, double seconds, const char* unit) {
  return amount == 0 ? std::string() : benchmark_row(title, figure_text(amount / seconds * 1e-9L) + unit);
}

std::string benchmark_text(const RunReport& report) {
  const BenchmarkResult& result = *report.benchmark;
  return "time of a launch, of " + std::to_string(result.repetitions) + " repetitions of " +
         std::to_string(result.calls_per_repetition) + (result.calls_per_repetition == 1 ? " launch" : " launches") +
         (report.is_emulator ? " (the CPU's: the emulator is no measure of a GPU)" : "") +
         (result.stable ? "" : "; not steady") + "\n" + benchmark_row("median", time_text(result.median)) +
         benchmark_row("fastest", time_text(result.min)) +
         benchmark_row("quartiles", time_text(result.lower_quartile) + ", " + time_text(result.upper_quartile)) +
         rate_row("memory", report.bytes_of_launch, result.median, " GB/s") +
         rate_row("arithmetic", report.flops_of_launch, result.median, " GFLOP/s");
}

std::string comparison_text(const RunReport& report, const Comparison& comparison) {
  const std::string argument = "argument " + std::to_string(comparison.argument);
  if (comparison.is_captured && comparison.matches()) return argument + ": equal to what the program computed\n";
  const std::string title =
      argument + " and " + (comparison.is_captured ? "what the program computed" : comparison.file) + ": ";
  if (comparison.matches()) return title + "as expected\n";
  const Array* array = nullptr;
  for (const CallVector& vector : *report.vectors)
    if (vector.index == comparison.argument) array = &vector.array;
  std::string text =
      title + std::to_string(comparison.different) + " of " + std::to_string(array->count()) + " elements differ";
  if (!std::isnan(comparison.largest)) text += ", by " + figure_text(comparison.largest) + " at most";
  text += "\n";
  for (const Difference& difference : comparison.first)
    text += "  " + element_place(array->shape, difference.element) + " is " + difference.value + ", expected " +
            difference.expected + "\n";
  if (comparison.different > comparison.first.size()) text += "  ...\n";
  return text;
}

}  // namespace

std::string run_text(const RunReport& report) {
  std::string text;
  for (std::size_t i = 0; i < report.vectors->size(); ++i) {
    const CallVector& vector = (*report.vectors)[i];
    if (vector.is_output || report.is_printed[i]) text += vector_text(vector, report.is_printed[i]);
  }
  if (text.empty()) text = report.kernel + " ran, and can write none of its arguments\n";
  if (report.seconds) text += "time: " + time_text(*report.seconds) + (report.is_emulator ? " (the CPU's)" : "") + "\n";
  if (report.benchmark) text += benchmark_text(report);
  for (const Comparison& comparison : report.comparisons) text += comparison_text(report, comparison);
  return text;
}

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
