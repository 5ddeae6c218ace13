#include "cache/size_text.hpp"

#include <doctest/doctest.h>

namespace size_text_test {

using kiln::parse_size;

TEST_CASE("sizes") {
  CHECK(parse_size("0") == 0);
  CHECK(parse_size("4096") == 4096);
  CHECK(parse_size("64k") == 65536);
  CHECK(parse_size("500M") == 500ull << 20);
  CHECK(parse_size("1G") == 1ull << 30);
  CHECK(parse_size("2g") == 2ull << 30);
  CHECK(parse_size("3T") == 3ull << 40);
  CHECK(parse_size("18446744073709551615") == ~0ull);
  CHECK(parse_size("16777215T") == 16777215ull << 40);
}

TEST_CASE("what is no size") {
  for (const char* text : {"", "G", "-1", "+1", " 1", "1 ", "1 G", "1GB", "1GiB", "1.5G", "0x10", "1e9", "5X", "ten",
                           "18446744073709551616", "16777216T", "18014398509481984k", "99999999999999999999G"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_size(text));
  }
}

}  // namespace size_text_test
