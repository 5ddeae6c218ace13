#include "base/similar_name.hpp"

#include <doctest/doctest.h>

namespace similar_name_test {

using kiln::similar_name;

TEST_CASE("the nearest name is found by letters changed, left out, added or swapped") {
  const std::vector<std::string> names = {"scale", "scatter", "sum"};
  CHECK(similar_name("scael", names) == "scale");
  CHECK(similar_name("scle", names) == "scale");
  CHECK(similar_name("scalle", names) == "scale");
  CHECK(similar_name("scutter", names) == "scatter");
  CHECK(similar_name("sum", names) == "sum");
}

TEST_CASE("short words: one letter of three, and capitals") {
  CHECK(similar_name("smu", {"sum"}) == "sum");
  CHECK(similar_name("add", {"sum"}).empty());
  CHECK(similar_name("k", {"f", "K"}) == "K");
  CHECK(similar_name("k", {"f"}).empty());
  CHECK(similar_name("NATIVE", {"native"}) == "native");
}

TEST_CASE("what is another word is not suggested") {
  CHECK(similar_name("reduce", {"scale", "sum"}).empty());
  CHECK(similar_name("ab", {"cd"}).empty());
  CHECK(similar_name("scale", {}).empty());
  CHECK(similar_name(std::string(1000, 'a'), {std::string(999, 'a')}).empty());
}

}  // namespace similar_name_test
