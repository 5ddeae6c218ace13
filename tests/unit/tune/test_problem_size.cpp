#include <kiln/problem_size.hpp>

#include <kiln/error.hpp>

#include <doctest/doctest.h>

namespace problem_size_test {

using kiln::ProblemSize;

TEST_CASE("a problem has the dimensions that were given, and 1 in all others") {
  constexpr ProblemSize line(7);
  static_assert(line.dimensions() == 1 && line[0] == 7 && line[1] == 1 && line[2] == 1);
  const ProblemSize box(2, 3U, 4ULL);
  CHECK(box.dimensions() == 3);
  CHECK(box[2] == 4);
}

TEST_CASE("sizes of other dimensions are other problems") {
  CHECK(ProblemSize(5, 6) == ProblemSize(5, 6));
  CHECK(ProblemSize(5, 6) != ProblemSize(6, 5));
  CHECK(ProblemSize(5) != ProblemSize(5, 1));
}

TEST_CASE("a negative size is refused") {
  CHECK_THROWS_AS(ProblemSize(-1), kiln::ArgumentError);
  CHECK_THROWS_AS(ProblemSize(4, -2L), kiln::ArgumentError);
}

}  // namespace problem_size_test
