#include "tune/engine.hpp"

#include "base/argument_error.hpp"
#include "compile/batch.hpp"
#include "launch/sample_statistics.hpp"
#include "tune/compile_ahead.hpp"
#include "tune/measure_rounds.hpp"
#include "tune/strategy.hpp"
#include "tune/tune_log.hpp"
#include "tune/tune_options.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <future>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

namespace {

constexpr std::size_t measured_in_turn = 4;

std::unique_ptr<Strategy> strategy_of(const ValidConfigurations& valid, const TuneOptions& options) {
  switch (options.strategy) {
    case TuneStrategy::exhaustive:
      return exhaustive_strategy(valid);
    case TuneStrategy::random:
      return random_strategy(valid, options.seed);
    case TuneStrategy::annealing:
      break;
  }
  return annealing_strategy(valid, options.seed);
}

/// What the strategies know as seconds: small and positive is good.
std::optional<double> told_value(const TuneCandidate& candidate, TuneGoal goal) {
  if (candidate.status != TuneStatus::ok) return std::nullopt;
  if (goal == TuneGoal::smallest) return candidate.value;
  if (candidate.value <= 0) return std::nullopt;
  return 1 / candidate.value;
}

/// One configuration on its way. The default is tried first, and is not tried again where the strategy gives it.
struct Trial {
  Configuration configuration;
  bool of_strategy;
  std::future<std::unique_ptr<TuneVariant>> compile = {};  // of what must be launched
  std::unique_ptr<TuneVariant> variant = {};               // while it is good
  std::optional<Configuration> same = {};  // the configuration that is the same program, and is measured for both
  bool is_tried = false;
  TuneCandidate candidate = {};
};

/// Adds the seconds of its life.
class Stopclock {
 public:
  Stopclock(const TuneTarget& target, double& seconds) : target_(target), seconds_(seconds), begin_(target.now()) {}
  ~Stopclock() { seconds_ += target_.now() - begin_; }
  Stopclock(const Stopclock&) = delete;
  Stopclock& operator=(const Stopclock&) = delete;

 private:
  const TuneTarget& target_;
  double& seconds_;
  const double begin_;
};

class TuneRun {
 public:
  TuneRun(TuneTarget& target, const ValidConfigurations& valid, const TuneOptions& options, FileSystem& files);
  TuneResult run();

 private:
  void plan(Configuration configuration, bool of_strategy);
  void plan_more();
  void try_some();
  std::unique_ptr<TuneVariant> compiled(Trial& trial);
  void prepare(Trial& trial);
  bool lost_device(const Configuration& configuration) const;
  void refuse_reference(const std::string& error);
  template <class Step>
  void attempt(Trial& trial, const Step& step);
  void measure(std::vector<Trial>& trials);
  void conclude(Trial& trial, const RepeatedTimes& times);
  void finish(Trial& trial);
  void keep(Trial& trial);
  void report(const TuneCandidate& candidate);
  bool is_over();

  bool is_same_program(Trial& trial);

  bool is_default_again(const Trial& trial) const { return trial.of_strategy && trial.configuration == default_; }
  bool is_better(const TuneCandidate& candidate) const;

