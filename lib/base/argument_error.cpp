#include "base/argument_error.hpp"

#include <kiln/error.hpp>

namespace kiln {

void throw_argument_error(const std::string& message, const std::string& expected, const std::string& given) {
  throw ArgumentError(message, {}, ArgumentError::no_index, expected, given);
}

void refuse(const std::string& subject, const std::string& expected, const std::string& given,
            const std::string& advice) {
  throw_argument_error(subject + ": expected " + expected + ", given " + given + advice, expected, given);
}

}  // namespace kiln
