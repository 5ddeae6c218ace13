// What NVRTC says of precompiled headers in its log.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

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