  TuneTarget& target_;
  const ValidConfigurations& valid_;
  const TuneOptions& options_;
  const double begin_;
  const Configuration default_;
  const std::unique_ptr<Strategy> strategy_;
  std::optional<TuneLog> log_;
  std::map<Configuration, TuneCandidate> known_;   // from the log file and already tried
  std::map<std::string, Configuration> programs_;  // the first configuration of each
  std::deque<Trial> planned_;
  std::size_t planned_count_ = 0;  // in all
  std::optional<TuneEnd> end_;
  std::string lost_;  // why no candidate can be launched any more
  bool is_device_lost_ = false;
  double best_seconds_ = std::numeric_limits<double>::infinity();
  TuneResult result_;
  const unsigned threads_;
  CompileAhead compiler_;  // the last member: its threads end first
};

TuneRun::TuneRun(TuneTarget& target, const ValidConfigurations& valid, const TuneOptions& options, FileSystem& files)
    : target_(target),
      valid_(valid),
      options_(options),
      begin_(target.now()),
      default_(target.default_configuration()),
      strategy_(strategy_of(valid, options)),
      threads_(options.compile_threads != 0 ? options.compile_threads : default_jobs()),
      compiler_(target, threads_, options.cancel) {
  if (options_.log_file.empty()) return;
  log_.emplace(files, options_.log_file.string(), target_.identity(), valid_.space());
  known_ = log_->known();
}

TuneResult TuneRun::run() {
  plan(default_, false);
  plan_more();
  while (!planned_.empty() && !is_over()) {
    try_some();
    plan_more();
  }
  if (is_device_lost_) throw DeviceLostError("tuning cannot go on: " + lost_);
  if (!lost_.empty()) throw Error("tuning cannot go on: " + lost_);
  result_.end = end_.value_or(planned_count_ < valid_.count() ? TuneEnd::max_variants : TuneEnd::all_tried);
  result_.valid = valid_.count();
  result_.all_alike =
      result_.count(TuneStatus::ok) > 1 && programs_.size() == 1 && result_.resumed == 0 && !options_.objective;
  result_.seconds = target_.now() - begin_;
  result_.compile_seconds = compiler_.seconds();
  return std::move(result_);
}

void TuneRun::plan(Configuration configuration, bool of_strategy) {
  Trial trial{std::move(configuration), of_strategy};
  const bool is_reference = !of_strategy && !options_.reference;
  if (!is_default_again(trial)) {
    ++planned_count_;
    if (is_reference || !known_.contains(trial.configuration)) trial.compile = compiler_.add(trial.configuration);
  }
  planned_.push_back(std::move(trial));
}

/// Always as many as that, so that the strategy's choices depend on no compile's time.
void TuneRun::plan_more() {
  while (planned_.size() < threads_ + measured_in_turn && planned_count_ < options_.max_variants) {
    std::optional<Configuration> next = strategy_->next();
    if (!next) return;
    plan(std::move(*next), true);
  }
}

void TuneRun::try_some() {
  std::vector<Trial> trials;
  while (!planned_.empty() && trials.size() < measured_in_turn) {
    trials.push_back(std::move(planned_.front()));
    planned_.pop_front();
  }
  for (Trial& trial : trials)
    if (!is_over()) prepare(trial);
  measure(trials);
  for (Trial& trial : trials) finish(trial);
}

std::unique_ptr<TuneVariant> TuneRun::compiled(Trial& trial) try {
  const Stopclock clock(target_, result_.wait_seconds);
  return trial.compile.get();
} catch (const TuneFailure&) {
  throw;
} catch (const Error& error) {
  throw TuneFailure(TuneStatus::not_compiled, error.what());
}

/// Until it can be measured.
void TuneRun::prepare(Trial& trial) {
  if (!trial.compile.valid()) return;
  const bool is_reference = !trial.of_strategy && !options_.reference;
  if (is_reference && lost_device(trial.configuration)) return refuse_reference(known_.at(trial.configuration).error);
  attempt(trial, [&] {
    trial.variant = compiled(trial);
    if (is_same_program(trial)) return;
    const Stopclock clock(target_, result_.measure_seconds);
    trial.variant->load();
    if (is_reference)
      target_.make_reference(*trial.variant);
    else
      trial.variant->verify();
  });
  if (is_reference && trial.is_tried) refuse_reference(trial.candidate.error);
  if (known_.contains(trial.configuration)) trial.variant.reset();
}

/// A second measurement of the same program would differ only by chance.
bool TuneRun::is_same_program(Trial& trial) {
  const auto [known, is_new] = programs_.try_emplace(trial.variant->program(), trial.configuration);
  if (is_new || known->second == trial.configuration) return false;
  trial.same = known->second;
  trial.variant.reset();
  return true;
}

/// By the log file: such a launch ends this process, too.
bool TuneRun::lost_device(const Configuration& configuration) const {
  const auto found = known_.find(configuration);
  if (found == known_.end()) return false;
  return found->second.status == TuneStatus::crashed || found->second.status == TuneStatus::timed_out;
}

void TuneRun::refuse_reference(const std::string& error) {
  lost_ =
      "the default configuration gives no reference to compare with; choose another default (default_configuration, "
      "--default), or say what is right (TuneOptions::reference, --expect): " +
      error;
}

/// A compile that a cancel ended says nothing of the candidate.
template <class Step>
void TuneRun::attempt(Trial& trial, const Step& step) try {
  step();
} catch (const TuneFailure& failure) {
  trial.variant.reset();
  trial.is_tried = failure.status() != TuneStatus::not_compiled || !options_.cancel.is_cancelled();
  trial.candidate.status = failure.status();
  trial.candidate.error = failure.what();
  if (!failure.is_last()) return;
  is_device_lost_ = true;
  lost_ =
      "a candidate left a device that can launch nothing until this process ends; a new run with the same "
      "log_file leaves it out: " +
      trial.candidate.error;
}

void TuneRun::measure(std::vector<Trial>& trials) {
  const Stopclock clock(target_, result_.measure_seconds);
  std::vector<RepeatedTimes> times(trials.size());
  for (std::size_t i = 0; i < trials.size(); ++i) times[i].is_done = !trials[i].variant;
  const TimeLaunch time = [&](std::size_t i) {
    std::optional<double> seconds;
    attempt(trials[i], [&] { seconds = trials[i].variant->time(); });
    return seconds;
  };
  measure_in_rounds(times, time, options_, best_seconds_, [this] { return is_over(); });
  for (std::size_t i = 0; i < trials.size(); ++i) conclude(trials[i], times[i]);
}

void TuneRun::conclude(Trial& trial, const RepeatedTimes& times) {
  if (!trial.variant) return;
  trial.variant.reset();
  trial.is_tried = times.given_up || times.seconds.size() >= options_.min_repetitions;
  if (!trial.is_tried) return;
  const Quartiles quartiles = quartiles_of(times.seconds);
  trial.candidate.seconds = quartiles.median;
  trial.candidate.spread = quartiles.upper - quartiles.lower;
  trial.candidate.repetitions = times.seconds.size();
  trial.candidate.given_up = times.given_up;
}

void TuneRun::finish(Trial& trial) {
  const bool was_known = known_.contains(trial.configuration);
  if (const auto same = trial.same ? known_.find(*trial.same) : known_.end(); same != known_.end()) {
    trial.candidate = same->second;
    trial.is_tried = true;
  }
  if (!was_known && !trial.is_tried) return;
  if (!was_known) keep(trial);
  const TuneCandidate& candidate = known_.at(trial.configuration);
  if (!is_default_again(trial)) {
    if (was_known) ++result_.resumed;
    report(candidate);
  }
  if (trial.of_strategy) strategy_->tell(trial.configuration, told_value(candidate, options_.goal));
}

void TuneRun::keep(Trial& trial) {
  TuneCandidate& candidate = trial.candidate;
  candidate.configuration = valid_.space().values(trial.configuration);
  candidate.value = candidate.seconds;
  if (candidate.status == TuneStatus::ok && options_.objective)
    candidate.value = options_.objective(candidate.configuration, candidate.seconds);
  if (!std::isfinite(candidate.value)) refuse("tune: objective", "a finite number", std::to_string(candidate.value));
  if (log_) log_->append(trial.configuration, candidate);
  known_[trial.configuration] = std::move(candidate);
}

void TuneRun::report(const TuneCandidate& candidate) {
  result_.candidates.push_back(candidate);
  if (result_.candidates.size() == 1) result_.of_default = candidate;
  if (candidate.status == TuneStatus::ok) {
    best_seconds_ = std::min(best_seconds_, candidate.seconds);
    if (is_better(candidate)) result_.best = candidate;
  }
  if (!options_.progress) return;
  const std::size_t total = std::min(options_.max_variants, valid_.count());
  options_.progress({result_.candidates.size(), total, candidate, result_.best ? &*result_.best : nullptr});
}

bool TuneRun::is_better(const TuneCandidate& candidate) const {
  if (!result_.best) return true;
  return options_.goal == TuneGoal::smallest ? candidate.value < result_.best->value
                                             : candidate.value > result_.best->value;
}

bool TuneRun::is_over() {
  if (options_.cancel.is_cancelled())
    end_ = TuneEnd::cancelled;
  else if (target_.now() - begin_ >= options_.max_seconds)
    end_ = TuneEnd::max_seconds;
  return end_ || !lost_.empty();
}

}  // namespace

DeviceLostError::~DeviceLostError() = default;

TuneResult run_tuning(TuneTarget& target, const ValidConfigurations& valid, const TuneOptions& options,
                      FileSystem& files) {
  check(options);
  if (!valid.find(target.default_configuration()))
    throw_argument_error("tune: the default configuration does not fulfil the restrictions", "one that does",
                         "one that does not");
  return TuneRun(target, valid, options, files).run();
}

}  // namespace kiln
