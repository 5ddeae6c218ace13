#include "tune/engine.hpp"

#include "fake_tune_target.hpp"
#include "in_child.hpp"

#include <doctest/doctest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

namespace engine_test {

using namespace kiln;
using kiln::test::FakeTuneTarget;

namespace {

/// 0 to 9, of which 3 is the fastest, by a little.
struct Line {
  SearchSpace space{{{"A", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}}, {}};
  ValidConfigurations valid{space};
  FakeTuneTarget target{{5}};
  TuneOptions options;

  Line() {
    options.strategy = TuneStrategy::exhaustive;
    options.compile_threads = 2;
    target.seconds_of = [](const Configuration& one) { return one == Configuration{3} ? 1.0 : 1.5; };
  }
  TuneResult run() { return run_tuning(target, valid, options); }
};

/// Opened from one thread, waited for by another; a test that would hang fails instead.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::minutes(2), [this] { return is_open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = false;
};

std::vector<TuneConfiguration> tried(const TuneResult& result) {
  std::vector<TuneConfiguration> all;
  for (const TuneCandidate& candidate : result.candidates) all.push_back(candidate.configuration);
  return all;
}

}  // namespace

TEST_CASE("everything is tried once, the default first, and the best is kept") {
  Line line;
  const TuneResult result = line.run();
  CHECK(result.candidates.size() == 10);
  CHECK(result.candidates[0].configuration == TuneConfiguration{{"A", 5}});
  CHECK(result.candidates[1].configuration == TuneConfiguration{{"A", 0}});
  REQUIRE(result.best.has_value());
  CHECK(result.best->configuration == TuneConfiguration{{"A", 3}});
  CHECK(result.best->seconds == 1);
  CHECK(result.best->value == 1);
  CHECK(result.best->spread == 0);
  CHECK(result.best->repetitions == 7);
  REQUIRE(result.of_default.has_value());
  CHECK(result.of_default->seconds == 1.5);
  CHECK(result.end == TuneEnd::all_tried);
  CHECK(result.count(TuneStatus::ok) == 10);
  CHECK(line.target.compiles.size() == 10);
  CHECK(line.target.compile_count() == 10);
  CHECK(line.target.verified.size() == 10);
  CHECK(line.target.timed.size() == 70);
  CHECK(line.target.references == 1);
  CHECK(line.target.alive == 0);
}

TEST_CASE("configurations that are the same program are measured once") {
  Line line;
  line.target.program_of = [](const Configuration& one) { return std::to_string(one.front() / 2); };
  const TuneResult result = line.run();
  CHECK(result.candidates.size() == 10);
  CHECK(result.count(TuneStatus::ok) == 10);
  CHECK(line.target.verified.size() == 5);
  CHECK(line.target.timed.size() == 35);
  CHECK(line.target.times_launched({5}) == 7);  // the default, and not 4
  CHECK(line.target.times_launched({4}) == 0);
  CHECK_FALSE(result.all_alike);
  CHECK(line.target.alive == 0);
  for (const TuneCandidate& one : result.candidates) CHECK(one.repetitions == 7);
}

TEST_CASE("a failure is that of all configurations of the program") {
  Line line;
  line.target.program_of = [](const Configuration& one) { return std::to_string(one.front() / 2); };
  line.target.on_load = [](const Configuration& one) {
    if (one.front() / 2 == 1) throw TuneFailure(TuneStatus::over_limits, "too much");
  };
  const TuneResult result = line.run();
  CHECK(result.count(TuneStatus::over_limits) == 2);
  CHECK(result.count(TuneStatus::ok) == 8);
}

TEST_CASE("where all configurations are one program the default is the best, and the result says so") {
  Line line;
  line.target.program_of = [](const Configuration&) { return std::string("one"); };
  const TuneResult result = line.run();
  CHECK(result.all_alike);
  REQUIRE(result.best.has_value());
  CHECK(result.best->configuration == TuneConfiguration{{"A", 5}});
  CHECK(line.target.timed.size() == 7);
  CHECK(result.count(TuneStatus::ok) == 10);
  line.options.objective = [](const TuneConfiguration& values, double seconds) {
    return values.front().second == TuneValue(7) ? 0 : seconds;
  };
  const TuneResult by_value = line.run();
  CHECK_FALSE(by_value.all_alike);
  CHECK(by_value.best.value().configuration == TuneConfiguration{{"A", 7}});
  Line alone;
  alone.options.max_variants = 1;
  CHECK_FALSE(alone.run().all_alike);
  Line broken;
  broken.options.max_variants = 2;
  broken.target.on_compile = [](const Configuration& one, const CancelToken&) {
    if (one != Configuration{5}) throw Error("it does not compile");
  };
  const TuneResult of_default = broken.run();
  CHECK(of_default.count(TuneStatus::not_compiled) == 1);
  CHECK_FALSE(of_default.all_alike);
}

