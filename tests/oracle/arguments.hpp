// What the command line asks for.
#pragma once

#include <kiln/compile_options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace kiln::oracle {

struct Arguments {
  Backend backend = Backend::nvrtc;
  std::uint64_t seed = 1;  // of the first scenario; the next ones count on
  std::size_t scenarios = 10;
  std::size_t steps = 15;
  std::size_t seconds = 0;   // as many scenarios as they allow
  std::size_t jobs = 1;      // processes
  bool shares = false;       // one cache for all scenarios
  bool precompiles = false;  // every other request is a new source with the same headers
};

/// Nothing, and a message on the standard error stream, where an argument is not known.
std::optional<Arguments> read_arguments(int count, const char* const* words);

}  // namespace kiln::oracle
