// The text of what a call throws.
#pragma once

#include <exception>
#include <string>

namespace kiln::test {

/// Empty where nothing, or something that is not an Exception, was thrown.
template <class Exception, class Body>
std::string message_of(const Body& body) {
  try {
    body();
  } catch (const Exception& error) {
    return error.what();
  } catch (...) {
    return {};
  }
  return {};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace kiln::test