TEST_CASE("candidates are compiled while others are measured") {
  Line line;
  Gate compiled;
  bool was_compiled = true;
  line.target.on_compile = [&](const Configuration& one, const CancelToken&) {
    if (one == Configuration{4}) compiled.open();  // the sixth of the window's six
  };
  line.target.on_load = [&](const Configuration& one) {
    if (one == Configuration{5}) was_compiled = compiled.wait();  // the default is the first
  };
  line.run();
  CHECK(was_compiled);
}

TEST_CASE("as many compiles run side by side as asked for") {
  Line line;
  line.options.compile_threads = 3;
  std::mutex mutex;
  std::condition_variable changed;
  int inside = 0, most = 0;
  line.target.on_compile = [&](const Configuration&, const CancelToken&) {
    std::unique_lock lock(mutex);
    most = std::max(most, ++inside);
    changed.notify_all();
    changed.wait_for(lock, std::chrono::minutes(2), [&] { return most == 3; });
    --inside;
  };
  line.run();
  CHECK(most == 3);
}

TEST_CASE("where no thread can be started the thread that tunes compiles") {
  CHECK(kiln::test::in_child([] {
          constexpr uid_t nobody = 65534;
          const rlimit none = {0, 0};
          if ((::geteuid() == 0 && ::setuid(nobody) != 0) || ::setrlimit(RLIMIT_NPROC, &none) != 0) return 1;
          Line line;
          const TuneResult result = line.run();
          const bool is_found = result.best && result.best->configuration == TuneConfiguration{{"A", 3}};
          return is_found && result.candidates.size() == 10 ? 0 : 2;
        }) == 0);
}

TEST_CASE("the candidates and their order do not depend on when compiles end") {
  const auto order = [](bool is_held, std::uint64_t seed) {
    Line line;
    line.options.strategy = TuneStrategy::annealing;
    line.options.seed = seed;
    Gate gate;
    int begun = 0;
    std::mutex mutex;
    if (is_held)
      line.target.on_compile = [&](const Configuration&,
                                   const CancelToken&) {  // the first ends after the second has begun
        bool is_first = false;
        {
          const std::lock_guard lock(mutex);
          is_first = ++begun == 1;
          if (begun == 2) gate.open();
        }
        if (is_first) gate.wait();
      };
    return tried(line.run());
  };
  CHECK(order(false, 1) == order(true, 1));
  CHECK(order(false, 1) != order(false, 2));
}

TEST_CASE("candidates are measured in turn") {
  Line line;
  line.options.min_repetitions = line.options.max_repetitions = 2;
  line.run();
  const std::vector<Configuration> first(line.target.timed.begin(), line.target.timed.begin() + 8);
  CHECK(first == std::vector<Configuration>{{5}, {0}, {1}, {2}, {5}, {0}, {1}, {2}});
}

TEST_CASE("failures are counted by reason, and are never the best") {
  Line line;
  const auto fail_at = [](std::uint32_t value, TuneStatus status) {
    return [=](const Configuration& one) {
      if (one.front() == value) throw TuneFailure(status, "no " + std::to_string(value));
    };
  };
  line.target.on_compile = [](const Configuration& one, const CancelToken&) {
    if (one.front() == 0) throw Error("expected a ;");
    if (one.front() == 1) throw TuneFailure(TuneStatus::over_limits, "2048 threads");
  };
  line.target.on_load = fail_at(2, TuneStatus::over_limits);
  line.target.on_verify = fail_at(3, TuneStatus::wrong_result);  // the fastest
  line.target.on_time = [&](const Configuration& one) {
    if (one.front() == 4) throw TuneFailure(TuneStatus::timed_out, "11 s");
    if (one.front() == 6 && line.target.times_launched(one) == 3)
      throw TuneFailure(TuneStatus::launch_refused, "refused");
  };
  const TuneResult result = line.run();
  CHECK(result.candidates.size() == 10);
  CHECK(result.count(TuneStatus::not_compiled) == 1);
  CHECK(result.count(TuneStatus::over_limits) == 2);
  CHECK(result.count(TuneStatus::wrong_result) == 1);
  CHECK(result.count(TuneStatus::timed_out) == 1);
  CHECK(result.count(TuneStatus::launch_refused) == 1);
  CHECK(result.count(TuneStatus::ok) == 4);
  CHECK(result.candidates[1].error == "expected a ;");
  CHECK(result.candidates[4].error == "no 3");
  CHECK(result.candidates[4].repetitions == 0);
  CHECK(line.target.times_launched({3}) == 0);
  REQUIRE(result.best.has_value());
  CHECK(result.best->configuration == TuneConfiguration{{"A", 5}});
}

