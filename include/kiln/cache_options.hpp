// CacheOptions: where compiled and linked code is kept, and where it is looked for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kiln {

/// The cache folders of one compile or link: CompileOptions::caching and LinkOptions::caching. Whether they are used at
/// all is the member `cache` beside it. An aggregate, a plain value: C++20 writes {.dir = "/scratch/kiln"}, C++17
/// {"/scratch/kiln"}.
struct CacheOptions {
  /// The cache folder. Empty: KILN_CACHE_DIR, PYCUDA_CACHE_DIR, $XDG_CACHE_HOME/kiln, $HOME/.cache/kiln. Counterpart:
  /// PyCUDA's cache_dir.
  std::filesystem::path dir = {};
  /// Cache folders that are searched after `dir` and before compiling, and never changed: a login node's, or one in a
  /// container image. After those of KILN_CACHE_READ_ONLY_DIRS.
  std::vector<std::filesystem::path> read_only_dirs = {};
  /// Whose entries in read_only_dirs may be executed, beside one's own and root's: user names or numbers. Beside those
  /// of KILN_CACHE_TRUSTED_OWNERS. A name that this system does not know is an ArgumentError here, and left out there.
  std::vector<std::string> trusted_owners = {};
  /// Whose signatures are believed: in read_only_dirs in place of ownership, and of what `remote` brings. Files of
  /// Ed25519 public keys (PEM), or folders of files *.pub, beside those of KILN_CACHE_PUBLIC_KEYS; read once a process.
  /// For read_only_dirs one that cannot be read, is no such key, or that other users may write, is an Error here, and
  /// left out there. docs/cache.md says what to trust.
  std::vector<std::filesystem::path> public_keys = {};
  /// Caches on other machines, asked after `dir` and read_only_dirs and before compiling, in order: addresses such as
  /// "redis://host:6379" or "https://host/path", separated by blanks, each with its properties after it. Empty:
  /// KILN_CACHE_REMOTE. docs/remote-cache.md has the spelling, and what must be trusted. What makes no sense is an
  /// ArgumentError here, and warned of there; a remote that cannot be reached is never an error.
  std::string remote = {};
  /// Looks at every toolkit header at each look-up, where otherwise only the folders that hold them are looked at.
  /// Links and LLVM IR have no headers.
  bool strict_headers = false;
  /// A request that would have to be compiled or linked throws NotCached instead, which says why it is not in the cache
  /// and how to fill it; no compiler and no linker is started. For jobs of many nodes, which should find what a login
  /// node compiled. KILN_REQUIRE_CACHED=1 does it for all requests of a process.
  bool require_hit = false;
  /// What is stored outlasts a loss of power: files, and the folders that they are in, are synced to the disk before
  /// the code is returned. For a cache on a file system that nodes share, or one that is filled once; a store then
  /// takes some milliseconds. Otherwise what a loss of power damages is compiled again.
  bool durable = false;
};

}  // namespace kiln
