// Cache keys: the digest of labelled, length-framed fields, so that no two requests share a key by accident.
#pragma once

#include "base/digest.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Builds the canonical bytes of a key. Field order matters and is the caller's. Not to be shared between threads.
class KeyBuilder {
 public:
  /// One field: label and bytes, each behind its 8-byte length.
  KeyBuilder& add(std::string_view label, std::string_view bytes);
  /// A list: label, count, then each item behind its length. Order is significant.
  KeyBuilder& add(std::string_view label, const std::vector<std::string>& items);

  /// The canonical bytes so far: equal for equal requests, and only for them.
  const std::string& bytes() const noexcept { return bytes_; }
  Digest digest() const { return sha256(bytes_); }

 private:
  std::string bytes_;
};

/// A part of a request in a form that can be compared and shown; a long text is replaced by "sha256:<hex>".
struct KeyField {
  std::string label;
  std::vector<std::string> items;
  bool is_list = false;
};

}  // namespace kiln
