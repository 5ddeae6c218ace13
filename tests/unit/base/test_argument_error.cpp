#include "base/argument_error.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

using namespace kiln;

TEST_CASE("An argument error of no kernel tells the message, what was expected and what was given") {
  try {
    throw_argument_error("a size of -1: give zero or more", "zero or more", "-1");
  } catch (const ArgumentError& error) {
    CHECK(std::string(error.what()) == "a size of -1: give zero or more");
    CHECK(error.expected() == "zero or more");
    CHECK(error.given() == "-1");
    CHECK(error.kernel().empty());
    CHECK(error.index() == ArgumentError::no_index);
  }
}
