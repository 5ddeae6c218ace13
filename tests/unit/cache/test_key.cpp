#include "cache/key.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace key_test {

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

TEST_CASE("the fields of a key can be read again, long texts by their digest") {
  const std::string source(201, 'x');
  const std::string exact(200, 'y');
  const std::vector<std::string> options = {"-DN=4", "", source};
  const auto fields = key_fields(KeyBuilder()
                                     .add("arch", "sm_90")
                                     .add("options", options)
                                     .add("none", std::vector<std::string>{})
                                     .add("source", source)
                                     .add("exact", exact)
                                     .bytes());
  REQUIRE(fields.size() == 5);
  CHECK(fields[0].label == "arch");
  CHECK_FALSE(fields[0].is_list);
  CHECK(fields[0].items == std::vector<std::string>{"sm_90"});
  CHECK(fields[1].is_list);
  CHECK(fields[1].items == std::vector<std::string>{"-DN=4", "", "sha256:" + digest_of(source).hex()});
  CHECK(fields[2].is_list);
  CHECK(fields[2].items.empty());
  CHECK(fields[3].items == std::vector<std::string>{"sha256:" + digest_of(source).hex()});
  CHECK(fields[4].items == std::vector<std::string>{exact});
  CHECK(key_fields("").empty());
  CHECK(key_fields("cut short").size() == 1);  // damaged bytes do no harm
}

}  // namespace key_test
