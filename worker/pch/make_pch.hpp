// Makes one precompiled header.
#pragma once

#include "worker/pch/pch_maker.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// Whether its folder can be written and has room, and nobody makes it at present, as far as a look at the lock tells.
bool can_be_made(const PchOrder& order);

/// Has NVRTC make it, and publishes it with the record of what that asked for; or, where it is not worth a file, a
/// record that says why. Nothing where another process makes or has made it, or where it is not known what it depends
/// on. In a process of its own, as the recording of another compile must not go on in this one. May throw.
void make_pch(const PchOrder& order);

/// Takes out the first line with these words; whether there was one.
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
