// From a remote cache into a cache folder.
#include "base/log.hpp"
#include "cache/bundle_transfer.hpp"
#include "cache/eviction.hpp"
#include "cache/makers.hpp"
#include "cache/remote/remote_manifest.hpp"
#include "compile/code/code_sections.hpp"
#include "compile/jobs/entry_selection.hpp"
#include "compile/jobs/run_in_worker.hpp"
#include "compile/remote/remote_calls.hpp"
#include "compile/remote/remote_transfer.hpp"

#include <kiln/error.hpp>

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

namespace {

using ListedValues = std::vector<RemoteListed::Value>;

class PullFromRemote {
 public:
  PullFromRemote(CacheFolder& folder, const RemotePlace& place, const EntrySelection& selection, CacheTransfer& done)
      : folder_(folder), selection_(selection), done_(done), place_(place) {}

  void run() {
    list();
    in_batches(manifests_, [&](const ListedValues& some) { pull_manifests(some); });
    // What no manifest named is looked for by its own request.
    ListedValues keyed;
    for (const auto& [key, size] : code_)
      if (!take_known(key)) keyed.push_back({{EntryKind::code, key}, size});
    in_batches(keyed, [&](const ListedValues& some) { pull_keyed(some); });
    in_batches(notes_, [&](const ListedValues& some) { pull_notes(some); });
    done_.nothing_meant = has_filter(selection_) && !has_meant_;
    if (done_.nothing_meant) done_.others = std::move(others_);
    for (const std::string& maker : makers_) add_maker(folder_, maker);
    for (const std::string& why : refused_)
      log_message(LogLevel::warn, "the remote cache " + done_.address + ": values are refused: " + why);
    enforce_size_limit(folder_, false);
  }

 private:
  void list() {
    auto listed = run_job(RemoteListJob{place_, selection_}, {"kiln cache pull", "a remote cache"});
    done_.too_large += listed.too_large;
    has_meant_ = listed.has_meant;
    others_ = std::move(listed.others);
    for (const RemoteListed::Value& value : listed.values) {
      if (value.name.kind == EntryKind::code) {
        code_.emplace(value.name.key, value.size);
      } else {
        (value.name.kind == EntryKind::manifest ? manifests_ : notes_).push_back(value);
      }
    }
  }

  template <class Use>
  static void in_batches(const ListedValues& values, Use use) {
    ListedValues some;
    std::uint64_t bytes = 0;
    for (const RemoteListed::Value& value : values) {
      if (!some.empty() && (bytes + value.size > most_transfer_bytes || some.size() == most_transfer_values)) {
        use(some);
        some.clear();
        bytes = 0;
      }
      some.push_back(value);
      bytes += value.size;
    }
    if (!some.empty()) use(some);
  }

  /// What they hold, in their order; empty where it is gone, or was refused.
  std::vector<std::string> get(const ListedValues& values) {
    RemoteGetJob job;
    job.place = place_;
    job.milliseconds = static_cast<std::uint64_t>(place_.addresses.front().request_timeout.count());
    for (const RemoteListed::Value& value : values) job.names.push_back(value.name);
    auto found = run_job(job, {"kiln cache pull", "a remote cache"});
    if (!found.faults.empty()) throw Error(found.faults.front().text);
    found.values.resize(values.size());
    done_.refused += found.refused.size();
    refused_.insert(found.refused.begin(), found.refused.end());
    return std::move(found.values);
  }

  void pull_manifests(const ListedValues& names) {
    std::vector<std::string> files = get(names);
    std::vector<RemoteManifest> manifests;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (files[i].empty()) continue;
      if (auto manifest = RemoteManifest::decode(names[i].name.key, std::move(files[i]))) {
        manifests.push_back(*std::move(manifest));
      } else {
        ++done_.damaged;
      }
    }
    ListedValues wanted;
    std::map<Digest, std::pair<const RemoteManifest*, std::size_t>> variants;
    std::set<const RemoteManifest*> meant;
    for (const RemoteManifest& manifest : manifests)
      for (std::size_t i = 0; i < manifest.size(); ++i) {
        const auto listed = code_.find(manifest.key(i));
        if (listed == code_.end()) continue;
        meant.insert(&manifest);
        variants.emplace(listed->first, std::pair(&manifest, i));
        if (!take_known(listed->first)) wanted.push_back({{EntryKind::code, listed->first}, listed->second});
        code_.erase(listed);
      }
    in_batches(wanted, [&](const ListedValues& some) { pull_code(some, variants); });
    for (const RemoteManifest* const manifest : meant) add_manifest(*manifest);
  }

