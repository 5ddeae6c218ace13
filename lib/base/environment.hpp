// Environment variables. A process that runs with more rights than its user (set-user-id and the like) sees none of
// them: they are that user's word, not its own.
#pragma once

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The variable's value; nothing where it is unset. An empty value counts as unset.
std::optional<std::string> environment(const char* name);

/// The first of the two that is set: Kiln's spelling, then PyCUDA's.
std::optional<std::string> environment(const char* name, const char* pycuda_name);

/// Whether the variable is set, at any value, also an empty one.
bool environment_has(const char* name);

/// All variables as they are, "NAME=value": for a process to be started.
std::vector<std::string> all_variables();

/// The values of those variables, null where unset, by one way through the environment: for callers that need many at
/// each call. The names have three letters or more. Valid as getenv's.
template <std::size_t count>
std::array<const char*, count> environment_values(const std::array<std::string_view, count>& names);

/// Whether this process runs with more rights than its user.
bool privileged_process();

template <std::size_t count>
std::array<const char*, count> environment_values(const std::array<std::string_view, count>& names) {
  std::array<const char*, count> values{};
  if (environ == nullptr || privileged_process()) return values;
  // Three letters rule out most variables.
  const auto beginning = [](const char* text) {
    return std::uint64_t{1} << ((text[0] + 7 * text[1] + 31 * text[2]) & 63);
  };
  std::uint64_t beginnings = 0;
  for (const std::string_view name : names) beginnings |= beginning(name.data());
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const char* const text = *variable;
    if (text[0] == '\0' || text[1] == '\0' || (beginnings & beginning(text)) == 0) continue;
    const char* const equals = std::strchr(text, '=');
    if (equals == nullptr) continue;
    const std::string_view given(text, static_cast<std::size_t>(equals - text));
    for (std::size_t i = 0; i < count; ++i)
      if (names[i].size() == given.size() && values[i] == nullptr && names[i] == given) values[i] = equals + 1;
  }
  return values;
}

}  // namespace kiln
