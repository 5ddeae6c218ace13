#include "tune/search_space.hpp"
#include "tune/valid_configurations.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

namespace search_space_test {

using namespace kiln;

namespace {

const std::vector<TuneParameter> blocks = {{"X", {1, 2, 4, 8}}, {"Y", {1, 2, 4}}, {"PAD", {false, true}}};

std::string error_of(const std::vector<TuneParameter>& parameters, const std::vector<std::string>& restrictions = {},
                     const std::map<std::string, long long>& constants = {}) {
  try {
    (void)SearchSpace(parameters, restrictions, constants);
  } catch (const ArgumentError& error) {
    return error.what();
  }
  return {};
}

/// As "128 true".
std::string text_of(const SearchSpace& space, const Configuration& configuration) {
  std::string text;
  for (std::size_t i = 0; i < configuration.size(); ++i)
    text += (i == 0 ? "" : " ") + space.parameters()[i].values[configuration[i]].text();
  return text;
}

std::vector<std::string> texts(const ValidConfigurations& valid, const std::vector<std::size_t>& numbers) {
  std::vector<std::string> all;
  for (const std::size_t number : numbers) all.push_back(text_of(valid.space(), valid.nth(number)));
  return all;
}

}  // namespace

TEST_CASE("without restrictions all combinations are valid") {
  const SearchSpace space(blocks, {});
  const ValidConfigurations valid(space);
  CHECK(space.combinations() == 24);
  REQUIRE(valid.count() == 24);
  for (std::size_t i = 0; i < valid.count(); ++i) {
    CHECK(space.rank(valid.nth(i)) == i);
    CHECK(space.at_rank(i) == valid.nth(i));
    CHECK(valid.find(valid.nth(i)) == i);
    CHECK(space.is_valid(valid.nth(i)));
  }
  CHECK(text_of(space, valid.nth(0)) == "1 1 false");
  CHECK(text_of(space, valid.nth(1)) == "1 1 true");
  CHECK(text_of(space, valid.nth(23)) == "8 4 true");
}

TEST_CASE("a space without parameters has one configuration, unless a restriction forbids it") {
  CHECK(ValidConfigurations(SearchSpace({}, {})).count() == 1);
  CHECK(ValidConfigurations(SearchSpace({}, {"warp_size == 32"}, {{"warp_size", 64}})).count() == 0);
}

TEST_CASE("restrictions hold in the list and nowhere else") {
  const SearchSpace space(blocks, {"X * Y <= limit", "!PAD || X > 1", "X != 4"}, {{"limit", 8}});
  const ValidConfigurations valid(space);
  std::size_t expected = 0;
  for (std::uint64_t rank = 0; rank < space.combinations(); ++rank) {
    const Configuration one = space.at_rank(rank);
    const int x = 1 << one[0], y = 1 << one[1];
    const bool is_right = x * y <= 8 && (one[2] == 0 || x > 1) && x != 4;
    expected += is_right ? 1 : 0;
    CHECK(space.is_valid(one) == is_right);
    CHECK(valid.find(one).has_value() == is_right);
  }
  CHECK(valid.count() == expected);
}

TEST_CASE("the first valid one with some values fixed") {
  const SearchSpace space({{"X", {1, 2, 4}}, {"Y", {1, 2, 4}}}, {"X * Y >= 4"});
  CHECK(space.first_valid() == Configuration{0, 2});
  CHECK(space.first_valid({std::nullopt, 1}) == Configuration{1, 1});
  CHECK(space.first_valid({2, std::nullopt}) == Configuration{2, 0});
  CHECK_FALSE(space.first_valid({0, 0}).has_value());
}

TEST_CASE("a restriction is asked as soon as its parameters are set") {
  // Where X is 0 the first one forbids what the second one cannot evaluate.
  const SearchSpace space({{"X", {0, 1}}, {"Y", {1, 2}}}, {"Y / X > 0", "X > 0"});
  CHECK(ValidConfigurations(space).count() == 2);
  CHECK_FALSE(space.is_valid({0, 0}));
  CHECK(ValidConfigurations(space).fault().empty());
}

TEST_CASE("a configuration for which a restriction has no value is not valid, and the first reason is kept") {
  const SearchSpace space({{"X", {0, 1}}, {"Y", {1, 2}}}, {"X > 0 && Y / X > 0 || 7 / (X + Y - 1) > 0"});
  const ValidConfigurations valid(space);
  CHECK(valid.count() == 3);
  CHECK_FALSE(space.is_valid({0, 0}));
  CHECK(space.is_valid({0, 1}));
  CHECK(valid.fault() == "the expression 'X > 0 && Y / X > 0 || 7 / (X + Y - 1) > 0' divides by 0 where X = 0, Y = 1");
  const SearchSpace limited({{"X", {0, 1}}}, {}, {}, {}, {{"1 / X > 0", "the size"}});
  std::string fault;
  CHECK(limited.first_valid({}, &fault) == Configuration{1});
  CHECK(fault == "the size divides by 0 where X = 0");
  CHECK(ValidConfigurations(SearchSpace({{"X", {1, 2}}}, {"4 / X > 0"})).fault().empty());
}

TEST_CASE("a callable is asked last, of what the expressions left") {
  int asked = 0;
  const SearchSpace space(blocks, {"X == 2"}, {},
                          {[&](const Configuration& one) { return ++asked, one[1] == one[2]; }});
  CHECK(ValidConfigurations(space).count() == 2);
  CHECK(asked == 6);
}

TEST_CASE("texts in restrictions") {
  const SearchSpace space({{"TYPE", {"float", "double"}}, {"N", {1, 2}}}, {"TYPE != \"double\" || N == 1"});
  CHECK(ValidConfigurations(space).count() == 3);
}

TEST_CASE("adjacent configurations differ in one parameter, by the next valid value") {
  const SearchSpace space(blocks, {"X * Y <= 8", "X != 2 || Y != 1"});
  const ValidConfigurations valid(space);
  const auto middle = valid.find({2, 0, 0});  // 4 1 false
  REQUIRE(middle);
  using Texts = std::vector<std::string>;
  CHECK(texts(valid, valid.adjacent(*middle)) == Texts{"1 1 false", "8 1 false", "4 2 false", "4 1 true"});
  const auto first = valid.find({0, 0, 1});  // 1 1 true
  REQUIRE(first);
  CHECK(texts(valid, valid.adjacent(*first)) == Texts{"4 1 true", "1 2 true", "1 1 false"});
}

TEST_CASE("wrong parameters are refused by name") {
  CHECK(error_of({{"X", {}}}) == "tuning: parameter 'X': expected at least one value, given none");
  CHECK(error_of({{"", {1}}}).find("expected a name") != std::string::npos);
  CHECK(error_of({{"X", {1, 2, 1}}}).find("given 1 twice") != std::string::npos);
  CHECK(error_of({{"X", {1, "a"}}}).find("given 1 and a") != std::string::npos);
  CHECK(error_of({{"X", {1}}, {"X", {2}}}).find("given X twice") != std::string::npos);
  CHECK(error_of({{"warp_size", {1}}}, {}, {{"warp_size", 32}}).find("warp_size twice") != std::string::npos);
  CHECK(error_of({{"X", {0.5}}}, {"X > 0"}).find("X, which has floating values") != std::string::npos);
  CHECK(error_of({{"X", {0.5}}}).empty());
  CHECK(error_of({{"X", {1}}}, {"Y > 0"}).find("unknown name Y") != std::string::npos);
  std::vector<TuneParameter> many;
  for (int i = 0; i < 63; ++i) many.push_back({"P" + std::to_string(i), {0, 1}});
  CHECK(error_of(many).find("fewer than 2^63") != std::string::npos);
  many.pop_back();
  CHECK(error_of(many).empty());
}

TEST_CASE("what a prefix forbids is not gone through") {
  std::vector<TuneParameter> many;
  for (int i = 0; i < 62; ++i) many.push_back({"P" + std::to_string(i), {0, 1}});
  std::vector<std::string> restrictions;
  for (int i = 1; i < 62; ++i) restrictions.push_back("P" + std::to_string(i) + " == P" + std::to_string(i - 1));
  CHECK(ValidConfigurations(SearchSpace(many, restrictions)).count() == 2);  // of 2^62
}

}  // namespace search_space_test
