// What a source was compiled with before, to explain why a look-up missed.
//
// One cache file for each source name, of kind history, named by the digest of "history" and the name:
//
//   section "requests"  u32 count, then, newest first: u32 count of fields, then each field:
//                       u8 1 for a list, else 0 | u32 label length | label | u32 count of items
//                       | each item: u32 length | bytes
//
// Nothing depends on it: a malformed file counts as empty, and of two processes that write at once one loses.
#pragma once

#include "cache/entry.hpp"
#include "cache/key.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// A plain value: copies are independent.
class History {
 public:
  using Request = std::vector<KeyField>;
  static constexpr std::size_t max_requests = 32;
  /// Of one request, encoded. A larger one is not stored.
  static constexpr std::size_t max_request_size = 16384;

  /// The name of the file.
  static CacheKey key(const std::string& name);
  /// Empty where the sections are malformed.
  static History decode(const Sections& sections);
  Sections encode() const;

  /// Puts a request before all others; an equal one is stored once. False where nothing changed.
  bool add(const Request& request);
  /// The request with the most fields equal to this one's, of these the one with the most equal items, of these the
  /// newest.
  std::optional<Request> nearest(const Request& request) const;

 private:
  std::vector<Request> requests_;
};

}  // namespace kiln
