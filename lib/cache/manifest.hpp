// A manifest: what one request depended on, each time it was compiled, and the code entry that was made.
//
//   section "items"     u32 count, then each item after its u32 length:
//                       u8 kind (1 file, 2 folder, 3 absent, 4 absolute path, 5 obstacle) | u32 root + 1 | u32 path
//                       length | path | file, folder: u64 device, inode, size, mtime in ns, ctime in ns, u8 1 where
//                       these are reliable, 0 where the content is compared each time | file: digest of the content |
//                       obstacle: u8 1 folder, 2 other, 3 unreadable
//   section "variants"  u32 count, then, newest first:
//                       key of the code entry, 32 bytes | key of the header lists, 32 bytes, zero where there are none
//                       | u32 count of items | u32 index of each | u32 count of devices
//                       | for each device: u32 count | u64 numbers, newest first
//
// An item has the index of its device among the variant's devices, not its number, which differs between hosts and
// containers that share the files: a variant keeps the numbers of all that compared contents.
//
// Variants share items, so that a hundred edits of one header do not write a hundred lists of all the others. The
// headers of a toolkit's folders, 610 for a source that includes CUB, are in a file of their own, named by the digest
// of its content, because a look-up needs them only where a folder differs:
//
//   section "headers"   for each folder, in order: u32 count, then each header: u32 name length | name | digest
#pragma once

#include "cache/dependencies.hpp"
#include "cache/entry.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

class Manifest {
 public:
  /// More are dropped, oldest first. (The newest stays, whatever its size.)
  static constexpr std::size_t max_variants = 100;
  static constexpr std::size_t max_items = 10'000;
  /// Variants of one key: the states of equal headers in several checkouts of one tree, and on hosts that each have a
  /// toolkit of their own.
  static constexpr std::size_t max_states = 64;
  /// Numbers of one device: hosts, and starts of containers.
  static constexpr std::size_t max_device_numbers = 128;

  /// Nothing where the sections are malformed.
  static std::optional<Manifest> decode(const Sections& sections);
  Sections encode() const;

  std::size_t size() const noexcept { return variants_.size(); }
  /// The code entry of a variant, counted from the newest; so below.
  const Digest& key(std::size_t variant) const { return variants_[variant].key; }
  const Digest& header_lists(std::size_t variant) const { return variants_[variant].header_lists; }
  /// Without the folders' headers where it has some. Nothing where an item is malformed.
  std::optional<Dependencies> dependencies(std::size_t variant) const;

  /// Puts a variant before all others. Of the others of its key the oldest goes where they are too many. False where
  /// that very variant stands there already.
  bool add(const Digest& key, const Digest& header_lists, const Dependencies& dependencies);
  /// The same, replacing a variant of the same contents with older states. False where the states are equal.
  bool renew(std::size_t variant, const Dependencies& dependencies);
  /// Whether further states of that key, or numbers of its devices, would replace earlier ones.
  bool is_full(const Digest& key) const;
  /// For a manifest from another machine: alters all states so that they equal none, and the next look-up compares
  /// contents.
  void distrust_states();

 private:
  struct Variant {
    Digest key;
    Digest header_lists;
    std::vector<std::uint32_t> items;
    std::vector<DeviceNumbers> devices;
    bool operator==(const Variant&) const = default;
  };
  Variant make_variant(const Digest& key, const Digest& header_lists, const Dependencies& dependencies);
  std::vector<std::string> items_;
  std::vector<Variant> variants_;
};

/// The name of the code that a request, in canonical bytes, gives with these dependencies: equal contents, equal name,
/// whatever the states.
Digest code_key(std::string_view request, const Dependencies& dependencies);

}  // namespace kiln
