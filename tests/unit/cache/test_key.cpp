#include "cache/key.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace kiln;

TEST_CASE("no two requests share bytes by the way their fields are cut") {
  const std::vector<std::string> none;
  const std::vector<std::string> all = {
      KeyBuilder().bytes(),
      KeyBuilder().add("a", "").bytes(),
      KeyBuilder().add("", "a").bytes(),
      KeyBuilder().add("a", "b").bytes(),
      KeyBuilder().add("ab", "").bytes(),
      KeyBuilder().add("a", "b").add("c", "d").bytes(),
      KeyBuilder().add("c", "d").add("a", "b").bytes(),
      KeyBuilder().add("a", "bc").add("", "d").bytes(),
      KeyBuilder().add("a", none).bytes(),
      KeyBuilder().add("a", std::vector<std::string>{""}).bytes(),
      KeyBuilder().add("a", std::vector<std::string>{"b"}).bytes(),
      KeyBuilder().add("a", std::vector<std::string>{"b", "c"}).bytes(),
      KeyBuilder().add("a", std::vector<std::string>{"c", "b"}).bytes(),
      KeyBuilder().add("a", std::vector<std::string>{"bc"}).bytes(),
      KeyBuilder().add("a", std::vector<std::string>{"b"}).add("c", "").bytes(),
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      CHECK(all[i] != all[j]);
    }
}

TEST_CASE("equal requests share a digest") {
  CHECK(KeyBuilder().add("a", "b").digest() == KeyBuilder().add("a", "b").digest());
  CHECK(KeyBuilder().add("a", "b").digest() != KeyBuilder().add("a", "c").digest());
}
