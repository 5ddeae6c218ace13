// Values as bytes: for the messages between this process and its workers, for other processes of the same build, and
// for the members of saved code. An aggregate is its members in order (base/members.hpp), less those that say nothing
// elsewhere. Both ends are of one build, so the bytes hold no types and no versions.
#pragma once

#include "base/members.hpp"
#include "cache/byte_io.hpp"

#include <array>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

/// The largest value of an enumeration that goes over the wire.
template <class Enum>
inline constexpr Enum last_of = Enum{};

/// Whether members of this type are of this process alone: pointers and views, callbacks.
template <class Member>
inline constexpr bool stays_here = std::is_pointer_v<Member> || std::same_as<Member, std::string_view>;
template <class Call>
inline constexpr bool stays_here<std::function<Call>> = true;

template <class Time>
concept WireDuration = requires {
  typename Time::period;
};
/// What has a function wire(archive, value) of its own, in each direction: a class that is no aggregate, or must not be
/// taken as its members.
template <class Archive, class Value>
concept HasWire = requires(Archive& archive, Value& value) {
  wire(archive, value);
};

/// What a number or an enumeration is as bytes.
template <class Value>
using WireNumber = std::conditional_t<sizeof(Value) == 1, std::uint8_t, std::uint64_t>;

class WireWriter {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  void put(const std::string& text) { put(std::string_view(text)); }
  void put(std::string_view text) {
    put(text.size());
    bytes_ += text;
  }
  template <class Value>
  requires std::integral<Value> || std::is_enum_v<Value>
  void put(Value value) { append_integer(bytes_, static_cast<WireNumber<Value>>(value)); }
  template <class Item>
  requires(!HasWire<WireWriter, const std::optional<Item>>) void put(const std::optional<Item>& item) {
    put(item.has_value());
    if (item) put(*item);
  }
  template <class First, class Second>
  void put(const std::pair<First, Second>& pair) {
    put(pair.first);
    put(pair.second);
  }
  template <class Item>
  void put(const std::vector<Item>& items) {
    put_all(items);
  }
  template <class Item>
  void put(const std::set<Item>& items) {
    put_all(items);
  }
  template <class Key, class Item>
  void put(const std::map<Key, Item>& items) {
    put_all(items);
  }
  template <class Items>
  void put_all(const Items& items) {
    put(items.size());
    for (const auto& item : items) put(item);
  }
  template <class Item, std::size_t count>
  void put(const std::array<Item, count>& items) {
    for (const Item& item : items) put(item);
  }
  /// Never null.
  template <class Item>
  void put(const std::shared_ptr<const Item>& item) {
    put(*item);
  }
  void put(const std::filesystem::path& path) { put(std::string_view(path.native())); }
  template <WireDuration Time>
  void put(const Time& time) {
    put(std::int64_t{time.count()});
  }
  template <class Struct>
  requires HasWire<WireWriter, const Struct>
  void put(const Struct& value) { wire(*this, value); }
  template <class Struct>
  requires(std::is_aggregate_v<Struct> && !HasWire<WireWriter, const Struct>) void put(const Struct& value) {
    with_members(value, [&](const auto&... members) { (put_member(members), ...); });
  }
  template <class Member>
  void put_member(const Member& member) {
    if constexpr (!stays_here<Member>) put(member);
  }

  std::string bytes_;
};

/// Fills values in. Of bytes that do not fit it makes some values; is_whole() then says so.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : bytes_(bytes) {}

  template <class... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }
  /// Bytes were missing: what was read since is nothing.
  bool failed() const noexcept { return bytes_.failed(); }
  /// There is nothing more to read, or nothing that can be.
  bool is_at_end() const noexcept { return bytes_.failed() || bytes_.left() == 0; }
  /// All bytes were read, and all fitted.
  bool is_whole() const noexcept { return known_ && bytes_.finished(); }

 private:
  std::uint64_t size() { return bytes_.integer<std::uint64_t>(); }

  void get(std::string& text) { text = bytes_.bytes(size()); }
  void get(bool& value) { value = limited<bool>(1) != 0; }
  template <class Integer>
  requires std::integral<Integer>
  void get(Integer& value) { value = static_cast<Integer>(bytes_.integer<WireNumber<Integer>>()); }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void get(Enum& value) {
    static_assert(last_of<Enum> != Enum{}, "last_of says where the enumeration ends");
    value = static_cast<Enum>(limited<Enum>(static_cast<std::uint64_t>(last_of<Enum>)));
  }
  template <class Item>
  requires(!HasWire<WireReader, std::optional<Item>>) void get(std::optional<Item>& item) {
    if (limited<bool>(1) != 0) get(item.emplace());
  }
  template <class First, class Second>
  void get(std::pair<First, Second>& pair) {
    get(pair.first);
    get(pair.second);
  }
  // A count that is too large ends with the bytes: each item takes some.
  template <class Item>
  requires(!HasWire<WireReader, std::vector<Item>>) void get(std::vector<Item>& items) {
    for (auto count = size(); count != 0 && !bytes_.failed(); --count) get(items.emplace_back());
  }
  template <class Item>
  void get(std::set<Item>& items) {
    for (auto count = size(); count != 0 && !bytes_.failed(); --count) {
      Item item;
      get(item);
      items.insert(std::move(item));
    }
  }
  template <class Key, class Item>
  void get(std::map<Key, Item>& items) {
    for (auto count = size(); count != 0 && !bytes_.failed(); --count) {
      Key key;
      get(key);
      get(items[std::move(key)]);
    }
  }
  template <class Item, std::size_t count>
  void get(std::array<Item, count>& items) {
    for (Item& item : items) get(item);
  }
  template <class Item>
  void get(std::shared_ptr<const Item>& item) {
    auto made = std::make_shared<Item>();
    get(*made);
    item = std::move(made);
  }
  void get(std::filesystem::path& path) {
    std::string text;
    get(text);
    path = std::move(text);
  }
  template <WireDuration Time>
  void get(Time& time) {
    std::int64_t count = 0;
    get(count);
    time = Time(count);
  }
  template <class Struct>
  requires HasWire<WireReader, Struct>
  void get(Struct& value) { wire(*this, value); }
  template <class Struct>
  requires(std::is_aggregate_v<Struct> && !HasWire<WireReader, Struct>) void get(Struct& value) {
    with_members(value, [&](auto&... members) { (get_member(members), ...); });
  }
  template <class Member>
  void get_member(Member& member) {
    if constexpr (!stays_here<Member>) get(member);
  }

  template <class Value>
  std::uint64_t limited(std::uint64_t last) {
    const std::uint64_t value = bytes_.integer<WireNumber<Value>>();
    if (value > last) known_ = false;
    return value > last ? 0 : value;
  }

  ByteReader bytes_;
  bool known_ = true;
};

}  // namespace kiln
