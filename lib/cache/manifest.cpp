#include "cache/manifest.hpp"

#include "cache/byte_io.hpp"
#include "cache/dependency_codec.hpp"
#include "cache/device_numbers.hpp"
#include "cache/key.hpp"

#include <algorithm>
#include <unordered_map>

namespace kiln {

namespace {

// Gives equal items one number, in the order of first use.
class ItemTable {
 public:
  std::uint32_t index(std::string_view item) {
    const auto [entry, added] = indices_.emplace(item, static_cast<std::uint32_t>(items_.size()));
    if (added) items_.push_back(item);
    return entry->second;
  }
  const std::vector<std::string_view>& items() const noexcept { return items_; }

 private:
  std::unordered_map<std::string_view, std::uint32_t> indices_;
  std::vector<std::string_view> items_;
};

// Every element costs at least `size` bytes, so a count that needs more than the rest is wrong, and allocates nothing.
std::optional<std::uint32_t> read_count(ByteReader& reader, std::size_t size) {
  const auto count = reader.integer<std::uint32_t>();
  if (reader.failed() || count > reader.left() / size) return std::nullopt;
  return count;
}

bool holds(const DeviceNumbers& numbers, std::uint64_t number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

void add_numbers(DeviceNumbers& to, const DeviceNumbers& from) {
  for (const std::uint64_t number : from)
    if (to.size() < Manifest::max_device_numbers && !holds(to, number)) to.push_back(number);
}

bool hold_all(const std::vector<DeviceNumbers>& all, const std::vector<DeviceNumbers>& some) {
  for (std::size_t i = 0; i < some.size(); ++i)
    for (const std::uint64_t number : some[i])
      if (!holds(all[i], number)) return false;
  return true;
}

std::optional<std::vector<DeviceNumbers>> read_devices(ByteReader& reader) {
  const auto count = read_count(reader, 4);
  if (!count) return std::nullopt;
  std::vector<DeviceNumbers> devices(*count);
  for (DeviceNumbers& numbers : devices) {
    const auto size = read_count(reader, 8);
    if (!size || *size > Manifest::max_device_numbers) return std::nullopt;
    for (std::uint32_t i = 0; i < *size; ++i) numbers.push_back(reader.integer<std::uint64_t>());
  }
  return devices;
}

/// The indices of the devices, as items have them.
DeviceNumbers device_indices_in(const Dependencies& dependencies) {
  DeviceNumbers indices;
  for (const FileDependency& file : dependencies.files) indices.push_back(file.status.device);
  for (const FolderDependency& folder : dependencies.folders) indices.push_back(folder.status.device);
  return indices;
}

}  // namespace

std::optional<Manifest> Manifest::decode(const Sections& sections) {
  const auto items = sections.find("items");
  const auto variants = sections.find("variants");
  if (!items || !variants) return std::nullopt;
  Manifest manifest;

  ByteReader item_reader(*items);
  const auto item_count = read_count(item_reader, 4);
  if (!item_count) return std::nullopt;
  manifest.items_.reserve(*item_count);
  for (std::uint32_t i = 0; i < *item_count; ++i) {
    const auto size = item_reader.integer<std::uint32_t>();
    manifest.items_.emplace_back(item_reader.bytes(size));
  }
  if (!item_reader.finished()) return std::nullopt;

  ByteReader reader(*variants);
  const auto variant_count = read_count(reader, 2 * sizeof(Digest) + 8);
  if (!variant_count || *variant_count > max_variants) return std::nullopt;
  for (std::uint32_t i = 0; i < *variant_count; ++i) {
    Variant variant;
    variant.key = reader.digest();
    variant.header_lists = reader.digest();
    const auto count = read_count(reader, 4);
    if (!count) return std::nullopt;
    variant.items.reserve(*count);
    for (std::uint32_t item = 0; item < *count; ++item) {
      variant.items.push_back(reader.integer<std::uint32_t>());
      if (variant.items.back() >= manifest.items_.size()) return std::nullopt;
    }
    auto devices = read_devices(reader);
    if (!devices) return std::nullopt;
    variant.devices = *std::move(devices);
    manifest.variants_.push_back(std::move(variant));
  }
  if (!reader.finished()) return std::nullopt;
  return manifest;
}

Sections Manifest::encode() const {
  ItemTable table;
  std::string body;
  std::uint32_t count = 0;
  for (const Variant& variant : variants_) {
    // Conservative: items that earlier variants have too are counted again.
    if (count == max_variants || (count > 0 && table.items().size() + variant.items.size() > max_items)) break;
    ++count;
    body.append(variant.key.view()).append(variant.header_lists.view());
    append_integer(body, static_cast<std::uint32_t>(variant.items.size()));
    for (std::uint32_t item : variant.items) append_integer(body, table.index(items_[item]));
    append_integer(body, static_cast<std::uint32_t>(variant.devices.size()));
    for (const DeviceNumbers& numbers : variant.devices) {
      append_integer(body, static_cast<std::uint32_t>(numbers.size()));
      for (const std::uint64_t number : numbers) append_integer(body, number);
    }
  }
  std::string items;
  append_integer(items, static_cast<std::uint32_t>(table.items().size()));
  for (std::string_view item : table.items()) {
    append_integer(items, static_cast<std::uint32_t>(item.size()));
    items.append(item);
  }
  std::string variants;
  append_integer(variants, count);
  variants.append(body);
  Sections sections;
  sections.add("items", items);
  sections.add("variants", variants);
  return sections;
}

std::optional<Dependencies> Manifest::dependencies(std::size_t index) const {
  const Variant& variant = variants_[index];
  Dependencies dependencies;
  for (std::uint32_t item : variant.items)
    if (!decode_item(items_[item], dependencies)) return std::nullopt;
  DeviceNumbers numbers;
  for (const DeviceNumbers& known : variant.devices) {
    numbers.push_back(known.empty() ? numbers.size() : known.front());
    dependencies.other_devices.emplace_back(known.begin() + (known.empty() ? 0 : 1), known.end());
  }
  if (!give_devices(dependencies, numbers)) return std::nullopt;
  dependencies.headers_known = variant.header_lists == Digest{};
  return dependencies;
}

Manifest::Variant Manifest::make_variant(const Digest& key, const Digest& header_lists,
                                         const Dependencies& dependencies) {
  Variant variant{key, header_lists, {}, {}};
  std::unordered_map<std::string, std::uint32_t> known;
  for (std::uint32_t i = 0; i < items_.size(); ++i) known.emplace(items_[i], i);
  for (const std::string& item : encode_items(with_device_indices(dependencies))) {
    const auto [entry, added] = known.emplace(item, static_cast<std::uint32_t>(items_.size()));
    if (added) items_.push_back(item);
    variant.items.push_back(entry->second);
  }
  for (const std::uint64_t number : devices_of(dependencies)) variant.devices.push_back({number});
  if (dependencies.other_devices.size() == variant.devices.size())
    for (std::size_t i = 0; i < variant.devices.size(); ++i)
      add_numbers(variant.devices[i], dependencies.other_devices[i]);
  return variant;
}

bool Manifest::add(const Digest& key, const Digest& header_lists, const Dependencies& dependencies) {
  Variant variant = make_variant(key, header_lists, dependencies);
  const auto is_same = [&](const Variant& other) {
    return other.key == key && other.header_lists == header_lists && other.items == variant.items &&
           other.devices.size() == variant.devices.size();
  };
  if (!variants_.empty() && is_same(variants_.front()) && hold_all(variants_.front().devices, variant.devices))
    return false;
  std::size_t kept = 1;
  const auto goes = [&](const Variant& other) {
    if (other.key != key) return false;
    if (!is_same(other)) return ++kept > max_states;
    for (std::size_t i = 0; i < variant.devices.size(); ++i) add_numbers(variant.devices[i], other.devices[i]);
    return true;
  };
  std::erase_if(variants_, goes);
  variants_.insert(variants_.begin(), std::move(variant));
  return true;
}

bool Manifest::renew(std::size_t index, const Dependencies& dependencies) {
  const Variant before = variants_[index];
  Variant now = make_variant(before.key, before.header_lists, dependencies);
  if (now.items == before.items && hold_all(before.devices, now.devices)) return false;
  // Other hosts compared the contents of the files, and these have not changed.
  Dependencies recorded;
  for (const std::uint32_t item : before.items)
    if (!decode_item(items_[item], recorded)) return false;
  Dependencies renewed = dependencies;
  renewed.other_devices.clear();
  if (device_indices_in(recorded) == device_indices_in(with_device_indices(dependencies)))
    renewed.other_devices = before.devices;
  variants_.erase(variants_.begin() + static_cast<std::ptrdiff_t>(index));
  return add(before.key, before.header_lists, renewed);
}

bool Manifest::is_full(const Digest& key) const {
  std::size_t states = 0;
  bool has_all_numbers = false;
  for (const Variant& variant : variants_) {
    if (variant.key != key) continue;
    ++states;
    for (const DeviceNumbers& numbers : variant.devices) has_all_numbers |= numbers.size() >= max_device_numbers;
  }
  return states >= max_states || has_all_numbers;
}

void Manifest::distrust_states() {
  for (std::string& item : items_) distrust_item(item);
  for (Variant& variant : variants_)
    for (DeviceNumbers& numbers : variant.devices) numbers.clear();
  // Variants that differed in states alone are one now. Encoding numbers equal items alike.
  if (auto numbered = decode(encode())) *this = std::move(*numbered);
  std::vector<Variant> distinct;
  for (Variant& variant : variants_)
    if (std::find(distinct.begin(), distinct.end(), variant) == distinct.end()) distinct.push_back(std::move(variant));
  variants_ = std::move(distinct);
}

Digest code_key(std::string_view request, const Dependencies& dependencies) {
  std::vector<std::string> contents;
  const auto add = [&contents](const RootedPath& path, std::string content) {
    contents.push_back(std::to_string(path.root) + ":" + path.path);
    contents.push_back(std::move(content));
  };
  for (const FileDependency& file : dependencies.files) add(file.path, file.digest.hex());
  for (const FolderDependency& folder : dependencies.folders)
    for (const FolderDependency::Header& header : folder.headers)
      add({folder.path.root, folder.path.path + "/" + header.name}, header.digest.hex());
  for (const RootedPath& absent : dependencies.absent) add(absent, "absent");
  for (const ObstacleDependency& obstacle : dependencies.obstacles)
    add(obstacle.path, "obstacle:" + std::to_string(static_cast<int>(obstacle.kind)));
  for (const AbsolutePathDependency& dependency : dependencies.absolute_paths) {
    contents.push_back("place:" + std::to_string(dependency.root));
    contents.push_back(dependency.path);
  }
  return KeyBuilder().add("request", request).add("contents", contents).digest();
}

}  // namespace kiln
