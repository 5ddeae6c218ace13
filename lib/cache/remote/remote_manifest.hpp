// A manifest as remotes have it: with the header lists of its variants, so that one query fetches all that a machine
// needs to choose its variant.
#pragma once

#include "cache/dependencies.hpp"
#include "cache/entry.hpp"
#include "cache/key.hpp"
#include "cache/manifest.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

class RemoteManifest {
 public:
  explicit RemoteManifest(CacheKey request) : request_(std::move(request)) {}
  /// Nothing where the bytes are damaged, or of another request.
  static std::optional<RemoteManifest> decode(const CacheKey& request, std::string bytes);
  /// The same where only the request's name is known.
  static std::optional<RemoteManifest> decode(const Digest& name, std::string bytes);
  /// A file of the cache, with checksum and request. States of files, which mean nothing elsewhere, are altered.
  std::string encode() const;

  /// Puts a variant before all others.
  void add(const Digest& key, const Dependencies& dependencies);
  /// Puts the variants of another one after these, without repetition. Those beyond the limit are left out.
  void add_older(const RemoteManifest& other);
  /// The bytes of a newer one of the same request, with the variants of this one after its own.
  std::string with_newer(const std::string& bytes) const;
  const CacheKey& request() const noexcept { return request_; }
  std::size_t size() const noexcept { return manifest_.size(); }
  /// The code entry of a variant, counted from the newest, and what it depends on; nothing where that is malformed.
  const Digest& key(std::size_t variant) const { return manifest_.key(variant); }
  std::optional<Dependencies> dependencies(std::size_t variant) const;
  bool has(const Digest& key) const;
  /// The same as files of a cache folder: the manifest's sections, with the request, and header lists by their names.
  Sections in_folder() const;
  const std::map<Digest, std::string>& header_lists() const noexcept { return header_lists_; }

  struct Variant {
    Digest key;
    Dependencies dependencies;  // in their present states
  };
  /// The newest whose contents are all as they are on this machine now.
  std::optional<Variant> find(FileSystem& files, const Roots& roots) const;

 private:
  CacheKey request_;
  Manifest manifest_;
  std::map<Digest, std::string> header_lists_;
};

}  // namespace kiln
