#include "arguments.hpp"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace kiln::oracle {

namespace {

template <class Number>
bool read_number(const char* text, Number& number) {
  const char* const end = text + std::strlen(text);
  const auto result = std::from_chars(text, end, number);
  return result.ec == std::errc() && result.ptr == end;
}

bool read_value(Arguments& arguments, std::string_view option, const char* value) {
  if (value == nullptr) return false;
  if (option == "--compiler") {
    arguments.backend = std::string_view(value) == "nvcc" ? Backend::nvcc : Backend::nvrtc;
    return arguments.backend == Backend::nvcc || std::string_view(value) == "nvrtc";
  }
  if (option == "--seed") return read_number(value, arguments.seed);
  if (option == "--scenarios") return read_number(value, arguments.scenarios);
  if (option == "--steps") return read_number(value, arguments.steps);
  if (option == "--seconds") return read_number(value, arguments.seconds);
  return option == "--jobs" && read_number(value, arguments.jobs) && arguments.jobs > 0;
}

}  // namespace

std::optional<Arguments> read_arguments(int count, const char* const* words) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string_view option = words[i];
    if (option == "--share") {
      arguments.shares = true;
    } else if (option == "--precompiled") {
      arguments.precompiles = true;
    } else if (!read_value(arguments, option, i + 1 < count ? words[++i] : nullptr)) {
      std::fprintf(stderr, "cannot read %s: see README.md\n", words[i]);
      return std::nullopt;
    }
  }
  return arguments;
}

}  // namespace kiln::oracle
