// What the command line asks for.
#pragma once

#include <kiln/compile_options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace kiln::oracle {

struct Choice {
  Backend backend = Backend::nvrtc;
  std::uint64_t seed = 1;  // of the first story; the next ones count on
  std::size_t stories = 10;
  std::size_t steps = 15;
  std::size_t seconds = 0;  // as many stories as they allow
  std::size_t jobs = 1;     // processes
  bool all = false;         // what makes the known holes, too
  bool shares = false;      // one cache for all stories
};

/// Nothing, and a word on the standard error stream, where the words make no sense.
std::optional<Choice> read_choice(int count, const char* const* words);

}  // namespace kiln::oracle
