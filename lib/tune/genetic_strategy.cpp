// A genetic search without generations: children of the best so far, one at a time.
#include "tune/random_numbers.hpp"
#include "tune/strategy.hpp"
#include "tune/untried.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace kiln {

namespace {

// Found by tests/bench/strategies.cpp.
constexpr std::size_t population_size = 20;
constexpr std::size_t rivals = 3;  // of which the fastest is a parent
constexpr int most_attempts = 50;  // to find a child that is valid and new

class GeneticStrategy : public Strategy {
 public:
  GeneticStrategy(const ValidConfigurations& valid, std::uint64_t seed)
      : valid_(valid), random_(seed), untried_(valid.count()) {}

  std::optional<Configuration> next() override {
    std::optional<std::size_t> number = given_++ < population_size ? std::nullopt : child();
    if (!number) number = untried_.take_any(random_);
    if (!number) return std::nullopt;
    return valid_.nth(*number);
  }

  void tell(const Configuration& configuration, std::optional<double> seconds) override {
    if (!seconds) return;
    const Member member{configuration, *seconds};
    const auto place = std::upper_bound(population_.begin(), population_.end(), member,
                                        [](const Member& a, const Member& b) { return a.seconds < b.seconds; });
    population_.insert(place, member);
    if (population_.size() > population_size) population_.pop_back();
  }

 private:
  struct Member {
    Configuration configuration;
    double seconds;
  };

  std::optional<std::size_t> child() {
    if (population_.empty()) return std::nullopt;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      Configuration one = crossed(parent(), parent());
      mutate(one);
      const std::optional<std::size_t> number = valid_.find(one);
      if (!number || !untried_.has(*number)) continue;
      untried_.take(*number);
      return number;
    }
    return std::nullopt;
  }

  /// The fastest of a few: the population is in order.
  const Configuration& parent() {
    std::size_t best = population_.size();
    for (std::size_t i = 0; i < rivals; ++i) best = std::min(best, random_.below(population_.size()));
    return population_[best].configuration;
  }

  Configuration crossed(const Configuration& a, const Configuration& b) {
    Configuration child = a;
    for (std::size_t i = 0; i < child.size(); ++i)
      if (random_.below(2) == 1) child[i] = b[i];
    return child;
  }

  /// On average one parameter.
  void mutate(Configuration& one) {
    for (std::size_t i = 0; i < one.size(); ++i)
      if (random_.below(one.size()) == 0)
        one[i] = static_cast<std::uint32_t>(random_.below(valid_.space().parameters()[i].values.size()));
  }

  const ValidConfigurations& valid_;
  RandomNumbers random_;
  Untried untried_;
  std::size_t given_ = 0;
  std::vector<Member> population_;  // the fastest first
};

}  // namespace

std::unique_ptr<Strategy> genetic_strategy(const ValidConfigurations& valid, std::uint64_t seed) {
  return std::make_unique<GeneticStrategy>(valid, seed);
}

}  // namespace kiln