TEST_CASE("hopeless candidates are launched three times") {
  Line line;
  line.target.seconds_of = [](const Configuration& one) { return one == Configuration{9} ? 100.0 : 1.0; };
  const TuneResult result = line.run();
  CHECK(line.target.times_launched({9}) == 3);
  CHECK(result.candidates.back().given_up);
  CHECK(result.candidates.back().status == TuneStatus::ok);
  CHECK(result.candidates.back().repetitions == 3);
  CHECK(line.target.times_launched({8}) == 7);
}

TEST_CASE("budgets of candidates and of time end it") {
  Line by_count;
  by_count.options.max_variants = 4;
  const TuneResult counted = by_count.run();
  CHECK(counted.candidates.size() == 4);
  CHECK(counted.end == TuneEnd::max_variants);
  CHECK(by_count.target.compile_count() == 4);

  Line by_time;
  by_time.options.max_seconds = 50;
  by_time.target.on_time = [&](const Configuration&) { by_time.target.advance(1); };
  const TuneResult timed = by_time.run();
  CHECK(timed.end == TuneEnd::max_seconds);
  CHECK(by_time.target.timed.size() == 50);
  CHECK(timed.candidates.size() == 7);  // one of the next four had one launch
  CHECK(timed.seconds == 50);
  CHECK(timed.measure_seconds == 50);
}

TEST_CASE("what has its least repetitions when the time ends counts") {
  Line line;
  line.options.confidence = 0;
  line.options.max_repetitions = 100;
  line.options.max_seconds = 30;
  line.target.seconds_of = [&](const Configuration&) { return line.target.timed.size() % 3 == 0 ? 1.1 : 1.0; };
  line.target.on_time = [&](const Configuration&) { line.target.advance(1); };
  const TuneResult result = line.run();
  CHECK(result.candidates.size() == 4);
  CHECK(result.candidates[0].repetitions == 8);
  CHECK(result.candidates[3].repetitions == 7);
}

TEST_CASE("the times of compiling, of waiting for it and of measuring are separate") {
  Line line;
  line.options.max_variants = 1;
  line.target.on_compile = [&](const Configuration&, const CancelToken&) { line.target.advance(3); };
  line.target.on_load = [&](const Configuration&) { line.target.advance(0.5); };
  line.target.on_time = [&](const Configuration&) { line.target.advance(1); };
  const TuneResult result = line.run();
  CHECK(result.compile_seconds == 3);
  CHECK(result.measure_seconds == 7.5);
  CHECK(result.seconds == 10.5);
  CHECK(result.wait_seconds <= 3);
}

TEST_CASE("a cancel ends it with what was tried, and calls compiles off") {
  Line line;
  const CancelSource source;
  line.options.cancel = source.token();
  Gate called_off;
  line.target.on_compile = [&](const Configuration& one, const CancelToken& cancel) {
    if (one != Configuration{4}) return;
    const CancelWatch watch(cancel, [&] { called_off.open(); });
    CHECK(called_off.wait());
    throw CompileStopped("called off", false);
  };
  line.options.progress = [&](const TuneProgress& progress) {
    if (progress.done == 4) source.cancel();
  };
  const TuneResult result = line.run();
  CHECK(result.end == TuneEnd::cancelled);
  CHECK(result.candidates.size() == 4);
  CHECK(result.count(TuneStatus::not_compiled) == 0);
  CHECK(line.target.alive == 0);
}

TEST_CASE("compiles that nobody waits for any more are called off") {
  Line line;
  line.options.max_seconds = 1;
  line.target.on_compile = [&](const Configuration& one, const CancelToken& cancel) {
    if (one != Configuration{4}) return;
    Gate called_off;
    const CancelWatch watch(cancel, [&] { called_off.open(); });
    CHECK(called_off.wait());
  };
  line.options.progress = [&](const TuneProgress&) { line.target.advance(1); };
  CHECK(line.run().end == TuneEnd::max_seconds);
}

TEST_CASE("a compile that the measuring waits for is called off") {
  Line line;
  const CancelSource source;
  line.options.cancel = source.token();
  Gate called_off;
  line.target.on_compile = [&](const Configuration& one, const CancelToken& cancel) {
    if (one != line.target.initial) return;
    const CancelWatch watch(cancel, [&] { called_off.open(); });
    source.cancel();
    CHECK(called_off.wait());
    throw CompileStopped("called off", false);
  };
  const TuneResult result = line.run();
  CHECK(result.end == TuneEnd::cancelled);
  CHECK(result.candidates.empty());
  CHECK_FALSE(result.best.has_value());
  CHECK_FALSE(result.of_default.has_value());
}

