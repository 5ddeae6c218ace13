// Registered host memory, which kernels may access besides device memory.
#pragma once

#include <atomic>
#include <cstdint>

namespace kiln::emulator {

/// Changes need the lock of the owner; holds() takes none.
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
  // Nodes are never deleted but reused, so that readers always walk a complete list.
  struct Node {
    std::atomic<std::uint64_t> begin{0}, end{0};
    Node* next = nullptr;
  };
  std::atomic<Node*> first_{nullptr};
};

}  // namespace kiln::emulator
