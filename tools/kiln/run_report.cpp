#include "run_report.hpp"

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

}  // namespace kiln::tool
