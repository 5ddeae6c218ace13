#include "base/environment.hpp"

#include <stdlib.h>
#include <sys/auxv.h>

namespace kiln {

std::optional<std::string> environment(const char* name) {
  const char* value = ::secure_getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::string(value);
}

std::optional<std::string> environment(const char* name, const char* pycuda_name) {
  std::optional<std::string> value = environment(name);
  return value ? value : environment(pycuda_name);
}

bool environment_has(const char* name) { return ::secure_getenv(name) != nullptr; }

std::vector<std::string> all_variables() {
  std::vector<std::string> all;
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable)
    all.emplace_back(*variable);
  return all;
}

bool privileged_process() { return ::getauxval(AT_SECURE) != 0; }

}  // namespace kiln
