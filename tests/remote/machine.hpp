// A machine of a cluster, as the tests of remote caches play it: a cache folder of its own.
#pragma once

#include "compile/remote/remote_calls.hpp"

#include "old_file.hpp"
#include "redis_server.hpp"
#include "scratch_folder.hpp"

#include <kiln/cache.hpp>
#include <kiln/compile.hpp>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace kiln::test {

inline std::string kernel(int number) {
  return "extern \"C\" __global__ void k(int* p) { *p = " + std::to_string(number) + "; }\n";
}

inline void write_header(const std::filesystem::path& file, const std::string& text) {
  write_file(file, text);
  wait_until_old(file);
}

/// A cache folder, and the remote.
struct Machine {
  explicit Machine(std::string remote_cache) : remote(std::move(remote_cache)) {}

  CompileOptions options(const std::vector<std::filesystem::path>& include_dirs = {}) const {
    CompileOptions options;
    options.arch = "sm_80";
    options.include_dirs = include_dirs;
    options.caching.dir = folder.path();
    options.caching.remote = remote;
    return options;
  }
  CodeObject compile(const std::string& source, const std::vector<std::filesystem::path>& include_dirs = {}) const {
    return kiln::compile(source, options(include_dirs));
  }
  CacheStats stats() const { return Cache(folder.path()).stats(); }
  RemoteCacheStats remote_stats() const {
    const auto all = stats().remotes;
    return all.empty() ? RemoteCacheStats() : all.front();
  }
  bool is_clean() const { return Cache(folder.path()).verify().damaged.empty(); }

  ScratchFolder folder;
  std::string remote;
};

/// Asked with patience, however busy this machine is: all cases are one process, with one budget.
inline std::string patient(const std::string& address) {
  RemoteBudget::get().allow(std::chrono::minutes(10));
  return address + " request-timeout=60s connect-timeout=60s";
}
inline std::string address_of(const RedisServer& server) { return patient(server.address()); }
inline std::string unsigned_at(const RedisServer& server) { return address_of(server) + " @unsigned"; }

/// How many keys the server has of that pattern.
inline std::string key_count(RedisServer& server, const std::string& pattern) {
  return server.command({"EVAL", "return #redis.call('keys', ARGV[1])", "0", pattern});
}

/// The keys of values, and not of the claims to them, which may be there a little longer.
inline std::string value_pattern(const std::string& kind) { return "kiln:" + std::string(64, '?') + "." + kind; }

/// The key of the server's first value of that kind; empty if it has none.
inline std::string value_key(RedisServer& server, const std::string& kind) {
  return server.command({"EVAL", "return redis.call('keys', ARGV[1])[1] or ''", "0", value_pattern(kind)});
}

/// Returns when the server has so many values.
inline void wait_for_puts(RedisServer& server, int values) {
  while (key_count(server, value_pattern("*")) != std::to_string(values)) std::this_thread::yield();
}

/// Returns when nobody says any longer that it compiles: a value is put before its claim is given up.
inline void wait_for_no_claims(RedisServer& server) {
  while (key_count(server, "kiln:~claim:*") != "0") std::this_thread::yield();
}

}  // namespace kiln::test
