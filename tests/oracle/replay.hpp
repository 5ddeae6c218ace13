// Replays a scenario: changes the tree step by step, and compares what the cache serves with what a compile makes.
#pragma once

#include "scenario.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace kiln::oracle {

/// How a scenario was served, so that an oracle that never sees the cache at work is noticed.
struct Tally {
  std::size_t asked = 0;
  std::size_t from_cache = 0;
  std::size_t failed = 0;       // compiles
  std::size_t precompiled = 0;  // compiles that used a precompiled header
};

/// What the cache served though a compile gives something else.
struct Difference {
  std::size_t step = 0;
  std::string served_by;  // "disk" or another part of the cache
  std::string served;
  std::string fresh;  // empty where the compile fails
};

/// In folders of its own; with a cache of its own, unless one is named, which others may use at the same time.
std::optional<Difference> replay(const Scenario& scenario, Tally& tally, const std::filesystem::path& cache = {});

}  // namespace kiln::oracle
