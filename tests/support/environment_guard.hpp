// Environment variables for the length of a scope.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <stdlib.h>

namespace kiln::test {

/// Sets and unsets variables, and restores what they were at the end of the scope. Not for use beside other threads
/// that read the environment.
class EnvironmentGuard {
 public:
  EnvironmentGuard() = default;
  /// No value unsets the variable.
  struct Variable {
    std::string name;
    std::optional<std::string> value;
  };
  /// EnvironmentGuard guard({{"NAME", "value"}, {"OTHER", std::nullopt}}); An array, because a vector could also be
  /// made from two strings as its ends.
  template <std::size_t count>
  explicit EnvironmentGuard(const Variable (&variables)[count]) {
    for (const Variable& variable : variables) {
      if (variable.value) {
        set(variable.name, *variable.value);
      } else {
        unset(variable.name);
      }
    }
  }
  ~EnvironmentGuard() {
    for (auto it = before_.rbegin(); it != before_.rend(); ++it) {
      if (it->second) {
        setenv(it->first.c_str(), it->second->c_str(), 1);
      } else {
        unsetenv(it->first.c_str());
      }
    }
  }
  EnvironmentGuard(const EnvironmentGuard&) = delete;
  EnvironmentGuard& operator=(const EnvironmentGuard&) = delete;

  void set(const std::string& name, const std::string& value) {
    remember(name);
    setenv(name.c_str(), value.c_str(), 1);
  }
  void unset(const std::string& name) {
    remember(name);
    unsetenv(name.c_str());
  }

 private:
  void remember(const std::string& name) {
    const char* value = getenv(name.c_str());
    before_.emplace_back(name, value ? std::optional<std::string>(value) : std::nullopt);
  }
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

}  // namespace kiln::test
