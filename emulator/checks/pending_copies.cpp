#include "emulator/checks/pending_copies.hpp"

#include <algorithm>

namespace kiln::emulator {

PendingCopies::Number PendingCopies::new_batch(const Batch& batch) {
  if (writers_.empty()) {
    writers_.resize(shared_size_);
    readers_.resize(shared_size_);
  }
  if (batches_.size() >= most_batches) batches_.erase(batches_.begin());
  batches_.emplace(++last_, batch);
  return last_;
}

PendingCopies::Number PendingCopies::open_batch(AsyncKind kind, std::uint32_t thread) {
  ThreadGroups& groups = groups_of(kind)[thread];
  if (batches_.count(groups.current) == 0) {
    groups.current = new_batch({kind, thread, 0, {}});
    groups.open.push_back(groups.current);
  }
  return groups.current;
}

PendingCopies::Number PendingCopies::batch_on(std::uint64_t barrier, std::uint32_t thread) {
  const Number number = new_batch({AsyncKind::bulk_load, thread, barrier, {}});
  barriers_[barrier].pending.push_back(number);
  return number;
}

void PendingCopies::add(Number number, const Range& range) {
  Batch& batch = batches_.at(number);
  Range* const last = batch.ranges.empty() ? nullptr : &batch.ranges.back();
  if (last != nullptr && last->step == range.step && last->offset + last->size == range.offset)
    last->size += range.size;
  else
    batch.ranges.push_back(range);
  std::vector<Number>& users = batch.is_store() ? readers_ : writers_;
  std::fill_n(users.begin() + static_cast<std::ptrdiff_t>(range.offset), range.size, number);
}

const PendingCopies::Batch* PendingCopies::user_of(const std::vector<Number>& users, std::uint64_t offset) const {
  if (offset >= users.size() || users[offset] == 0) return nullptr;
  const auto found = batches_.find(users[offset]);
  return found == batches_.end() ? nullptr : &found->second;
}

void PendingCopies::commit(AsyncKind kind, std::uint32_t thread) {
  ThreadGroups& groups = groups_of(kind)[thread];
  groups.committed.push_back(std::move(groups.open));
  groups.open.clear();
  groups.current = 0;
  // Nobody has to wait for them: they may have completed on an mbarrier.
  while (!groups.committed.empty()) {
    drop_taken(groups.committed.front());
    if (!groups.committed.front().empty() || groups.committed.size() < most_batches) break;
    groups.committed.pop_front();
  }
}

std::vector<PendingCopies::Number> PendingCopies::awaited(AsyncKind kind, std::uint32_t thread, std::uint64_t pending) {
  std::vector<Number> numbers;
  std::deque<std::vector<Number>>& committed = groups_of(kind)[thread].committed;
  for (; committed.size() > pending; committed.pop_front())
    numbers.insert(numbers.end(), committed.front().begin(), committed.front().end());
  return numbers;
}

void PendingCopies::drop_taken(std::vector<Number>& numbers) const {
  const auto is_taken = [&](Number number) { return batches_.count(number) == 0; };
  numbers.erase(std::remove_if(numbers.begin(), numbers.end(), is_taken), numbers.end());
}

void PendingCopies::arrive(std::uint32_t thread, std::uint64_t barrier) {
  ThreadGroups& groups = copies_[thread];
  groups.current = 0;  // what is issued from now on is not part of it
  std::vector<Number>& on = barriers_[barrier].pending;
  drop_taken(groups.open);
  on.insert(on.end(), groups.open.begin(), groups.open.end());
  for (std::vector<Number>& group : groups.committed) {
    drop_taken(group);
    on.insert(on.end(), group.begin(), group.end());
  }
}

void PendingCopies::phase_completed(std::uint64_t barrier) {
  const auto found = barriers_.find(barrier);
  if (found == barriers_.end()) return;
  OnBarrier& on = found->second;
  drop_taken(on.complete);
  on.complete.insert(on.complete.end(), on.pending.begin(), on.pending.end());
  on.pending.clear();
}

void PendingCopies::forget(std::uint64_t barrier) {
  const auto found = barriers_.find(barrier);
  if (found == barriers_.end()) return;
  for (const std::vector<Number>* const numbers : {&found->second.pending, &found->second.complete})
    for (const Number number : *numbers) batches_.erase(number);
  barriers_.erase(found);
}

std::vector<PendingCopies::Number> PendingCopies::seen(std::uint64_t barrier) {
  const auto found = barriers_.find(barrier);
  if (found == barriers_.end()) return {};
  std::vector<Number> numbers;
  numbers.swap(found->second.complete);
  return numbers;
}

}  // namespace kiln::emulator
