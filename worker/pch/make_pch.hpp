// Makes one precompiled header.
#pragma once

#include "worker/pch/pch_maker.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// Whether its folder can be written and has free space, and no process makes it at present, by a look at the lock.
bool can_be_made(const PchOrder& order);

/// Has NVRTC make it, and publishes it with its metadata; or, where it is not worth a file, metadata that say why. Does
/// nothing where another process makes or has made it, or where its dependencies are not known. In a separate process,
/// as the file trace of another compile must not continue in this one. May throw.
void make_pch(const PchOrder& order);

/// Removes the first line with these words; whether there was one.
inline bool take_out_line(std::string& log, std::string_view words) {
  const std::size_t found = log.find(words);
  if (found == std::string::npos) return false;
  const std::size_t before = log.rfind('\n', found);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::size_t end = log.find('\n', found);
  log.erase(begin, end == std::string::npos ? end : end + 1 - begin);
  return true;
}

}  // namespace kiln
