// Strategies that do not learn from times.
#include "tune/random_numbers.hpp"
#include "tune/strategy.hpp"
#include "tune/untried.hpp"

namespace kiln {

namespace {

class ExhaustiveStrategy : public Strategy {
 public:
  explicit ExhaustiveStrategy(const ValidConfigurations& valid) : valid_(valid) {}

  std::optional<Configuration> next() override {
    if (given_ == valid_.count()) return std::nullopt;
    return valid_.nth(given_++);
  }
  void tell(const Configuration& /*configuration*/, std::optional<double> /*seconds*/) override {}

 private:
  const ValidConfigurations& valid_;
  std::size_t given_ = 0;
};

class RandomStrategy : public Strategy {
 public:
  RandomStrategy(const ValidConfigurations& valid, std::uint64_t seed)
      : valid_(valid), random_(seed), untried_(valid.count()) {}

  std::optional<Configuration> next() override {
    const std::optional<std::size_t> number = untried_.take_any(random_);
    if (!number) return std::nullopt;
    return valid_.nth(*number);
  }
  void tell(const Configuration& /*configuration*/, std::optional<double> /*seconds*/) override {}

 private:
  const ValidConfigurations& valid_;
  RandomNumbers random_;
  Untried untried_;
};

}  // namespace

std::unique_ptr<Strategy> exhaustive_strategy(const ValidConfigurations& valid) {
  return std::make_unique<ExhaustiveStrategy>(valid);
}

std::unique_ptr<Strategy> random_strategy(const ValidConfigurations& valid, std::uint64_t seed) {
  return std::make_unique<RandomStrategy>(valid, seed);
}

}  // namespace kiln
