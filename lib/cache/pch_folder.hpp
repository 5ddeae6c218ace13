// What a person does with a cache folder, done with the precompiled headers that belong to it. (How they are made and
// used is the business of kiln-worker.)
#pragma once

#include <kiln/cache.hpp>

#include <string>

namespace kiln {

// Of the folder that pch_location() gives for that cache folder; nothing where it is not there, or not to be trusted.

/// CacheStats' members that begin with `pch_`.
void add_pch_stats(const std::string& cache_folder, CacheStats& stats);
/// Throws Error where the counters cannot be written.
void reset_pch_stats(const std::string& cache_folder);
/// Adds what Cache::verify finds there.
void verify_pch(const std::string& cache_folder, CacheCheck& check);
/// Removes all of them. Throws Error where one cannot be removed, after it has removed the others.
void clear_pch(const std::string& cache_folder);
/// Removes those that were used longest ago, down to their own limit.
void prune_pch(const std::string& cache_folder);

}  // namespace kiln
