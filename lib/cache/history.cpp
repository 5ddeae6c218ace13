#include "cache/history.hpp"

#include "cache/byte_io.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace kiln {

namespace {

void append_text(std::string& out, std::string_view text) {
  append_integer(out, static_cast<std::uint32_t>(text.size()));
  out.append(text);
}

std::string encode_request(const History::Request& request) {
  std::string bytes;
  append_integer(bytes, static_cast<std::uint32_t>(request.size()));
  for (const KeyField& field : request) {
    bytes.push_back(field.is_list ? '\1' : '\0');
    append_text(bytes, field.label);
    append_integer(bytes, static_cast<std::uint32_t>(field.items.size()));
    for (const std::string& item : field.items) append_text(bytes, item);
  }
  return bytes;
}

// Every element costs bytes, so a wrong count ends where they end and allocates nothing.
History::Request read_request(ByteReader& reader) {
  History::Request request;
  const auto fields = reader.integer<std::uint32_t>();
  for (std::uint32_t i = 0; i < fields && !reader.failed(); ++i) {
    KeyField field;
    field.is_list = reader.integer<std::uint8_t>() != 0;
    field.label = reader.bytes(reader.integer<std::uint32_t>());
    const auto items = reader.integer<std::uint32_t>();
    for (std::uint32_t item = 0; item < items && !reader.failed(); ++item)
      field.items.emplace_back(reader.bytes(reader.integer<std::uint32_t>()));
    request.push_back(std::move(field));
  }
  return request;
}

std::size_t common_items(const KeyField& a, const KeyField& b) {
  std::map<std::string, std::size_t> left;
  for (const std::string& item : a.items) ++left[item];
  std::size_t common = 0;
  for (const std::string& item : b.items) {
    const auto found = left.find(item);
    if (found == left.end() || found->second == 0) continue;
    --found->second;
    ++common;
  }
  return common;
}

/// Equal fields, then equal items of lists.
std::pair<std::size_t, std::size_t> likeness(const History::Request& a, const History::Request& b) {
  std::pair<std::size_t, std::size_t> score;
  std::vector<bool> used(b.size());
  for (const KeyField& field : a)
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (used[i] || b[i].label != field.label) continue;
      used[i] = true;
      if (field == b[i]) ++score.first;
      if (field.is_list && b[i].is_list) score.second += common_items(field, b[i]);
      break;
    }
  return score;
}

}  // namespace

CacheKey History::key(const std::string& name) { return CacheKey(std::move(KeyBuilder().add("history", name)).take()); }

History History::decode(const Sections& sections) {
  History history;
  const auto bytes = sections.find("requests");
  if (!bytes) return history;
  ByteReader reader(*bytes);
  const auto count = reader.integer<std::uint32_t>();
  if (count > max_requests) return history;
  for (std::uint32_t i = 0; i < count && !reader.failed(); ++i) history.requests_.push_back(read_request(reader));
  if (!reader.finished()) history.requests_.clear();
  return history;
}

Sections History::encode() const {
  std::string bytes;
  append_integer(bytes, static_cast<std::uint32_t>(requests_.size()));
  for (const Request& request : requests_) bytes += encode_request(request);
  Sections sections;
  sections.add("requests", bytes);
  return sections;
}

bool History::add(const Request& request) {
  if (encode_request(request).size() > max_request_size) return false;
  if (!requests_.empty() && requests_.front() == request) return false;
  std::erase(requests_, request);
  requests_.insert(requests_.begin(), request);
  if (requests_.size() > max_requests) requests_.resize(max_requests);
  return true;
}

std::optional<History::Request> History::nearest(const Request& request) const {
  const Request* best = nullptr;
  std::pair<std::size_t, std::size_t> best_score;
  for (const Request& candidate : requests_) {
    const auto score = likeness(candidate, request);
    if (best != nullptr && score <= best_score) continue;
    best = &candidate;
    best_score = score;
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

}  // namespace kiln
