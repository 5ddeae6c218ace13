#include "memory/refuse.hpp"

#include <kiln/error.hpp>

namespace kiln {

void refuse(const std::string& subject, const std::string& expected, const std::string& given,
            const std::string& advice) {
  throw ArgumentError(subject + ": expected " + expected + ", given " + given + advice, {}, ArgumentError::no_index,
                      expected, given);
}

}  // namespace kiln
