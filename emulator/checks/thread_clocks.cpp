#include "emulator/checks/thread_clocks.hpp"

#include <algorithm>

namespace kiln::emulator {

// A clock of an earlier epoch starts again: every thread knows what happened before.
ThreadClocks::Clock& ThreadClocks::clock_of(std::uint32_t thread) {
  Clock& clock = clocks_[thread];
  if (clock.epoch != epoch_) clock = {epoch_, 1, nullptr};
  return clock;
}

ThreadClocks::Stamp ThreadClocks::now(std::uint32_t thread) { return {epoch_, clock_of(thread).time, thread}; }

bool ThreadClocks::before(const Stamp& moment, std::uint32_t thread) {
  if (moment.epoch != epoch_ || moment.thread == thread) return true;
  const Clock& clock = clock_of(thread);
  return clock.known != nullptr && (*clock.known)[moment.thread] >= moment.time;
}

ThreadClocks::Stamp ThreadClocks::completion_seen_by(std::uint32_t thread) {
  const Stamp stamp{epoch_, clock_of(copies_).time++, copies_};
  Clock& clock = clock_of(thread);
  const auto known = std::make_shared<Times>(clocks_.size());
  add(*known, clock.known);
  (*known)[copies_] = stamp.time;
  clock.known = known;
  return stamp;
}

void ThreadClocks::meet_all() {
  ++epoch_;
  objects_.clear();
}

void ThreadClocks::add(Times& to, const std::shared_ptr<const Times>& from) {
  if (from == nullptr) return;
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::max(to[i], (*from)[i]);
}

void ThreadClocks::meet(const std::vector<std::uint32_t>& threads) {
  const auto known = std::make_shared<Times>(clocks_.size());
  std::shared_ptr<const Times> last;  // threads that met last share one vector
  for (const std::uint32_t thread : threads) {
    const Clock& clock = clock_of(thread);
    if (clock.known != last) add(*known, last = clock.known);
    (*known)[thread] = std::max((*known)[thread], clock.time);
  }
  for (const std::uint32_t thread : threads) {
    clocks_[thread].known = known;
    ++clocks_[thread].time;
  }
}

void ThreadClocks::acquire(std::uint32_t thread, std::uint64_t object) {
  const auto left = objects_.find(object);
  if (left == objects_.end()) return;
  Clock& clock = clock_of(thread);
  const auto known = std::make_shared<Times>(*left->second);
  add(*known, clock.known);
  clock.known = known;
}

void ThreadClocks::release(std::uint32_t thread, std::uint64_t object) {
  Clock& clock = clock_of(thread);
  const auto known = std::make_shared<Times>(clocks_.size());
  add(*known, clock.known);
  (*known)[thread] = clock.time++;
  clock.known = objects_[object] = known;
}

}  // namespace kiln::emulator
