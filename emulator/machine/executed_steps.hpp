// Which steps threads execute, for the report of a launch that exceeds the time limit.
#pragma once

#include "emulator/machine/code.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace kiln::emulator {

class ExecutedSteps {
 public:
  void add(const Code& code, std::uint32_t step, unsigned threads) { counts_[{&code, step}] += threads; }
  /// The source lines (without them, PTX lines) that the threads executed most, one in each line of the text, each line
  /// begun by a line break; empty if none was counted.
  std::string most_executed() const;

 private:
  std::map<std::pair<const Code*, std::uint32_t>, std::uint64_t> counts_;
};

}  // namespace kiln::emulator
