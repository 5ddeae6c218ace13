#include "tune/tunable.hpp"

#include <utility>

namespace kiln {

const TunableChoice* TunableChoices::find(int device_kind, const ProblemSize& problem) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(key_of(device_kind, problem));
  if (found == by_key_.end()) return nullptr;
  remember(found->second->launch);
  return found->second;
}

const TunableChoice& TunableChoices::add(TunableChoice choice) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = by_key_.try_emplace(key_of(choice.launch.device_kind, choice.launch.problem), nullptr);
  if (is_new) place->second = &all_.emplace_back(std::move(choice));
  remember(place->second->launch);
  return *place->second;
}

void TunableChoices::remember(const detail::TunedLaunch& launch) noexcept {
  if (launch.grid.count() != 0) recent_.add(launch);
}

void TunableChoices::forget() {
  const std::lock_guard lock(mutex_);
  by_key_.clear();
  recent_.clear();
}

}  // namespace kiln
