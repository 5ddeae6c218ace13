// Code whose key is all that it is made of: linked code, and code of LLVM IR. It depends on no headers.
#pragma once

#include "base/stop.hpp"
#include "cache/dependencies.hpp"
#include "compile/code/code_data.hpp"
#include "compile/store/call_timing.hpp"
#include "compile/store/code_cache.hpp"
#include "compile/store/not_cached.hpp"

#include <kiln/compile_options.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// What is to be made, and how. Equal keys make equal code, on all machines.
struct KeyedWork {
  std::string name;                               // in logs and `kiln cache list`
  std::string maker;                              // the identity of the library that makes it; part of the key too
  std::string key;                                // a KeyBuilder's bytes
  std::vector<FileDependency> option_files = {};  // whose content is in the key; looked at again after `make`
  /// Part of the key in this process's memory alone: what `finish` depends on.
  std::string variant = {};
  /// Sets what the code needs and an entry does not have, in code that was found and in code that was made.
  std::function<void(CodeData&)> finish = {};
  Stop stop = {};
  /// As CachedCompile has it: set where nothing may be made.
  std::optional<WantedCode> wanted_from_cache = {};
  CallTiming* timing = nullptr;  // as CachedCompile has it
  std::function<std::shared_ptr<CodeData>()> make;
};

/// Whether code is looked up and kept at all.
bool is_cacheable(const CompileOptions& options);

// Below, `caching` is null where code is neither looked up nor kept: then a KeyedWork needs no key.

/// Finds the code in memory or on disk, or makes it: once for all threads and processes that ask for it at one time.
/// Throws what `make` throws, and CompileStopped; then nothing is kept. Thread-safe.
CodeObject find_or_make(const KeyedWork& work, const CacheOptions* caching);

/// Only what is in memory or on disk. Counts no miss.
std::optional<CodeObject> find_made(const KeyedWork& work, const CacheOptions* caching,
                                    Counting counting = Counting::on);

/// Only what is in that cache, whatever is in memory.
std::optional<CodeObject> find_made_in(CodeCache& cache, const KeyedWork& work, const CacheOptions& caching);

/// The same for another machine; what another machine made of work of the same key.
std::optional<PortableCode> find_portable(const KeyedWork& work, const CacheOptions& caching);
std::optional<CodeObject> accept_made(const KeyedWork& work, const CacheOptions& caching, PortableCode code,
                                      bool from_cache);

/// The makers of the code in these caches, for machines without the library: each a value for KeyedWork::maker.
std::vector<std::string> makers_in_caches(const CacheOptions* caching);

}  // namespace kiln
