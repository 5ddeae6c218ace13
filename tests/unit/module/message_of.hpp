// The text of an expected error.
#pragma once

#include <kiln/error.hpp>

#include <string>

namespace kiln::test {

/// The text of the Error of type `Kind` that the action throws; another error passes, none gives a text that says so.
template <class Kind, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Kind& error) {
    return error.what();
  }
  return "nothing was thrown";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace kiln::test
