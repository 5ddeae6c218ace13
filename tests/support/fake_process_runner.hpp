// A process runner that starts nothing.
#pragma once

#include "worker/nvcc/process_runner.hpp"

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace kiln::test {

/// Records what it is asked to run, and answers by a function: FakeProcessRunner runner([](const ProcessRequest& r) {
/// ... }); which may also write the files that the program would write, or throw what run() throws. Thread-safe, as far
/// as the function is.
class FakeProcessRunner : public ProcessRunner {
 public:
  using Answer = std::function<ProcessResult(const ProcessRequest&)>;

  /// Without a function every program ends well and says nothing.
  explicit FakeProcessRunner(Answer answer = {}) : answer_(std::move(answer)) {}

  ProcessResult run(const ProcessRequest& request) override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      requests_.push_back(request);
    }
    return answer_ ? answer_(request) : ProcessResult{};
  }

  /// All so far, in order.
  std::vector<ProcessRequest> requests() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return requests_;
  }

 private:
  const Answer answer_;
  mutable std::mutex mutex_;
  std::vector<ProcessRequest> requests_;
};

}  // namespace kiln::test
