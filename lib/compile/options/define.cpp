#include <kiln/compile_options.hpp>

namespace kiln {

Define::Define(std::string_view text) : name(text.substr(0, text.find('='))) {
  const std::size_t equals = text.find('=');
  value = equals == std::string_view::npos ? "1" : std::string(text.substr(equals + 1));
}

Define::Define(std::string macro, const Dim3& size)
    : name(std::move(macro)),
      value("dim3(" + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " + std::to_string(size.z) + ")") {}

}  // namespace kiln
