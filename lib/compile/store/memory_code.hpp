// The tier in memory: code that this process made or read before, by request.
#pragma once

#include "base/stop.hpp"
#include "cache/cache_folder.hpp"
#include "cache/dependencies.hpp"
#include "compile/code/code_data.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace kiln {

/// The code of an equal request (request_identity), where every header still has the same state; null otherwise. Counts
/// a hit in the folder that it was kept with. Thread-safe.
std::shared_ptr<const CodeData> find_in_memory(const std::string& identity, Counting counting = Counting::on);

/// What is kept in memory of a request, in the states of when it was kept.
struct RememberedCode {
  std::shared_ptr<const CodeData> code;
  Dependencies dependencies;
  Roots roots;
};

/// Without a look at the headers, and without a count: for code that was found or made just before. Thread-safe.
std::optional<RememberedCode> remembered_code(const std::string& identity);

/// find_in_memory, or else what `compile` returns. One thread calls it; those that ask for the same at that time wait,
/// and take the code from memory. Where it is not there (it must not be kept, or has changed since) each of them calls
/// it too. Throws what `compile` throws, in all these threads; CompileStopped where `stop` is due.
CodeObject find_in_memory_or_compile(const std::string& identity, const std::string& name, const Stop& stop,
                                     const std::function<CodeObject()>& compile);

/// Keeps code for find_in_memory, with what it depends on, in its present states. `folder` is the user's own, whose
/// counters count its hits; null where there is none.
void store_in_memory(std::string identity, std::shared_ptr<const CodeData> code, Dependencies dependencies, Roots roots,
                     CacheFolder* folder);

/// Code of that entry is not found any more.
void forget_in_memory(const CacheStore& store, const Digest& key);
/// Likewise all code whose entry that store no longer has.
void forget_removed_in_memory(CacheStore& store);

}  // namespace kiln
