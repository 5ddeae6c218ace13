#include "compile/store/code_cache.hpp"

#include "base/environment.hpp"
#include "base/file_system.hpp"
#include "base/log.hpp"
#include "base/range.hpp"
#include "cache/explain_miss.hpp"
#include "cache/key.hpp"
#include "cache/location.hpp"
#include "cache/makers.hpp"
#include "cache/notes.hpp"
#include "cache/open_stores.hpp"
#include "cache/signing/public_keys.hpp"
#include "cache/warning.hpp"
#include "compile/code/code_sections.hpp"
#include "compile/request/ptx_driver_code.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <utility>

namespace kiln {

namespace {

void warn_of_no_folder() {
  if (privileged_process())
    return warn_of_cache(
        "this process runs with more rights than its user (set-user-id, for example), so it keeps no compiled code and "
        "reads none: what one may write the other would execute");
  warn_of_cache(
      "no folder to keep compiled code in: KILN_CACHE_DIR, PYCUDA_CACHE_DIR, XDG_CACHE_HOME and HOME are all unset (or "
      "relative, for the last two). Kiln goes on without it, and compiles again in the next process. Set "
      "KILN_CACHE_DIR, or KILN_DISABLE_CACHE=1");
}

constexpr const char* header_folders = "folders where headers are searched";

std::string key_text(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += item + '\n';
  return text;
}

/// The key's fields as explain_miss compares them: a header is one item with its text's digest.
std::vector<KeyField> fields_of(const CacheRequest& request) {
  std::vector<KeyField> fields = key_fields(request.key.request);
  const auto in_other_words = [](const KeyField& field) {
    return field.label == "header" || field.label == "header text" || field.label == "name below a root";
  };
  std::erase_if(fields, in_other_words);
  for (KeyField& field : fields) {
    // Their paths are not in the key, only how they lie to each other.
    if (field.label == "roots") field = {header_folders, {"sha256:" + digest_of(key_text(field.items)).hex()}};
    if (field.label == "loads cubin")
      field = {"the driver's kind of code", {field.items == std::vector<std::string>{"1"} ? "cubin" : "PTX"}};
  }
  KeyField headers{"header", {}, true};
  for (const auto& [name, text] : request.headers != nullptr ? *request.headers : std::map<std::string, std::string>())
    if (request.search->stand_ins.count(name) == 0)
      headers.items.push_back(name + " (in memory)=sha256:" + digest_of(text).hex());
  fields.push_back(std::move(headers));
  return fields;
}

Sections sections_of(const CacheRequest& request, const CodeData& code) {
  return request.relocates_paths ? to_sections(code, without_absolute_paths(code.bytes, *request.search))
                                 : to_sections(code);
}

/// After "the header folders changed": where they are now, as the key has no paths.
std::string header_folders_text(const Roots& roots, std::size_t own) {
  std::string text;
  for (std::size_t i = 0; i < std::min(own, roots.paths.size()); ++i)
    text += (text.empty() ? "" : ", ") + plain_path(roots.paths[i]);
  return ", or how they lie to each other" + (text.empty() ? "" : "; now they are " + text);
}

/// Of what a compile read, or looked for.
std::string what_changed(const std::string& path) {
  FileStatus status;
  if (FileSystem::real().status(path, status) != 0) return path + " is not there";
  return (status.is_directory() ? "what is in the folder " : "header ") + path + " changed";
}

}  // namespace

const Roots& CacheRequest::roots() const {
  static const Roots none;
  return search != nullptr ? search->roots : none;
}

CodeCache::CodeCache(const CacheOptions& options, Counting counting)
    : sync_(options.durable ? Sync::on : Sync::off), counting_(counting) {
  if (const auto location = cache_location(options.dir)) {
    own_ = &open_store(*location);
    remote_ = RemoteCache::of(options, *own_);
  } else {
    warn_of_no_folder();
  }
  std::vector<std::string> dirs = read_only_dirs();
  for (const auto& dir : options.read_only_dirs) dirs.push_back(dir.string());
  if (dirs.empty() || privileged_process()) return;
  Trust trust = trust_of(options.trusted_owners, trusted_owners());
  trust.keys = trusted_public_keys(options.public_keys);
  for (const std::string& dir : dirs) {
    CacheStore& store = open_read_only_store(dir, trust);
    // One that this process is about to fill is not missed.
    const bool is_own = own_ != nullptr && own_->folder().root() == store.folder().root();
    if (!is_own || own_->folder().state() != CacheFolder::State::absent) read_only_.push_back(&store);
  }
}

std::optional<FoundCode> CodeCache::find(const CacheRequest& request) {
  if (own_ != nullptr) {
    auto hit = own_->find(request.key, request.may_include, request.roots(), &changed_);
    if (auto found = decode(request, *own_, std::move(hit), "disk")) return found;
  }
  for (CacheStore* store : read_only_) {
    auto hit = store->find(request.key, request.may_include, request.roots());
    if (hit && hit->refreshed && own_ != nullptr) own_->copy_from(*store, request.key, request.roots(), *hit);
    if (hit && own_ != nullptr && counting_ == Counting::on) own_->folder().prepare();  // for the counters
    if (auto found = decode(request, *store, std::move(hit), "read-only")) return found;
  }
  if (prefetch_ != nullptr && remote_) prefetch_->add(*remote_, request);
  return std::nullopt;
}

std::optional<FoundCode> CodeCache::lock(CompileLock& lock, const CacheRequest& request, const Stop& stop) {
  if (own_ == nullptr) return std::nullopt;
  return decode(request, *own_, lock.lock(request.key, request.may_include, request.roots(), stop), "disk");
}

std::optional<FoundCode> CodeCache::fetch(const CacheRequest& request, const Stop& stop) {
  if (!remote_) return std::nullopt;
  const Range range("fetch", request.name);
  if (!remote_->fetch(request, stop)) return std::nullopt;
  return decode(request, *own_, own_->find(request.key, request.may_include, request.roots()), "remote");
}

std::optional<Digest> CodeCache::find_key(const CacheRequest& request) {
  return own_ != nullptr ? own_->find_key(request.key, request.may_include, request.roots()) : std::nullopt;
}

std::optional<FoundCode> CodeCache::decode(const CacheRequest& request, CacheStore& store,
                                           std::optional<CacheStore::Hit> hit, const char* where) {
  if (!hit) return std::nullopt;
  FoundCode found;
  found.code = from_sections(std::move(hit->sections));
  if (!found.code) {
    store.discard(hit->key);
    return std::nullopt;
  }
  if (request.relocates_paths) found.code->own(with_absolute_paths(found.code->bytes, *request.search));
  found.code->store = &store;
  found.code->store_key = hit->key;
  found.dependencies = std::move(hit->dependencies);
  if (counting_ == Counting::on) {
    count(Counter::hits);
    mark_in_range("hit", where);
  }
  return found;
}

std::optional<PortableCode> CodeCache::find_portable(const CacheRequest& request) {
  for (CacheStore* store : stores())
    if (auto hit = store->find_whole(request.key, request.may_include, request.roots()))
      return PortableCode{request.key.request, request.maker, encode_unnamed(hit->sections),
                          std::move(hit->dependencies)};
  return std::nullopt;
}

PortableCode CodeCache::portable(const CacheRequest& request, const CodeData& code, Dependencies dependencies) const {
  return {request.key.request, request.maker, encode_unnamed(sections_of(request, code)), std::move(dependencies)};
}

std::optional<FoundCode> CodeCache::accept(const CacheRequest& request, PortableCode given) {
  if (given.request != request.key.request || !given.dependencies.headers_known) return std::nullopt;
  auto sections = decode_unnamed(std::move(given.entry));
  if (!sections) return std::nullopt;
  distrust_states(given.dependencies);
  FileObserver observer(FileSystem::real(), false);
  std::string changed;
  if (check_dependencies(observer, request.roots(), given.dependencies, &changed, {}) == Freshness::changed) {
    if (changed_.empty()) changed_ = changed;
    return std::nullopt;
  }
  FoundCode found{from_sections(*std::move(sections)), std::move(given.dependencies)};
  if (!found.code) return std::nullopt;
  if (request.relocates_paths) found.code->own(with_absolute_paths(found.code->bytes, *request.search));
  keep(request, *found.code, found.dependencies);
  return found;
}

bool CodeCache::keep(const CacheRequest& request, CodeData& code, const Dependencies& dependencies) {
  if (own_ == nullptr) return false;
  const Sections sections = sections_of(request, code);
  // Before the code: with that the folder's counters are written, which hold the size of all files.
  record_request(own_->folder(), request.name, fields_of(request));
  add_maker(own_->folder(), request.maker, sync_);
  bool stored = false;
  code.store = own_;
  code.store_key = own_->put(request.key, request.may_include, dependencies, sections, &stored, sync_);
  if (remote_) remote_->put(request, code.store_key, dependencies, sections);
  return stored;
}

std::vector<std::string> CodeCache::explain(const CacheRequest& request) const {
  if (!changed_.empty() && changed_.back() == '/')
    return {"the code holds the path of its source, which was in " + changed_};
  if (!changed_.empty()) return {what_changed(plain_path(changed_))};
  std::vector<std::string> reasons;
  for (CacheStore* store : stores())
    if (reasons.empty()) reasons = explain_miss(store->folder(), request.name, fields_of(request));
  for (std::string& reason : reasons)
    if (reason == "the " + std::string(header_folders) + " changed")
      reason += header_folders_text(request.roots(), request.search->own_roots);
  // Sources without a name of their own are different ones, and not one that was edited.
  const bool is_another = request.name == default_source_name &&
                          std::find(reasons.begin(), reasons.end(), "the source changed") != reasons.end();
  return is_another ? std::vector<std::string>() : reasons;
}

void CodeCache::count(Counter counter) {
  if (own_ != nullptr) own_->folder().count(counter);
}

void CodeCache::count_miss() {
  if (!missed_ && counting_ == Counting::on) {
    count(Counter::misses);
    mark_in_range("miss");
  }
  missed_ = true;
}

bool CodeCache::knows_need_of_nvcc(const CacheRequest& request) {
  const std::vector<CacheStore*> all = stores();
  return std::any_of(all.begin(), all.end(), [&](CacheStore* store) {
    const auto note = find_note(store->folder(), request.key);
    return note && note->find("backend") == "nvcc";
  });
}

void CodeCache::note_need_of_nvcc(const CacheRequest& request) {
  Sections sections;
  sections.add("backend", "nvcc");
  if (own_ != nullptr) put_note(own_->folder(), request.key, sections, sync_);
  if (remote_) remote_->put_note(request, sections);
}

CodeCache::~CodeCache() {
  if (own_ == nullptr) return;
  for (CacheStore* store : read_only_) {
    const std::uint64_t refusals = counting_ == Counting::on ? store->folder().take_refusals() : 0;
    if (refusals == 0) continue;
    for (const Counter counter : {Counter::refused, Counter::refused_untrusted})
      own_->folder().count(counter, refusals);
  }
  own_->folder().write_counts();
}

std::vector<CacheStore*> CodeCache::stores() const {
  std::vector<CacheStore*> stores = read_only_;
  if (own_ != nullptr) stores.insert(stores.begin(), own_);
  return stores;
}

std::vector<std::string> CodeCache::makers() {
  std::vector<std::string> all;
  for (CacheStore* store : stores())
    for (std::string& maker : makers_in(store->folder()))
      if (std::find(all.begin(), all.end(), maker) == all.end()) all.push_back(std::move(maker));
  return all;
}

std::vector<std::string> CodeCache::folders() const {
  std::vector<std::string> all;
  for (CacheStore* store : stores()) all.push_back(store->folder().root());
  return all;
}

namespace {

std::string listed(const std::vector<std::string>& items, const char* separator) {
  std::string text;
  for (const std::string& item : items) text.append(text.empty() ? "" : separator).append(item);
  return text;
}

}  // namespace

bool requires_hit(const CacheOptions& caching) { return caching.require_hit || cache_required(); }

void throw_not_cached(const WantedCode& wanted, const std::vector<std::string>& folders) {
  std::string message = "\"" + wanted.name + "\"";
  if (!wanted.instances.empty()) message += " with " + listed(wanted.instances, ", ");
  if (!wanted.arch.empty()) message += " for " + wanted.arch;
  message += " is not in the cache, and " +
             std::string(cache_required() ? "KILN_REQUIRE_CACHED" : "CacheOptions::require_hit") + " forbids " +
             wanted.maker + " to make it";
  message +=
      ": " + (wanted.reasons.empty() ? "no earlier compile of that name is known" : listed(wanted.reasons, "; "));
  message += ". It was looked for in " + (folders.empty() ? "no folder, as there is none" : listed(folders, ", ")) +
             ". To fill the cache, run the program once where it may compile, with this cache folder; or list what it "
             "asks for by KILN_RECORD=FILE, and compile that by `kiln cache warm FILE" +
             (wanted.arch.empty() ? "" : " --arch " + wanted.arch) + "`";
  throw NotCached(message, wanted.name, wanted.arch, wanted.reasons);
}

}  // namespace kiln
