// Templates with loops and conditions, within bounds.
#pragma once

#include <kiln/template_data.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

/// Nested loops can ask for more than any machine has.
struct RenderLimits {
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t steps = std::size_t{1} << 22;  // values, pieces of text and rounds of loops
};

/// render_template, which goes beyond no limit: it throws ArgumentError then.
std::string rendered(std::string_view text, const TemplateObject& data, const RenderLimits& limits = {});

}  // namespace kiln
