#include "base/argument_error.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

namespace argument_error_test {

using namespace kiln;

namespace {

template <class Action>
ArgumentError thrown_by(const Action& action) {
  try {
    action();
  } catch (const ArgumentError& error) {
    return error;
  }
  throw std::logic_error("nothing thrown");
}

}  // namespace

TEST_CASE("An argument error of no kernel has the message, what was expected and what was given") {
  const ArgumentError error =
      thrown_by([] { throw_argument_error("a size of -1: give zero or more", "zero or more", "-1"); });
  CHECK(std::string(error.what()) == "a size of -1: give zero or more");
  CHECK(error.expected() == "zero or more");
  CHECK(error.given() == "-1");
  CHECK(error.kernel().empty());
  CHECK(error.index() == ArgumentError::no_index);
}

TEST_CASE("A refusal makes the message out of the subject, what was expected and given, and the advice") {
  const ArgumentError error = thrown_by([] { refuse("Array: width", "at least 1", "0", ": give more"); });
  CHECK(std::string(error.what()) == "Array: width: expected at least 1, given 0: give more");
  CHECK(error.expected() == "at least 1");
  CHECK(error.given() == "0");
}

}  // namespace argument_error_test
