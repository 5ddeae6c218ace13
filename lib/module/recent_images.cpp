#include "module/recent_images.hpp"

#include <array>
#include <cstddef>
#include <mutex>

namespace kiln {

namespace {

struct RecentImages {
  std::mutex mutex;
  std::array<std::shared_ptr<Image>, 64> images;
  std::size_t next = 0;
};

}  // namespace

void keep_recent(std::shared_ptr<Image> image) {
  // Never destroyed: at exit the driver unloads everything itself.
  static RecentImages& recent = *new RecentImages;
  {
    const std::lock_guard lock(recent.mutex);
    recent.images[recent.next].swap(image);
    recent.next = (recent.next + 1) % recent.images.size();
  }
  // What was pushed out is unloaded here, outside the lock.
}

}  // namespace kiln
