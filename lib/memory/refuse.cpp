#include "memory/refuse.hpp"

#include "base/argument_error.hpp"

namespace kiln {

void refuse(const std::string& subject, const std::string& expected, const std::string& given,
            const std::string& advice) {
  throw_argument_error(subject + ": expected " + expected + ", given " + given + advice, expected, given);
}

}  // namespace kiln
