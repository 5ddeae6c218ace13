// What is left of views' dimensions, and where their elements begin.
#include "generate/strided_places.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace strided_places_test {

namespace {

using kiln::StridedPlaces;
using kiln::detail::ElementLayout;

ElementLayout layout(const std::vector<long>& extents, const std::vector<long>& strides, long begin = 0) {
  ElementLayout result;
  result.is_shaped = result.is_strided = true;
  result.rank = static_cast<unsigned>(extents.size());
  for (std::size_t d = 0; d < extents.size(); ++d) {
    result.extents[d] = extents[d];
    result.strides[d] = strides[d];
  }
  result.begin = begin;
  return result;
}

/// A call of y[i] = x[i].
struct Call {
  Call(const ElementLayout& x, const ElementLayout& y) : layouts{x, y} {
    all.kernel = "copy";
    all.parameters = kiln::parse_parameters("const float* x, float* y", "");
    all.uses = kiln::element_uses(all.parameters, "y[i] = x[i]", {});
    for (std::size_t k = 0; k < 2; ++k) counts[k] = layouts[k].is_shaped ? kiln::detail::element_count(layouts[k]) : 24;
    call.layouts = layouts;
  }
  StridedPlaces places(bool is_any_order = false) { return {all, call, is_any_order}; }

  ElementLayout layouts[2];
  kiln::VectorArguments all;
  CUdeviceptr addresses[2] = {0x1000, 0x2000};
  long index[4] = {};
  void* pointers[6] = {&addresses[0], &addresses[1], &index[0], &index[1], &index[2], &index[3]};
  std::size_t counts[2] = {};
  kiln::detail::VectorCall call = {pointers, counts, 2, &kiln::detail::signature<const float*, float*, long>, {}};
};

std::vector<long> numbers(const ElementLayout& x, const ElementLayout& y, bool is_any_order = false) {
  return Call(x, y).places(is_any_order).numbers();
}

using Numbers = std::vector<long>;

}  // namespace

TEST_CASE("strided places: dimensions that all vectors have as one are one") {
  CHECK(numbers(layout({2, 3, 4}, {24, 8, 2}), layout({2, 3, 4}, {12, 4, 1})) == Numbers{24, 2, 1});
  CHECK(numbers(layout({2, 3, 4}, {24, 8, 2}), {}) == Numbers{24, 2, 1});
  CHECK(numbers(layout({2, 3, 4}, {30, 8, 2}), {}) == Numbers{2, 12, 30, 2, 12, 1});
  CHECK(numbers(layout({2, 3, 4}, {12, 4, 1}), layout({2, 3, 4}, {1, 2, 6})) == Numbers{2, 3, 4, 12, 4, 1, 1, 2, 6});
  CHECK(numbers(layout({2, 1, 12}, {24, 99, 2}), {}) == Numbers{24, 2, 1});
  CHECK(numbers(layout({1, 1}, {7, 9}, 4), layout({1, 1}, {1, 1})) == Numbers{1, 7, 1});
}

TEST_CASE("strided places: column-major alone is flat where any order will do") {
  const ElementLayout left = layout({4, 6}, {1, 4}), right = layout({4, 6}, {6, 1});
  CHECK_FALSE(Call(left, left).places().is_flat());
  CHECK(Call(left, left).places(true).is_flat());
  CHECK(numbers(left, left, true) == Numbers{24, 1, 1});
  // By the order of what is written.
  CHECK(numbers(right, left, true) == Numbers{6, 4, 1, 6, 4, 1});
  CHECK(numbers(left, right, true) == Numbers{4, 6, 1, 4, 6, 1});
  CHECK(numbers(left, {}, true) == Numbers{6, 4, 4, 1, 1, 6});
}

TEST_CASE("strided places: which calls need them") {
  const ElementLayout left = layout({4, 6}, {1, 4}), right = layout({4, 6}, {6, 1});
  CHECK_FALSE(kiln::has_strided_views(Call(right, right).call));
  CHECK_FALSE(kiln::has_strided_views(Call(right, {}).call));
  CHECK_FALSE(kiln::has_strided_views(Call(layout({24}, {1}), right).call));
  CHECK(kiln::has_strided_views(Call(left, left).call));
  CHECK(kiln::has_strided_views(Call(right, layout({6, 4}, {4, 1})).call));
  CHECK(kiln::has_strided_views(Call(layout({24}, {1}, 8), right).call));
}

TEST_CASE("strided places: the first element's address") {
  Call call(layout({24}, {-1}, 92), layout({4, 6}, {6, 1}));
  // A view of one dimension that is not flat has the extents of others that tell theirs.
  CHECK_THROWS_WITH_AS(call.places(), doctest::Contains("as x has"), kiln::ArgumentError);
  Call reversed(layout({24}, {-1}, 92), {});
  StridedPlaces places = reversed.places();
  REQUIRE(places.pointers().size() == 6);
  CHECK(*static_cast<CUdeviceptr*>(places.pointers()[0]) == 0x1000 + 92);
  CHECK(places.pointers()[1] == reversed.pointers[1]);
  CHECK(places.numbers() == Numbers{24, -1, 1});
}

TEST_CASE("flat layouts") {
  using kiln::is_flat;
  CHECK(is_flat(ElementLayout()));
  CHECK(is_flat(layout({}, {})));
  CHECK(is_flat(layout({2, 3}, {3, 1})));
  CHECK(is_flat(layout({2, 1, 3}, {3, 77, 1})));
  CHECK(is_flat(layout({2, 0, 3}, {9, 9, 9})));
  CHECK_FALSE(is_flat(layout({2, 3}, {1, 2})));
  CHECK_FALSE(is_flat(layout({2, 3}, {4, 1})));
  CHECK_FALSE(is_flat(layout({2, 3}, {3, 1}, 4)));
  CHECK(kiln::text_of(layout({2, 3}, {3, 1})) == "2 x 3 elements, strides 3, 1");
  CHECK(kiln::detail::flat_count(layout({2, 3}, {3, 1})) == 6);
  CHECK_THROWS_AS((void)kiln::detail::flat_count(layout({2, 3}, {1, 2})), kiln::ArgumentError);
}

}  // namespace strided_places_test
