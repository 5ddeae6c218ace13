// A target without a device: what each configuration does is a function, and its clock goes on only where a test
// advances it.
#pragma once

#include "base/stop.hpp"
#include "tune/tune_target.hpp"
#include "tune/valid_configurations.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace kiln::test {

class FakeTuneTarget : public TuneTarget {
 public:
  using Act = std::function<void(const Configuration&)>;

  // What happens, each before what the step does by itself.
  std::function<void(const Configuration&, const CancelToken&)> on_compile =  // in several threads at once
      [](const Configuration&, const CancelToken&) {};
  Act on_load = [](const Configuration&) {};
  Act on_verify = [](const Configuration&) {};
  Act on_time = [](const Configuration&) {};
  std::function<double(const Configuration&)> seconds_of = [](const Configuration& one) { return 1.0 + one.front(); };
  std::function<std::string(const Configuration&)> program_of = [](const Configuration& one) {
    std::string text;
    for (const std::uint32_t index : one) text += std::to_string(index) + " ";
    return text;
  };
  Configuration initial;
  std::string is = R"({"key":"fake"})";

  // What happened.
  std::map<Configuration, int> compiles;  // under the mutex until tuning has ended
  std::vector<Configuration> verified;
  std::vector<Configuration> timed;
  int references = 0;
  std::atomic<int> alive{0};  // variants

  explicit FakeTuneTarget(Configuration first) : initial(std::move(first)) {}

  void advance(double seconds) {
    const std::lock_guard lock(mutex_);
    clock_ += seconds;
  }
  int times_launched(const Configuration& one) const {
    int count = 0;
    for (const Configuration& other : timed) count += other == one ? 1 : 0;
    return count;
  }
  std::size_t compile_count() const {
    std::size_t count = 0;
    for (const auto& [one, times] : compiles) count += static_cast<std::size_t>(times);
    return count;
  }

  Configuration default_configuration() const override { return initial; }
  std::unique_ptr<TuneVariant> compile(const Configuration& one, const CancelToken& cancel) override {
    {
      const std::lock_guard lock(mutex_);
      ++compiles[one];
    }
    on_compile(one, cancel);
    return std::make_unique<Variant>(*this, one);
  }
  void make_reference(TuneVariant& variant) override {
    ++references;
    variant.verify();
  }
  double now() const override {
    const std::lock_guard lock(mutex_);
    return clock_;
  }
  std::string identity() const override { return is; }

 private:
  class Variant : public TuneVariant {
   public:
    Variant(FakeTuneTarget& target, Configuration one) : target_(target), one_(std::move(one)) { ++target_.alive; }
    ~Variant() override { --target_.alive; }
    std::string program() const override { return target_.program_of(one_); }
    void load() override { target_.on_load(one_); }
    void verify() override {
      target_.verified.push_back(one_);
      target_.on_verify(one_);
    }
    double time() override {
      target_.timed.push_back(one_);
      target_.on_time(one_);
      return target_.seconds_of(one_);
    }

   private:
    FakeTuneTarget& target_;
    const Configuration one_;
  };

  mutable std::mutex mutex_;
  double clock_ = 1000;
};

}  // namespace kiln::test
