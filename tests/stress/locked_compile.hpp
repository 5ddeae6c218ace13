// What a process does that wants code, over a compiler whose results are told from any wrong ones.
#pragma once

#include "cache/store.hpp"
#include "cache/turn.hpp"
#include "store_fixture.hpp"

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

/// The way that kiln::compile goes: find, take the turn, find again, compile, keep.
template <class Compiler>
std::string locked_compile(CacheStore& store, FileSystem& files, const Source& source, Compiler compiler) {
  const auto serve = [&](const std::optional<CacheStore::Hit>& hit) {
    store.count(Counter::hits);
    return code_of(hit);
  };
  if (const auto hit = store.find(source.request, source.includes, source.roots)) return serve(hit);
  Turn turn(files);
  if (const auto hit = store.take_turn(source.request, source.includes, source.roots, turn)) return serve(hit);
  store.count(Counter::misses);
  std::string code;
  try {
    code = compiler();
  } catch (...) {
    store.give_up(source.request, turn);
    throw;
  }
  store.count(Counter::compiles);
  store.put(source.request, source.includes, source.dependencies, source.roots, code_sections(code));
  return code;
}

/// With a compiler that makes the right code.
inline std::string locked_compile(CacheStore& store, FileSystem& files, const Source& source) {
  return locked_compile(store, files, source, [&] { return right_code(source.request); });
}

/// The fixture's source, with its header and its package.
inline Source including_source(StoreFixture& f) { return {f.request, true, f.dependencies(), f.roots}; }

/// Sources without includes.
inline Source plain_source(int number) { return {CacheKey("plain " + std::to_string(number)), false, {}, {}}; }

inline std::string find_code(CacheStore& store, const Source& source) {
  return code_of(store.find(source.request, source.includes, source.roots));
}

}  // namespace kiln::test
