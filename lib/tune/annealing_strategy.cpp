// Simulated annealing with restarts: a walk begins at the best of a few random configurations and goes from neighbour
// to neighbour, which it takes less and less where they are slower.
#include "tune/random_numbers.hpp"
#include "tune/strategy.hpp"
#include "tune/untried.hpp"

#include <limits>
#include <unordered_map>

namespace kiln {

namespace {

// Found by tests/bench/strategies.cpp.
constexpr int first_count = 5;           // random configurations, of which the best is a walk's first
constexpr double first_tolerance = 0.2;  // how much slower a step may be, as a part of the time
constexpr double cooling = 0.95;         // the tolerance's factor from one measured step to the next
constexpr int patience = 40;             // steps without a walk's new best, known ones too, until another walk begins
constexpr double failed = std::numeric_limits<double>::infinity();

class AnnealingStrategy : public Strategy {
 public:
  AnnealingStrategy(const ValidConfigurations& valid, std::uint64_t seed)
      : valid_(valid), random_(seed), untried_(valid.count()) {}

  std::optional<Configuration> next() override {
    while (is_walking_) {
      const std::size_t neighbour = neighbours_.empty() ? current_ : neighbours_[random_.below(neighbours_.size())];
      if (untried_.has(neighbour)) {
        untried_.take(neighbour);
        return valid_.nth(neighbour);
      }
      step(neighbour, known_seconds(neighbour));
    }
    const std::optional<std::size_t> start = untried_.take_any(random_);
    if (!start) return std::nullopt;
    return valid_.nth(*start);
  }

  void tell(const Configuration& configuration, std::optional<double> seconds) override {
    const std::optional<std::size_t> number = valid_.find(configuration);
    if (!number) return;
    seconds_[*number] = seconds.value_or(failed);
    if (is_walking_) {
      tolerance_ *= cooling;
      step(*number, seconds.value_or(failed));
    } else {
      add_first(*number, seconds.value_or(failed));
    }
  }

 private:
  double known_seconds(std::size_t number) const {
    const auto found = seconds_.find(number);
    if (found == seconds_.end()) return failed;  // given, and not reported yet
    return found->second;
  }

  void add_first(std::size_t number, double seconds) {
    if (seconds < first_seconds_) {
      first_ = number;
      first_seconds_ = seconds;
    }
    if (++firsts_ >= first_count && first_seconds_ < failed) begin();
  }

  void begin() {
    is_walking_ = true;
    tolerance_ = first_tolerance;
    best_of_walk_ = first_seconds_;
    fruitless_ = 0;
    go_to(first_, first_seconds_);
    firsts_ = 0;
    first_seconds_ = failed;
  }

  /// Threshold acceptance: the usual exponential is not the same on all machines.
  void step(std::size_t number, double seconds) {
    const double slack = tolerance_ * random_.unit();
    const double slower = current_seconds_ * slack;  // apart, as a fused multiply and add rounds differently
    if (seconds <= current_seconds_ + slower && number != current_) go_to(number, seconds);
    fruitless_ = seconds < best_of_walk_ ? 0 : fruitless_ + 1;
    if (seconds < best_of_walk_) best_of_walk_ = seconds;
    is_walking_ = fruitless_ < patience;
  }

  void go_to(std::size_t number, double seconds) {
    current_ = number;
    current_seconds_ = seconds;
    neighbours_ = valid_.adjacent(number);
  }

  const ValidConfigurations& valid_;
  RandomNumbers random_;
  Untried untried_;
  std::unordered_map<std::size_t, double> seconds_;
  int firsts_ = 0;  // measured for the next walk
  std::size_t first_ = 0;
  double first_seconds_ = failed;
  bool is_walking_ = false;
  std::size_t current_ = 0;
  double current_seconds_ = 0;
  std::vector<std::size_t> neighbours_;  // of the current one
  double tolerance_ = 0;
  double best_of_walk_ = 0;
  int fruitless_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> annealing_strategy(const ValidConfigurations& valid, std::uint64_t seed) {
  return std::make_unique<AnnealingStrategy>(valid, seed);
}

}  // namespace kiln
