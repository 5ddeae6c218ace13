// A precompiled header is an image of NVRTC's heap, with addresses in it. NVRTC maps that heap by a function that it
// imports, so a program that exports one of that name decides where it lies.
#include "worker/pch/pch_heap.hpp"

#include "worker/pch/image_loader.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace {

#ifdef KILN_THREAD_SANITIZER
/// Where ThreadSanitizer lets a program have memory: it has the other address for itself.
constexpr std::uintptr_t heap_address = 0x5500'0000'0000;
#else
/// Far from where Linux puts programs, libraries, heaps and stacks on its own, and below 2^47, where x86-64's and
/// most other processes end.
constexpr std::uintptr_t heap_address = 0x2000'0000'0000;
#endif
/// NVRTC 13.5 needs 294 MiB for CUB. A try with too little costs two seconds.
constexpr std::size_t heap_size = std::size_t{1} << 30;

std::atomic<bool> is_expected{false};
std::atomic<bool> is_misplaced{false};
std::atomic<kiln::ImageLoader*> loader{nullptr};

using Mmap = void*(void*, std::size_t, int, int, int, off_t);

void* real_mmap(void* address, std::size_t size, int protection, int flags, int descriptor, off_t offset) noexcept {
  static std::atomic<Mmap*> real{nullptr};
  Mmap* function = real.load(std::memory_order_relaxed);
  if (function == nullptr) {
    function = reinterpret_cast<Mmap*>(::dlsym(RTLD_NEXT, "mmap"));
    real.store(function, std::memory_order_relaxed);
  }
  if (function != nullptr) return function(address, size, protection, flags, descriptor, offset);
  errno = ENOSYS;
  return MAP_FAILED;
}

void* map_at_heap_address(int protection, int flags) noexcept {
  return real_mmap(reinterpret_cast<void*>(heap_address), heap_size, protection,
                   flags | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
}

/// A piece of a file, to be mapped somewhere in the heap.
bool is_piece(void* address, std::size_t size, int flags, int descriptor) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  return descriptor >= 0 && (flags & (MAP_FIXED | MAP_PRIVATE)) == (MAP_FIXED | MAP_PRIVATE) && begin >= heap_address &&
         begin - heap_address < heap_size && size <= heap_size - (begin - heap_address);
}

/// Its own name would be that of a header, with attributes that differ between C libraries.
void* call_mmap(void* address, std::size_t size, int protection, int flags, int descriptor, off_t offset) noexcept {
  const bool is_heap = address == nullptr && size == heap_size && (flags & MAP_ANONYMOUS) != 0 &&
                       is_expected.load(std::memory_order_acquire);
  if (!is_heap) {
    kiln::ImageLoader* const reads = loader.load(std::memory_order_acquire);
    const bool is_there = reads != nullptr && is_piece(address, size, flags, descriptor) &&
                          reads->has_read(static_cast<char*>(address), size, descriptor, offset);
    return is_there ? address : real_mmap(address, size, protection, flags, descriptor, offset);
  }
  void* const heap = map_at_heap_address(protection, flags);
  if (reinterpret_cast<std::uintptr_t>(heap) == heap_address) {
    ::madvise(heap, heap_size, MADV_HUGEPAGE);
    return heap;
  }
  is_misplaced.store(true, std::memory_order_release);
  if (heap != MAP_FAILED) ::munmap(heap, heap_size);  // a kernel before 4.17 takes the address as a wish
  return real_mmap(address, size, protection, flags, descriptor, offset);
}

}  // namespace

#define KILN_EXPORTED_MMAP(name)                                                                                    \
  extern "C" __attribute__((visibility("default"))) void* exported_##name(void*, std::size_t, int, int, int,        \
                                                                          off_t) __asm__(#name);                    \
  void* exported_##name(void* address, std::size_t size, int protection, int flags, int descriptor, off_t offset) { \
    return call_mmap(address, size, protection, flags, descriptor, offset);                                         \
  }
KILN_EXPORTED_MMAP(mmap)
KILN_EXPORTED_MMAP(mmap64)

namespace kiln {

namespace {

bool is_address_free() {
  void* const heap = map_at_heap_address(PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS);
  if (heap == MAP_FAILED) return false;
  ::munmap(heap, heap_size);
  return reinterpret_cast<std::uintptr_t>(heap) == heap_address;
}

std::string prepare(const NvrtcLibrary& nvrtc) {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY)
    return "this process has a limit on its address space (ulimit -v)";
  if (::dlsym(RTLD_DEFAULT, "mmap") != reinterpret_cast<void*>(&exported_mmap))
    return "this program does not export its mmap, as kiln-worker does";
  if (!is_address_free()) return "the address of NVRTC's heap for them is taken in this process";
  is_expected.store(true, std::memory_order_release);
  if (nvrtc.set_pch_heap_size(heap_size) != NVRTC_SUCCESS) return "NVRTC refused the size of its heap for them";
  return {};
}

}  // namespace

const std::string& prepare_pch_heap(const NvrtcLibrary& nvrtc) {
  static const std::string fault = prepare(nvrtc);
  return fault;
}

namespace {

/// Of the present PchImageReading.
std::optional<ImageLoader>& present() {
  static std::optional<ImageLoader> reading;
  return reading;
}

}  // namespace

PchImageReading::PchImageReading(const PchImage& image, std::function<void()> loaded) {
  loader.store(&present().emplace(image, std::move(loaded)), std::memory_order_release);
}

PchImageReading::~PchImageReading() { loader.store(nullptr, std::memory_order_release); }

PchImage PchImageReading::largest() const { return present()->largest(); }

bool is_pch_heap_misplaced() noexcept { return is_misplaced.load(std::memory_order_acquire); }

}  // namespace kiln
