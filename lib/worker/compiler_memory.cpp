#include "memory.hpp"

#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace kiln::worker {

namespace {

#ifndef MADV_POPULATE_WRITE
constexpr int MADV_POPULATE_WRITE = 23;
#endif

constexpr int mebibyte = 1 << 20;
constexpr std::size_t taken_ahead = std::size_t{12} << 20;  // what NVRTC 13 touches for the smallest source

/// In small steps: while one runs, no other thread of this process can map a library.
void* touch(void* begin) {
  constexpr std::size_t step = std::size_t{64} << 10;
  for (std::size_t done = 0; done < taken_ahead; done += step)
    if (::madvise(static_cast<char*>(begin) + done, step, MADV_POPULATE_WRITE) != 0) break;
  return nullptr;
}

}  // namespace

// A compile has a thread of its own, for its stack. glibc gives such a thread another arena than the first one's, which
// grows by single pages, with a system call for each: three thousand of them for a source with CUB. The first arena
// grows by as much as one likes. What a compile has freed stays for the next one: a worker that has none ends soon.
void prepare_allocator() {
  ::mallopt(M_ARENA_MAX, 1);
  ::mallopt(M_TOP_PAD, 4 * mebibyte);
  ::mallopt(M_TRIM_THRESHOLD, 256 * mebibyte);
  ::mallopt(M_MMAP_THRESHOLD, 32 * mebibyte);
}

void take_memory_ahead() {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  void* volatile room = ::malloc(taken_ahead + page);  // volatile: else the compiler leaves out both calls
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(room) + page - 1) / page * page;
  ::free(room);
  // What is free at the end of the heap stays there. Another allocator, such as a sanitizer's, has its memory
  // elsewhere.
  if (room == nullptr || begin + taken_ahead > reinterpret_cast<std::uintptr_t>(::sbrk(0))) return;
  pthread_t thread;
  if (::pthread_create(&thread, nullptr, touch, reinterpret_cast<void*>(begin)) == 0) ::pthread_detach(thread);
}

}  // namespace kiln::worker
