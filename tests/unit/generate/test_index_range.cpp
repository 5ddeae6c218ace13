#include "generate/index_range.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <limits>

namespace index_range_test {

using namespace kiln;

namespace {

constexpr long most = std::numeric_limits<long>::max(), least = std::numeric_limits<long>::min();

std::string clipped(const Slice& slice, std::size_t length) { return clipped_range(slice, length, "k").text(); }

}  // namespace

TEST_CASE("a range is taken as it is") {
  CHECK(index_range(Slice{.stop = 5}, "k").text() == "0:5:1");
  CHECK(index_range(Slice{.start = -3, .stop = -9, .step = -2}, "k").text() == "-3:-9:-2");
  CHECK_THROWS_AS((void)index_range(Slice{.start = 1}, "k"), ArgumentError);
  CHECK_THROWS_AS((void)index_range(Slice{.stop = 1, .step = 0}, "k"), ArgumentError);
}

TEST_CASE("a range's indices are counted") {
  CHECK(IndexRange{0, 10, 3}.count() == 4);
  CHECK(IndexRange{0, 9, 3}.count() == 3);
  CHECK(IndexRange{9, -1, -3}.count() == 4);
  CHECK(IndexRange{3, 3, 1}.count() == 0);
  CHECK(IndexRange{3, 2, 1}.count() == 0);
  CHECK(IndexRange{2, 3, -1}.count() == 0);
  CHECK(IndexRange{least, most, 1}.count() == std::numeric_limits<std::size_t>::max());
  CHECK(IndexRange{most, least, least}.count() == 2);
  CHECK(IndexRange{0, 10, most}.count() == 1);
}

TEST_CASE("a range's end, and whether a vector has all of it") {
  CHECK(IndexRange{0, 10, 3}.end() == 10);
  CHECK(IndexRange{0, 9, 3}.end() == 7);
  CHECK(IndexRange{9, -1, -3}.end() == 10);
  CHECK(IndexRange{3, 3, 1}.end() == 0);
  CHECK(IndexRange{0, 10, 3}.is_within(10));
  CHECK(!IndexRange{0, 10, 3}.is_within(9));
  CHECK(!IndexRange{-1, 3, 1}.is_within(10));
  CHECK(!IndexRange{2, -2, -1}.is_within(10));
  CHECK(IndexRange{7, 7, 1}.is_within(0));
}

TEST_CASE("a slice is clipped as Python's") {  // slice(...).indices(length)
  CHECK(clipped({}, 4) == "0:4:1");
  CHECK(clipped(Slice{.step = -1}, 4) == "3:-1:-1");
  CHECK(clipped(Slice{.start = -3}, 10) == "7:10:1");
  CHECK(clipped(Slice{.start = -30, .stop = 30}, 10) == "0:10:1");
  CHECK(clipped(Slice{.start = 30, .stop = -30, .step = -2}, 10) == "9:-1:-2");
  CHECK(clipped(Slice{.start = 2, .stop = -2}, 10) == "2:8:1");
  CHECK(clipped(Slice{.step = -1}, 0) == "-1:-1:-1");
  CHECK(clipped(Slice{.start = least, .stop = most, .step = most}, 3) == "0:3:" + std::to_string(most));
  CHECK_THROWS_AS((void)clipped_range(Slice{.step = 0}, 3, "k"), ArgumentError);
}

}  // namespace index_range_test
