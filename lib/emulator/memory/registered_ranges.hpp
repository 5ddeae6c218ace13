// Ranges of the host's memory that kernels may touch besides the device's own.
#pragma once

#include <atomic>
#include <cstdint>

namespace kiln::emulator {

/// Changes need the owner's lock; holds() takes none.
class RegisteredRanges {
 public:
  RegisteredRanges() = default;
  ~RegisteredRanges();
  RegisteredRanges(const RegisteredRanges&) = delete;
  RegisteredRanges& operator=(const RegisteredRanges&) = delete;

  void add(std::uint64_t begin, std::uint64_t size);
  void remove(std::uint64_t begin);
  bool holds(std::uint64_t address, std::uint64_t size) const noexcept;

 private:
  // A removed range's node stays and is used again, so that readers always walk a whole list.
  struct Node {
    std::atomic<std::uint64_t> begin{0}, end{0};
    Node* next = nullptr;
  };
  std::atomic<Node*> first_{nullptr};
};

}  // namespace kiln::emulator
