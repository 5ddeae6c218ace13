#include "base/environment.hpp"

#include <cstdlib>

namespace kiln {

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::string(value);
}

std::optional<std::string> environment(const char* name, const char* pycuda_name) {
  std::optional<std::string> value = environment(name);
  return value ? value : environment(pycuda_name);
}

}  // namespace kiln
