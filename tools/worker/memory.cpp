#include "memory.hpp"

#include <malloc.h>

namespace kiln::worker {

// A compile has a thread of its own, for its stack. glibc gives such a thread another arena than the first one's, which
// grows by single pages, with a system call for each: three thousand of them for a source with CUB. The first arena
// grows by as much as one likes. What a compile has freed stays for the next one: a worker that has none ends soon.
void prepare_allocator() {
  constexpr int mebibyte = 1 << 20;
  ::mallopt(M_ARENA_MAX, 1);
  ::mallopt(M_TOP_PAD, 4 * mebibyte);
  ::mallopt(M_TRIM_THRESHOLD, 256 * mebibyte);
  ::mallopt(M_MMAP_THRESHOLD, 32 * mebibyte);
}

}  // namespace kiln::worker
