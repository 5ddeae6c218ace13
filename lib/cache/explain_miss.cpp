#include "cache/explain_miss.hpp"

#include "cache/history.hpp"
#include "cache/request_changes.hpp"

#include <exception>

namespace kiln {

namespace {

History read_history(CacheFolder& folder, const CacheKey& key) {
  Sections sections;
  folder.read(EntryKind::history, key, sections);
  return History::decode(sections);
}

}  // namespace

void record_request(CacheFolder& folder, const std::string& name, const std::vector<KeyField>& request) try {
  if (!folder.is_writable()) return;
  const CacheKey key = History::key(name);
  History history = read_history(folder, key);
  if (history.add(request)) folder.publish(EntryKind::history, key, history.encode());
} catch (const std::exception&) {  // no memory
}

std::vector<std::string> explain_miss(CacheFolder& folder, const std::string& name,
                                      const std::vector<KeyField>& request) try {
  if (folder.state() != CacheFolder::State::good) return {};
  const auto nearest = read_history(folder, History::key(name)).nearest(request);
  if (!nearest) return {};
  std::vector<std::string> changes = describe_changes(*nearest, request);
  if (changes.empty()) changes = {"the request is as before: a header that it reads changed, or its entry was dropped"};
  return changes;
} catch (const std::exception&) {  // no memory
  return {};
}

}  // namespace kiln
