// A hash table from names to values. Small scopes are searched linearly.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln::emulator::ptx {

/// A name with its hash, computed once for the look-up in all scopes.
struct HashedName {
  // NOLINTNEXTLINE: a name is wanted wherever one of these is.
  HashedName(std::string_view name) : text(name), hash(hash_of(name)) {}

  std::string_view text;
  std::uint32_t hash;

 private:
  static std::uint32_t hash_of(std::string_view name) {
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15u;
    std::uint64_t state = name.size() * factor;
    while (!name.empty()) {
      const std::size_t size = name.size() < 8 ? name.size() : 8;
      std::uint64_t word = 0;
      std::memcpy(&word, name.data(), size);
      state = (state ^ word) * factor;
      state ^= state >> 29;
      name.remove_prefix(size);
    }
    return static_cast<std::uint32_t>(state >> 32);
  }
};

template <class Value>
class NameTable {
 public:
  /// Valid until the next add().
  Value* find(const HashedName& name) {
    if (slots_.empty()) {
      for (Entry& each : entries_)
        if (each.hash == name.hash && each.name == name.text) return &each.value;
      return nullptr;
    }
    for (std::size_t slot = name.hash;; ++slot) {
      const std::uint32_t index = slots_[slot & (slots_.size() - 1)];
      if (index == 0) return nullptr;
      Entry& entry = entries_[index - 1];
      if (entry.hash == name.hash && entry.name == name.text) return &entry.value;
    }
  }
  /// The name must be new.
  Value* add(const HashedName& name, Value value) {
    entries_.push_back({name.text, name.hash, std::move(value)});
    if (entries_.size() * 2 > slots_.size() && entries_.size() > smallest)
      spread(entries_.size() * 4);
    else if (!slots_.empty())
      put(entries_.size());
    return &entries_.back().value;
  }
  void clear() {
    entries_.clear();
    slots_.clear();
  }
  bool empty() const { return entries_.empty(); }

 private:
  static constexpr std::size_t smallest = 8;

  struct Entry {
    std::string_view name;
    std::uint32_t hash;
    Value value;
  };

  void put(std::size_t number) {
    std::size_t slot = entries_[number - 1].hash;
    while (slots_[slot & (slots_.size() - 1)] != 0) ++slot;
    slots_[slot & (slots_.size() - 1)] = static_cast<std::uint32_t>(number);
  }
  void spread(std::size_t at_least) {
    std::size_t size = 4 * smallest;
    while (size < at_least) size *= 2;
    slots_.assign(size, 0);
    for (std::size_t number = 1; number <= entries_.size(); ++number) put(number);
  }

  std::vector<Entry> entries_;
  // Its size is a power of two, and at most half of the slots are used. 0, or the number of an entry.
  std::vector<std::uint32_t> slots_;
};

}  // namespace kiln::emulator::ptx
