#include "cache/single_flight.hpp"

#include "base/range.hpp"

#include <exception>
#include <mutex>
#include <utility>

namespace kiln {

bool SingleFlight::run(const std::string& key, const std::function<void()>& work, const Stop& stop) {
  const auto fresh = std::make_shared<Flight>();
  std::shared_ptr<Flight> other;
  {
    const std::lock_guard<ForkSafeMutex> lock(mutex_);
    if (generation_ != fork_generation()) {
      generation_ = fork_generation();
      former_.push_back(new Flights(std::exchange(flights_, {})));
    }
    const auto [place, added] = flights_.emplace(key, fresh);
    if (!added) other = place->second;
  }
  if (other) {
    const Range range("wait", "for another thread");
    wait(*other, stop);
    return false;
  }
  try {
    work();
  } catch (...) {
    end(key, fresh, std::current_exception());
    throw;
  }
  end(key, fresh, nullptr);
  return true;
}

void SingleFlight::wait(Flight& flight, const Stop& stop) {
  const CancelWatch watch(stop.cancel, [&flight] {
    const std::lock_guard lock(flight.mutex);
    flight.changed.notify_all();
  });
  std::unique_lock lock(flight.mutex);
  const auto is_over = [&] { return flight.done || stop.cancel.is_cancelled(); };
  if (stop.deadline) {
    flight.changed.wait_until(lock, *stop.deadline, is_over);
  } else {
    flight.changed.wait(lock, is_over);
  }
  if (flight.error) std::rethrow_exception(flight.error);
}

// The flight is removed before the waiting threads are notified: one that calls again must not find it.
void SingleFlight::end(const std::string& key, const std::shared_ptr<Flight>& flight, std::exception_ptr error) {
  {
    const std::lock_guard<ForkSafeMutex> lock(mutex_);
    const auto found = flights_.find(key);
    if (found != flights_.end() && found->second == flight) flights_.erase(found);
  }
  const std::lock_guard lock(flight->mutex);
  flight->done = true;
  flight->error = std::move(error);
  flight->changed.notify_all();
}

}  // namespace kiln
