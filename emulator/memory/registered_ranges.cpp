#include "emulator/memory/registered_ranges.hpp"

namespace kiln::emulator {

RegisteredRanges::~RegisteredRanges() {
  for (Node* node = first_.load(); node != nullptr;) {
    Node* const next = node->next;
    delete node;
    node = next;
  }
}

void RegisteredRanges::add(std::uint64_t begin, std::uint64_t size) {
  Node* node = first_.load();
  while (node != nullptr && node->end.load() != 0) node = node->next;
  const bool made = node == nullptr;
  if (made) node = new Node;
  node->begin.store(begin);
  node->end.store(begin + size);  // last: until then the end is 0, and the range empty
  if (!made) return;
  node->next = first_.load();
  first_.store(node);
}

void RegisteredRanges::remove(std::uint64_t begin) {
  for (Node* node = first_.load(); node != nullptr; node = node->next)
    if (node->end.load() != 0 && node->begin.load() == begin) node->end.store(0);
}

bool RegisteredRanges::holds(std::uint64_t address, std::uint64_t size) const noexcept {
  for (const Node* node = first_.load(std::memory_order_acquire); node != nullptr; node = node->next) {
    const std::uint64_t end = node->end.load(std::memory_order_acquire);
    if (address < end && size <= end - address && address >= node->begin.load(std::memory_order_acquire)) return true;
  }
  return false;
}

}  // namespace kiln::emulator
