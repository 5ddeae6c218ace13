// What an ArgumentError says.
#pragma once

#include <kiln/error.hpp>

#include <string>

/// The text of the ArgumentError that `action` throws, "accepted" where it throws none.
template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const kiln::ArgumentError& error) {
    return error.what();
  }
  return "accepted";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
