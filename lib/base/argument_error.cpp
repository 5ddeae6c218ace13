#include "base/argument_error.hpp"

#include "base/bounded_text.hpp"

#include <kiln/error.hpp>

namespace kiln {

namespace {

constexpr std::size_t longest_given = 1000;
constexpr std::size_t longest_message = std::size_t{16} << 10;

}  // namespace

void throw_argument_error(const std::string& message, const std::string& expected, const std::string& given) {
  std::string text = message;
  // The way out stands after it.
  if (const std::size_t at = text.find(given); given.size() > longest_given && at != std::string::npos)
    text.replace(at, given.size(), bounded(given, longest_given));
  throw ArgumentError(bounded(text, longest_message), {}, ArgumentError::no_index, expected, given);
}

void refuse(const std::string& subject, const std::string& expected, const std::string& given,
            const std::string& advice) {
  throw_argument_error(subject + ": expected " + expected + ", given " + given + advice, expected, given);
}

}  // namespace kiln
