// Cache keys: labelled, length-framed fields, so that no two requests have the same bytes.
#pragma once

#include "base/digest.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

/// What a file of the cache is looked for by. The file contains the request too, and a look-up compares it. Copies are
/// independent.
struct CacheKey {
  CacheKey() = default;
  explicit CacheKey(std::string canonical) : request(std::move(canonical)), name(digest_of(request)) {}

  std::string request;  // canonical bytes
  Digest name;
};

/// Builds the canonical bytes of a key. Field order matters and is the caller's. Not to be shared between threads.
class KeyBuilder {
 public:
  KeyBuilder() = default;
  /// Reserves memory for about so many bytes.
  explicit KeyBuilder(std::size_t expected) { bytes_.reserve(expected); }

  /// One field: label and bytes, each after its 8-byte length.
  KeyBuilder& add(std::string_view label, std::string_view bytes);
  /// A list: label, count, then each item after its length. Order is significant.
  KeyBuilder& add(std::string_view label, const std::vector<std::string>& items);

  /// The canonical bytes so far: equal for equal requests, and only for them.
  const std::string& bytes() const noexcept { return bytes_; }
  std::string take() && { return std::move(bytes_); }
  Digest digest() const { return digest_of(bytes_); }

 private:
  std::string bytes_;
};

struct KeyField {
  std::string label;
  std::vector<std::string> items;  // one where it is no list
  bool is_list = false;
  bool operator==(const KeyField&) const = default;
};

/// The fields of canonical bytes, for explanations. Texts beyond so many bytes stand there as "sha256:<hex>".
std::vector<KeyField> key_fields(std::string_view bytes, std::size_t longest = 200);

}  // namespace kiln
