#include "time_text.hpp"

#include "element_value.hpp"

namespace kiln::tool {

std::string time_text(double seconds) {
  if (seconds < 1e-6) return figure_text(seconds * 1e9L) + " ns";
  if (seconds < 1e-3) return figure_text(seconds * 1e6L) + " us";
  if (seconds < 1) return figure_text(seconds * 1e3L) + " ms";
  return figure_text(seconds) + " s";
}

}  // namespace kiln::tool
