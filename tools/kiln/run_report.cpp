#include "run_report.hpp"

#include "element_value.hpp"

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

}  // namespace kiln::tool
