#include "tune/tunable_choices.hpp"

#include <utility>

namespace kiln {

const TunableChoice* TunableChoices::find_all(int device_kind, const ProblemSize& problem) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(key_of(device_kind, problem));
  if (found == by_key_.end()) return nullptr;
  slot(device_kind, problem).store(found->second, std::memory_order_release);
  return found->second;
}

const TunableChoice& TunableChoices::add(TunableChoice choice) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = by_key_.try_emplace(key_of(choice.device_kind, choice.problem), nullptr);
  if (is_new) place->second = &all_.emplace_back(std::move(choice));
  slot(place->second->device_kind, place->second->problem).store(place->second, std::memory_order_release);
  return *place->second;
}

void TunableChoices::forget() {
  const std::lock_guard lock(mutex_);
  by_key_.clear();
  for (auto& recent : recent_) recent.store(nullptr, std::memory_order_release);
}

}  // namespace kiln
