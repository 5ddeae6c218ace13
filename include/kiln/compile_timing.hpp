// CompileTiming: where the time of a compile went.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// What a header that the source itself includes took, with all that it includes in turn.
struct HeaderTime {
  std::string name;                  ///< its path, as the compiler found it; of an in-memory header its name
  std::chrono::microseconds time{};  ///< of the front end
};

/// What CodeObject::timing() returns. A plain value. A time that the compiler does not report is empty:
/// docs/compile-time.md says which compiler reports what.
struct CompileTiming {
  /// Until the code was found or the compile began: the options, memory, the cache's folders, and the wait for another
  /// thread or process that compiled the same.
  std::chrono::microseconds look_up{};
  /// The compile as the program waits for it: kiln-worker, every attempt of the compiler, and finding out what the code
  /// depends on. Empty for code from the cache, as are all that follow.
  std::optional<std::chrono::microseconds> compile = {};
  /// The compiler's front end: parsing and templates, the headers included; with nvcc the host compiler's preprocessor,
  /// too. nvcc's phases are those of a second compile, which may be slower, and whose programs may run side by side:
  /// together they may be longer than `compile`.
  std::optional<std::chrono::microseconds> front_end = {};
  /// The front end's part for headers, parsed without a precompiled one.
  std::optional<std::chrono::microseconds> headers = {};
  std::optional<std::chrono::microseconds> optimizer = {};  ///< from the front end's output to PTX
  std::optional<std::chrono::microseconds> ptxas = {};      ///< from PTX to machine code
  /// After the compile: writing the entry, and evicting others. Empty where the code is not stored on disk.
  std::optional<std::chrono::microseconds> store = {};
  /// The slowest of the headers that the source itself includes, slowest first, at most ten.
  std::vector<HeaderTime> slowest_headers = {};
  bool precompiled_header = false;  ///< whether the compile used a precompiled header
};

}  // namespace kiln