  /// Whether the folder has it.
  bool take_known(const Digest& key) {
    Sections sections;
    const bool is_here = folder_.read(EntryKind::code, key, sections) == CacheFolder::ReadResult::good;
    if (is_here) ++done_.already_there;
    return is_here;
  }

  void pull_code(const ListedValues& names,
                 const std::map<Digest, std::pair<const RemoteManifest*, std::size_t>>& variants) {
    std::vector<std::string> files = get(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Digest& key = names[i].name.key;
      const auto sections = code_in(key, std::move(files[i]));
      if (!sections) continue;
      const auto& [manifest, variant] = variants.at(key);
      const auto dependencies = manifest->dependencies(variant);
      const std::string& request = manifest->request().request;
      add_code(key, *sections, request, dependencies && code_key(request, *dependencies) == key);
    }
  }

  void pull_keyed(const ListedValues& names) {
    std::vector<std::string> files = get(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Digest& key = names[i].name.key;
      const auto sections = code_in(key, std::move(files[i]));
      if (!sections) continue;
      if (const auto request = sections->find(request_label)) {
        add_code(key, *sections, *request, digest_of(*request) == key);
      } else {
        ++done_.unfindable;
      }
    }
  }

  std::optional<Sections> code_in(const Digest& key, std::string file) {
    if (file.empty()) return std::nullopt;
    auto sections = decode_entry(EntryKind::code, key, std::move(file));
    if (sections && from_sections(*sections) != nullptr) return sections;
    ++done_.damaged;
    return std::nullopt;
  }

  /// `fits`: whether that request has code of that name.
  void add_code(const Digest& key, const Sections& sections, std::string_view request, bool fits) {
    if (!fits) {
      ++done_.damaged;
      return;
    }
    if (import_entry(folder_, EntryKind::code, key, sections)) ++done_.moved;
    // A machine without that compiler or linker asks for its code, too.
    for (const KeyField& field : key_fields(request, std::numeric_limits<std::size_t>::max()))
      if ((field.label == "compiler" || field.label == "linker") && field.items.size() == 1)
        makers_.insert(field.items.front());
  }

  void add_manifest(const RemoteManifest& manifest) {
    for (const auto& [name, content] : manifest.header_lists()) {
      Sections lists;
      lists.add("headers", content);
      import_entry(folder_, EntryKind::headers, name, lists);
    }
    import_manifest(folder_, manifest.in_folder());
  }

  void pull_notes(const ListedValues& names) {
    std::vector<std::string> files = get(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (files[i].empty()) continue;
      const Digest& name = names[i].name.key;
      const auto sections = decode_entry(EntryKind::note, name, std::move(files[i]));
      const auto request = sections ? sections->find(request_label) : std::nullopt;
      if (!request || digest_of(*request) != name) {
        ++done_.damaged;
      } else if (is_request_meant(selection_, *request)) {
        import_entry(folder_, EntryKind::note, name, *sections);
        has_meant_ = true;
      }
    }
  }

  CacheFolder& folder_;
  const EntrySelection& selection_;
  CacheTransfer& done_;
  const RemotePlace& place_;
  std::map<Digest, std::uint64_t> code_;  // that is meant, and was not met yet: name and size
  ListedValues manifests_;
  ListedValues notes_;
  std::set<std::string> makers_;
  bool has_meant_ = false;
  std::vector<std::string> others_;
  std::set<std::string> refused_;  // why
};

}  // namespace

void pull_from(CacheFolder& folder, const RemotePlace& place, const EntrySelection& selection, CacheTransfer& done) {
  PullFromRemote(folder, place, selection, done).run();
}

}  // namespace kiln
