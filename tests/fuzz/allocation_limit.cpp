// In a file of its own: gcc warns where it sees a replaced operator new and std::free together.
#include "allocation_limit.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> limit{~std::size_t{0}};

}  // namespace

void kiln::fuzz::limit_allocations(std::size_t bytes) noexcept { limit = bytes; }

void* operator new(std::size_t size) {
  if (size > limit.load(std::memory_order_relaxed)) {
    std::fprintf(stderr, "broken: an allocation of %zu bytes for so small an input\n", size);
    std::abort();
  }
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// Not the C++ library's, which a sanitizer replaces by one of its own.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept try {
  return operator new(size);
} catch (const std::bad_alloc&) {
  return nullptr;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
