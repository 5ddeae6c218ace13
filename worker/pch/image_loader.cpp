#include "worker/pch/image_loader.hpp"

#include "base/signal_masked_thread.hpp"
#include "base/usable_cores.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

namespace kiln {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t most_threads = 4;  // they are as fast as the memory

/// The memory after the end of the file is not changed: zeros.
bool read_part(char* to, std::size_t size, int descriptor, std::uint64_t offset) {
  while (size > 0) {
    const ssize_t count = ::pread(descriptor, to, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) return true;
    to += count;
    size -= static_cast<std::size_t>(count);
    offset += static_cast<std::uint64_t>(count);
  }
  return true;
}

}  // namespace

ImageLoader::ImageLoader(const PchImage& image, std::function<void()> loaded)
    : image_(image), loaded_(std::move(loaded)), threads_(std::min<std::size_t>(usable_cores(), most_threads)) {}

bool ImageLoader::has_read(char* address, std::size_t size, int descriptor, off_t offset) {
  watch(address, size, offset);
  const bool begins = image_.size != 0 && run_.size == size && run_.offset == image_.offset;
  if (begins) is_in_image_ = read_image(address, descriptor);
  if (begins && loaded_) loaded_();
  return is_in_image_ && run_.offset == image_.offset && run_.size <= image_.size;
}

void ImageLoader::watch(const char* address, std::size_t size, off_t offset) {
  const auto at = static_cast<std::uint64_t>(offset);
  if (address != run_end_ || at != run_.offset + run_.size) {
    run_ = {at, 0};
    is_in_image_ = false;
  }
  run_.size += size;
  run_end_ = address + size;
  if (run_.size > largest_.size) largest_ = run_;
}

bool ImageLoader::read_image(char* address, int descriptor) const {
  const auto size = static_cast<std::size_t>(image_.size);
  const std::size_t part = (size / threads_ + huge_page) / huge_page * huge_page;
  std::atomic<bool> good{true};
  const auto read_from = [&](std::size_t begin) {
    if (!read_part(address + begin, std::min(part, size - begin), descriptor, image_.offset + begin)) good = false;
  };
  std::vector<std::thread> others;
  for (std::size_t begin = part; begin < size; begin += part) {
    try {
      others.push_back(start_signal_masked_thread([&read_from, begin] { read_from(begin); }));
    } catch (const Error&) {
      read_from(begin);
    }
  }
  read_from(0);
  for (std::thread& other : others) other.join();
  return good;
}

}  // namespace kiln
