// Code whose key is all that it is made of: linked code, and that of LLVM IR. No header is looked at.
#pragma once

#include "base/stop.hpp"
#include "cache/dependencies.hpp"
#include "compile/code/code_data.hpp"

#include <kiln/compile_options.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// What is to be made, and how. Two works of equal key are the same, on all machines.
struct KeyedWork {
  std::string name;                               // in logs and `kiln cache list`
  std::string maker;                              // the identity of the library that makes it; part of the key too
  std::string key;                                // a KeyBuilder's bytes
  std::vector<FileDependency> option_files = {};  // whose content is in the key; looked at again after `make`
  /// Part of the key in this process's memory alone: what `finish` depends on.
  std::string variant = {};
  /// What the code needs that an entry does not tell, done before anybody has it, found or made.
  std::function<void(CodeData&)> finish = {};
  Stop stop = {};
  std::function<std::shared_ptr<CodeData>()> make;
};

/// Finds the code in memory or on disk, or makes it: once for all threads and processes that ask for it at one time.
/// Of `caching` the members count that say where code is kept, and whether. Throws what `make` throws, and
/// CompileStopped; then nothing is kept. Thread-safe.
CodeObject find_or_make(const KeyedWork& work, const CompileOptions& caching);

/// Whether code is kept and looked for at all; where it is not, a work needs no key.
bool keeps_code(const CompileOptions& caching);

/// Only what is in memory or on disk. Counts no miss.
std::optional<CodeObject> find_made(const KeyedWork& work, const CompileOptions& caching);

/// Who made the code in these caches, for machines that lack the library: each a value for KeyedWork::maker.
std::vector<std::string> makers_in_caches(const CompileOptions& caching);

}  // namespace kiln
