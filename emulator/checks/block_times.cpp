#include "emulator/checks/block_times.hpp"

namespace kiln::emulator {

void ReleasedTimes::release(std::uint64_t address, const Times& times) {
  const std::lock_guard lock(mutex_);
  is_empty_ = false;
  const std::uint64_t place = address >> place_bits;
  Times& released = released_[place];
  if (released == times) return;
  if (released != nullptr) {
    const auto both = std::make_shared<BlockTimes>(*released);
    both->learn(*times);
    released = both;
    return;
  }
  released = times;
  order_.push_back(place);
  if (order_.size() <= most_places) return;
  const auto oldest = released_.find(order_.front());
  forgotten_.learn(*oldest->second);
  released_.erase(oldest);
  order_.pop_front();
}

void ReleasedTimes::acquire(std::uint64_t address, BlockTimes& known) const {
  if (is_empty_) return;
  const std::lock_guard lock(mutex_);
  known.learn(forgotten_);
  const auto released = released_.find(address >> place_bits);
  if (released != released_.end()) known.learn(*released->second);
}

}  // namespace kiln::emulator
