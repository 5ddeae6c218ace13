// A record of wisdom as a line of JSON.
#pragma once

#include <kiln/wisdom.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// With its end.
std::string wisdom_line(const WisdomRecord& record);

/// The records of a text, and how many of its lines are none.
struct WisdomLines {
  std::vector<WisdomRecord> records;
  std::size_t skipped = 0;
  std::vector<std::size_t> skipped_lines;  // the first of them, counted from 1
  /// "2 (lines 3, 7)".
  std::string skipped_text() const;
};
WisdomLines read_wisdom(std::string_view text);

}  // namespace kiln