TEST_CASE("without a reference the default must be good; with one it need not") {
  Line line;
  line.target.on_compile = [](const Configuration& one, const CancelToken&) {
    if (one == Configuration{5}) throw Error("expected a ;");
  };
  CHECK_THROWS_WITH_AS(line.run(), doctest::Contains("expected a ;"), Error);

  Line given;
  given.target.on_compile = line.target.on_compile;
  given.options.reference = [] { return true; };
  const TuneResult result = given.run();
  CHECK(result.candidates.size() == 10);
  CHECK(given.target.references == 0);
  CHECK(result.of_default->status == TuneStatus::not_compiled);
  CHECK(result.best->configuration == TuneConfiguration{{"A", 3}});
}

TEST_CASE("where everything fails there is no best") {
  Line line;
  line.options.reference = [] { return true; };
  line.target.on_load = [](const Configuration&) { throw TuneFailure(TuneStatus::over_limits, "no"); };
  const TuneResult result = line.run();
  CHECK(result.count(TuneStatus::over_limits) == 10);
  CHECK_FALSE(result.best.has_value());
}

TEST_CASE("an objective of one's own chooses, smallest or largest, and annealing follows it") {
  for (const TuneGoal goal : {TuneGoal::smallest, TuneGoal::largest}) {
    Line line;
    line.options.strategy = TuneStrategy::annealing;
    line.options.goal = goal;
    line.options.objective = [](const TuneConfiguration& one, double seconds) {
      return static_cast<double>(std::get<long long>(one.front().second.kind())) + seconds;
    };
    const TuneResult result = line.run();
    CHECK(result.candidates.size() == 10);
    CHECK(result.best->configuration == TuneConfiguration{{"A", goal == TuneGoal::largest ? 9 : 0}});
    CHECK(result.best->value == (goal == TuneGoal::largest ? 10.5 : 1.5));
  }
  Line line;
  line.options.objective = [](const TuneConfiguration&, double) { return std::numeric_limits<double>::quiet_NaN(); };
  CHECK_THROWS_WITH_AS(line.run(), doctest::Contains("objective"), ArgumentError);
}

TEST_CASE("annealing goes to the largest value where that is the goal") {
  std::vector<TuneValue> values;
  for (int i = 0; i < 30; ++i) values.emplace_back(i);
  const SearchSpace space({{"A", values}, {"B", values}}, {});
  const ValidConfigurations valid(space);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    FakeTuneTarget target({0, 0});
    target.seconds_of = [](const Configuration& one) { return 1 / (60.0 - (29 - one[0]) - (29 - one[1])); };
    TuneOptions options;
    options.strategy = TuneStrategy::annealing;
    options.seed = seed;
    options.max_variants = 200;  // of 900
    options.compile_threads = 1;
    options.goal = TuneGoal::largest;
    options.objective = [](const TuneConfiguration&, double seconds) { return 1 / seconds; };
    CHECK(run_tuning(target, valid, options).best->value > 57);
  }
}

TEST_CASE("progress is reported after each candidate") {
  Line line;
  line.options.max_variants = 5;
  std::vector<std::size_t> done;
  line.options.progress = [&](const TuneProgress& progress) {
    done.push_back(progress.done);
    CHECK(progress.total == 5);
    REQUIRE(progress.best != nullptr);
    CHECK(progress.best->seconds <= progress.last.seconds);
  };
  line.run();
  CHECK(done == std::vector<std::size_t>{1, 2, 3, 4, 5});
}

TEST_CASE("what a callable throws ends tuning, and nothing is left") {
  Line line;
  line.options.progress = [](const TuneProgress&) { throw std::string("enough"); };
  CHECK_THROWS_AS(line.run(), std::string);
  CHECK(line.target.alive == 0);
}

TEST_CASE("options that cannot be met, and a default that is not valid, are refused") {
  const auto refuses = [](const auto& change, const char* member) {
    Line line;
    change(line.options);
    CHECK_THROWS_WITH_AS(line.run(), doctest::Contains(member), ArgumentError);
    CHECK(line.target.compile_count() == 0);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refuses([](TuneOptions& options) { options.max_variants = 0; }, "max_variants");
  refuses([&](TuneOptions& options) { options.max_seconds = nan; }, "max_seconds");
  refuses([](TuneOptions& options) { options.tolerance = -1; }, "tolerance");
  refuses([](TuneOptions& options) { options.min_repetitions = 0; }, "min_repetitions");
  refuses([](TuneOptions& options) { options.max_repetitions = 6; }, "max_repetitions");
  refuses([](TuneOptions& options) { options.confidence = -1; }, "confidence");
  refuses([](TuneOptions& options) { options.give_up_factor = 0.5; }, "give_up_factor");
  refuses([](TuneOptions& options) { options.launch_seconds = 0; }, "launch_seconds");

  const SearchSpace space({{"A", {0, 1}}}, {"A == 1"});
  const ValidConfigurations valid(space);
  FakeTuneTarget target({0});
  CHECK_THROWS_WITH_AS(run_tuning(target, valid, {}), doctest::Contains("default"), ArgumentError);
}

}  // namespace engine_test
