// From a cache folder to a remote cache.
#include "cache/dependency_codec.hpp"
#include "cache/listing.hpp"
#include "cache/remote/remote_manifest.hpp"
#include "cache/remote/remote_names.hpp"
#include "cache/signing/signed_value.hpp"
#include "compile/jobs/entry_selection.hpp"
#include "compile/jobs/run_in_worker.hpp"
#include "compile/remote/remote_calls.hpp"
#include "compile/remote/remote_transfer.hpp"

#include <kiln/error.hpp>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

namespace {

class PushToRemote {
 public:
  PushToRemote(CacheFolder& folder, const RemotePlace& place, const EntrySelection& selection, CacheTransfer& done)
      : folder_(folder), selection_(selection), done_(done) {
    job_.place = place;
  }

  void run() {
    choose();
    each_of(EntryKind::manifest, [&](const Digest& name, const Sections& file) { push_variants(name, file); });
    // What no manifest named is looked for by its own request.
    for (const Digest& key : chosen_) push_keyed(key);
    each_of(EntryKind::note, [&](const Digest& name, const Sections& file) { push_note(name, file); });
    send();
    done_.nothing_meant = has_filter(selection_) && !has_meant_;
    if (done_.nothing_meant) done_.others = std::move(others_);
  }

 private:
  using Group = RemotePushJob::Group;

  void choose() {
    const auto now = std::chrono::system_clock::now();
    for (const CacheEntry& entry : list_entries(folder_)) {
      const auto key = digest_of_hex(entry.key);
      if (!key || entry.damaged) continue;
      if (!is_meant(selection_, entry.name, entry.arch)) {
        add_other(others_, entry.name, entry.arch);
        continue;
      }
      has_meant_ = true;
      if (is_young(entry.last_used, now)) chosen_.insert(*key);
    }
  }

  bool is_young(std::chrono::system_clock::time_point used, std::chrono::system_clock::time_point now) const {
    const auto age = std::chrono::duration_cast<std::chrono::seconds>(now - used).count();
    return !selection_.newer_than || age < 0 || static_cast<std::uint64_t>(age) <= *selection_.newer_than;
  }

  template <class Use>
  void each_of(EntryKind wanted, Use use) {
    const int code = folder_.for_each([&](EntryKind kind, const std::string& path) {
      if (kind != wanted) return;
      const Digest name = CacheFolder::key_of_path(path);
      Sections sections;
      if (folder_.read(kind, name, sections) == CacheFolder::ReadResult::good) use(name, sections);
    });
    if (code != 0) throw_cache_error("read the cache folder", folder_.root(), code);
  }

  void push_variants(const Digest& name, const Sections& file) {
    const auto request = file.find(request_label);
    const auto manifest = Manifest::decode(file);
    if (!request || !manifest || digest_of(*request) != name) return;
    RemoteManifest remote(CacheKey{std::string(*request)});
    Group group{std::string(*request), {}, {}};
    std::set<Digest> met;  // by one of its variants
    std::set<Digest> added;
    for (std::size_t i = manifest->size(); i-- > 0;) {  // the newest is added last
      const Digest& key = manifest->key(i);
      const auto dependencies = chosen_.count(key) != 0 ? whole_dependencies(*manifest, i) : std::nullopt;
      if (!dependencies) continue;
      if (met.insert(key).second) {
        if (auto entry = read_code(key)) {
          added.insert(key);
          group.entries.emplace_back(RemoteName{EntryKind::code, key}, *std::move(entry));
        }
      }
      if (added.count(key) != 0) remote.add(key, *dependencies);
    }
    for (std::size_t i = 0; i < manifest->size(); ++i)
      if (chosen_.erase(manifest->key(i)) != 0 && met.count(manifest->key(i)) == 0) ++done_.unfindable;
    if (group.entries.empty()) return;
    group.manifest = remote.encode();
    add(std::move(group));
  }

  std::optional<Dependencies> whole_dependencies(const Manifest& manifest, std::size_t variant) {
    auto known = manifest.dependencies(variant);
    if (!known || known->headers_known) return known;
    Sections lists;
    if (folder_.read(EntryKind::headers, manifest.header_lists(variant), lists) != CacheFolder::ReadResult::good)
      return std::nullopt;
    const auto content = lists.find("headers");
    if (!content || !decode_header_lists(*content, *known)) return std::nullopt;
    known->headers_known = true;
    return known;
  }

  /// The file; nothing where it is gone or too large.
  std::optional<std::string> read_code(const Digest& key) {
    Sections sections;
    if (folder_.read(EntryKind::code, key, sections) != CacheFolder::ReadResult::good) return std::nullopt;
    return encoded(EntryKind::code, key, sections);
  }
  std::optional<std::string> encoded(EntryKind kind, const Digest& key, const Sections& sections) {
    std::string file = encode_entry(kind, key, sections);
    if (file.size() + value_front_size <= most_remote_bytes) return file;
    ++done_.too_large;
    return std::nullopt;
  }

  void push_keyed(const Digest& key) {
    Sections sections;
    if (folder_.read(EntryKind::code, key, sections) != CacheFolder::ReadResult::good) return;
    const auto request = sections.find(request_label);
    if (!request || digest_of(*request) != key) {
      ++done_.unfindable;
    } else if (auto file = encoded(EntryKind::code, key, sections)) {
      add({{}, {}, {{RemoteName{EntryKind::code, key}, *std::move(file)}}});
    }
  }

  void push_note(const Digest& name, const Sections& file) {
    const auto request = file.find(request_label);
    if (!request || !is_request_meant(selection_, *request)) return;
    has_meant_ = true;
    FileStatus status;
    const bool is_there = folder_.files().status(folder_.path(EntryKind::note, name), status) == 0;
    const std::chrono::system_clock::time_point used{
        std::chrono::duration_cast<std::chrono::system_clock::duration>(std::chrono::nanoseconds(status.mtime_ns))};
    if (!is_there || !is_young(used, std::chrono::system_clock::now())) return;
    add({{}, {}, {{RemoteName{EntryKind::note, name}, encode_entry(EntryKind::note, name, file)}}});
  }

  void add(Group group) {
    bytes_ += group.manifest.size();
    for (const auto& [name, entry] : group.entries) bytes_ += entry.size();
    values_ += group.entries.size() + 1;
    job_.groups.push_back(std::move(group));
    if (bytes_ >= most_transfer_bytes || values_ >= most_transfer_values) send();
  }

  void send() {
    if (job_.groups.empty()) return;
    const auto pushed = run_job(job_, {"kiln cache push", "a remote cache"});
    done_.moved += pushed.pushed;
    done_.already_there += pushed.already_there;
    job_.groups.clear();
    bytes_ = 0;
    values_ = 0;
  }

  CacheFolder& folder_;
  const EntrySelection& selection_;
  CacheTransfer& done_;
  std::set<Digest> chosen_;  // those that are left
  bool has_meant_ = false;
  std::vector<std::string> others_;
  RemotePushJob job_;
  std::uint64_t bytes_ = 0;
  std::size_t values_ = 0;
};

}  // namespace

void push_to(CacheFolder& folder, const RemotePlace& place, const EntrySelection& selection, CacheTransfer& done) {
  PushToRemote(folder, place, selection, done).run();
}

}  // namespace kiln
