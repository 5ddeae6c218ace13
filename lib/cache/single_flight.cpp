#include "cache/single_flight.hpp"

#include <exception>
#include <mutex>
#include <utility>

namespace kiln {

bool SingleFlight::run(const std::string& key, const std::function<void()>& work) {
  const auto fresh = std::make_shared<Flight>();
  std::shared_ptr<Flight> other;
  {
    const std::lock_guard<ForkSafeMutex> lock(mutex_);
    if (generation_ != fork_generation()) {
      generation_ = fork_generation();
      new Flights(std::exchange(flights_, {}));  // leaked: other threads of the parent were at work in them
    }
    const auto [place, added] = flights_.emplace(key, fresh);
    if (!added) other = place->second;
  }
  if (other) {
    other->done.get();
    return false;
  }
  // The flight ends before those who wait are told: one who then comes again must find it gone.
  try {
    work();
  } catch (...) {
    end(key, fresh);
    fresh->promise.set_exception(std::current_exception());
    throw;
  }
  end(key, fresh);
  fresh->promise.set_value();
  return true;
}

void SingleFlight::end(const std::string& key, const std::shared_ptr<Flight>& flight) {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  const auto found = flights_.find(key);
  if (found != flights_.end() && found->second == flight) flights_.erase(found);
}

}  // namespace kiln
