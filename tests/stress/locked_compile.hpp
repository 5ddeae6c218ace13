// What a process does that needs code, with a compiler whose results differ from any wrong ones.
#pragma once

#include "cache/compile_lock.hpp"
#include "store_fixture.hpp"

#include <chrono>
#include <cstddef>
#include <string>

namespace kiln::test {

/// Something to compile. Without `includes` it depends on nothing.
struct Source {
  CacheKey request;
  bool includes = false;
  Dependencies dependencies;
  Roots roots;
};

/// What compiling the request gives, of some size: no other request gives a part of it.
inline std::string right_code(const CacheKey& request, std::size_t size = 700) {
  std::string code;
  for (int block = 0; code.size() < size; ++block) code += digest_of(request.name.hex() + std::to_string(block)).hex();
  code.resize(size);
  return code;
}

/// As kiln::compile does: find, lock, find again, compile, store.
template <class Compiler>
std::string locked_compile(CacheStore& store, const Source& source, Compiler compiler,
                           std::chrono::milliseconds timeout = CompileLock::default_timeout) {
  const auto count = [&](Counter counter) {
    store.folder().count(counter);
    store.folder().write_counts();
  };
  const auto serve = [&](const std::optional<CacheStore::Hit>& hit) {
    count(Counter::hits);
    return code_of(hit);
  };
  if (const auto hit = store.find(source.request, source.includes, source.roots)) return serve(hit);
  CompileLock lock(&store);
  if (const auto hit = lock.lock(source.request, source.includes, source.roots, {}, timeout)) return serve(hit);
  count(Counter::misses);
  std::string code = compiler();
  count(Counter::compiles);
  bool stored = false;
  store.put(source.request, source.includes, source.dependencies, code_sections(code), &stored);
  if (stored) lock.release();
  return code;
}

/// With a compiler that makes the right code.
inline std::string locked_compile(CacheStore& store, const Source& source) {
  return locked_compile(store, source, [&] { return right_code(source.request); });
}

/// The fixture's source, with its header and its package.
inline Source including_source(StoreFixture& f) { return {f.request, true, f.dependencies(), f.roots}; }

/// Sources without includes.
inline Source plain_source(int number) { return {CacheKey("plain " + std::to_string(number)), false, {}, {}}; }

inline std::string find_code(CacheStore& store, const Source& source) {
  return code_of(store.find(source.request, source.includes, source.roots));
}

}  // namespace kiln::test
