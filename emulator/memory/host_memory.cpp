#include "emulator/memory/host_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace kiln::emulator {

std::uint64_t host_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  std::uint64_t bytes = std::uint64_t{1} << 30;
  if (pages > 0 && page_bytes > 0) bytes = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream limit(file);
    if (std::uint64_t value = 0; limit >> value && value != 0) bytes = std::min(bytes, value);  // "max" is no number
  }
  return bytes;
}

}  // namespace kiln::emulator
