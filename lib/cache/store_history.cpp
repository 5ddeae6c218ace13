// Why a look-up missed: the requests of each source, remembered and compared. Best effort: a fault explains nothing.
#include "cache/history.hpp"
#include "cache/store.hpp"

#include <exception>

namespace kiln {

void CacheStore::remember_request(const std::string& name, const std::vector<KeyField>& request) {
  if (!folder_.writable()) return;
  try {
    const CacheKey key = History::key(name);
    Sections sections;
    counted(folder_.read(EntryKind::history, key, sections));
    History history = History::decode(sections);
    std::uint64_t bytes = 0;
    if (history.remember(request)) folder_.publish(EntryKind::history, key, history.encode(), &bytes);
    statistics_.add(Counter::bytes, bytes);
  } catch (const std::exception&) {  // no memory
  }
}

std::vector<std::string> CacheStore::explain_miss(const std::string& name, const std::vector<KeyField>& request) {
  if (folder_.state() != CacheFolder::State::good) return {};
  try {
    Sections sections;
    counted(folder_.read(EntryKind::history, History::key(name), sections));
    const auto nearest = History::decode(sections).nearest(request);
    if (!nearest) return {};
    std::vector<std::string> changes = describe_changes(*nearest, request);
    if (changes.empty())
      changes = {"the request is as before: a header that it reads changed, or its entry was dropped"};
    return changes;
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace kiln
