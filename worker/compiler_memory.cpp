#include "worker/compiler_memory.hpp"

#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace kiln {

namespace {

#ifndef MADV_POPULATE_WRITE
constexpr int MADV_POPULATE_WRITE = 23;
#endif

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t populated = 12 * mebibyte;       // what NVRTC 13 touches for the smallest source
constexpr std::size_t mmap_threshold = 32 * mebibyte;  // the most that glibc takes
/// Eight of them are what NVRTC 13 touches for a source with CUB. Each is smaller than the threshold, and so of the
/// heap.
using HeapBlocks = std::array<void*, 8>;
constexpr std::size_t block_size = 28 * mebibyte;

std::uintptr_t page_after(const void* pointer) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  return (reinterpret_cast<std::uintptr_t>(pointer) + page - 1) / page * page;
}

bool is_address_space_limited() {
  rlimit limit = {};
  return ::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

/// A heap of the size that a large compile needs, of which only what is touched becomes memory: 2 MiB at a time where
/// the system has huge pages. With them NVRTC compiles a source with CUB some 8 % faster.
void enlarge_heap() {
  if (is_address_space_limited()) return;
  HeapBlocks blocks = {};
  for (void*& block : blocks) {
    block = ::malloc(block_size);
    if (block == nullptr) break;
    const std::uintptr_t begin = page_after(block);
    ::madvise(reinterpret_cast<void*>(begin), block_size - (begin - reinterpret_cast<std::uintptr_t>(block)),
              MADV_HUGEPAGE);
  }
  for (void* const block : blocks) ::free(block);
}

/// In small steps: while one runs, no other thread of this process can map memory.
void* touch(void* begin) {
  constexpr std::size_t step = std::size_t{64} << 10;
  for (std::size_t done = 0; done < populated; done += step)
    if (::madvise(static_cast<char*>(begin) + done, step, MADV_POPULATE_WRITE) != 0) break;
  return nullptr;
}

}  // namespace

// A compile has a thread of its own, for its stack. glibc gives such a thread another arena than the first one's, which
// grows by single pages, with a system call for each: three thousand of them for a source with CUB. The first arena
// grows by as much as one likes. What a compile has freed stays for the next one: a worker that has none ends soon.
void prepare_allocator() {
  ::mallopt(M_ARENA_MAX, 1);
  ::mallopt(M_TOP_PAD, int{4 * mebibyte});
  ::mallopt(M_TRIM_THRESHOLD, int{256 * mebibyte});
  ::mallopt(M_MMAP_THRESHOLD, int{mmap_threshold});
  enlarge_heap();
}

void populate_memory() {
  static bool is_done = false;  // a worker has one thread that takes jobs
  if (is_done) return;
  is_done = true;
  // volatile, else the compiler leaves out both calls
  void* volatile room = ::malloc(populated + static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
  const std::uintptr_t begin = page_after(room);
  ::free(room);  // what is free at the end of the heap stays there
  // Another allocator, such as a sanitizer's, has its memory elsewhere.
  if (room == nullptr || begin + populated > reinterpret_cast<std::uintptr_t>(::sbrk(0))) return;
  pthread_t thread;
  if (::pthread_create(&thread, nullptr, touch, reinterpret_cast<void*>(begin)) == 0) ::pthread_detach(thread);
}

}  // namespace kiln
