#include "choice.hpp"

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

bool read_value(Choice& choice, std::string_view option, const char* value) {
  if (value == nullptr) return false;
  if (option == "--compiler") {
    choice.backend = std::string_view(value) == "nvcc" ? Backend::nvcc : Backend::nvrtc;
    return choice.backend == Backend::nvcc || std::string_view(value) == "nvrtc";
  }
  if (option == "--seed") return read_number(value, choice.seed);
  if (option == "--stories") return read_number(value, choice.stories);
  if (option == "--steps") return read_number(value, choice.steps);
  if (option == "--seconds") return read_number(value, choice.seconds);
  return option == "--jobs" && read_number(value, choice.jobs) && choice.jobs > 0;
}

}  // namespace

std::optional<Choice> read_choice(int count, const char* const* words) {
  Choice choice;
  for (int i = 1; i < count; ++i) {
    const std::string_view option = words[i];
    if (option == "--all") {
      choice.all = true;
    } else if (option == "--share") {
      choice.shares = true;
    } else if (!read_value(choice, option, i + 1 < count ? words[++i] : nullptr)) {
      std::fprintf(stderr, "what is %s? README.md has the options\n", words[i]);
      return std::nullopt;
    }
  }
  return choice;
}

}  // namespace kiln::oracle
