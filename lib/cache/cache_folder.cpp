#include "cache/cache_folder.hpp"

#include "base/files.hpp"
#include "base/log.hpp"
#include "base/path_text.hpp"
#include "cache/kept_tree.hpp"
#include "cache/location.hpp"
#include "cache/signing/signed_file.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>

namespace kiln {

namespace {

constexpr std::uint64_t max_entry_size = std::uint64_t{2} << 30;

constexpr std::array<std::pair<EntryKind, std::string_view>, 8> kinds = {{
    {EntryKind::code, ".code"},
    {EntryKind::manifest, ".manifest"},
    {EntryKind::headers, ".headers"},
    {EntryKind::history, ".history"},
    {EntryKind::makers, ".makers"},
    {EntryKind::note, ".note"},
    {EntryKind::source, ".cu"},
    {EntryKind::pch, ".pch"},
}};

bool is_hexadecimal(std::string_view text) { return text.find_first_not_of("0123456789abcdef") == text.npos; }

std::optional<EntryKind> kind_of(std::string_view name) {
  constexpr std::size_t stem = 2 * sizeof(Digest) - 2;
  if (name.size() <= stem || !is_hexadecimal(name.substr(0, stem))) return std::nullopt;
  for (const auto& kind : kinds)
    if (name.substr(stem) == kind.second) return kind.first;
  return std::nullopt;
}

}  // namespace

bool same_file(const FileStatus& a, const FileStatus& b) noexcept {
  return a.inode == b.inode && a.mtime_ns == b.mtime_ns && a.size == b.size;
}

void throw_cache_error(const std::string& what, const std::string& path, int code) {
  throw Error("cannot " + what + " " + path + ": " + std::generic_category().message(-code) +
              ". Check the permissions, or set KILN_CACHE_DIR to another folder");
}

CacheFolder::CacheFolder(FileSystem& files, std::string root, Access access, Trust trust)
    : files_(files),
      root_(std::move(root)),
      version_(root_ + "/v3"),
      access_(access),
      trust_(std::move(trust)),
      statistics_(files, version_ + "/statistics") {}

std::string CacheFolder::path(EntryKind kind, const Digest& key) const {
  const std::string hex = key.hex();
  std::string path;
  path.reserve(version_.size() + 96);
  path.append(version_).append("/entries/").append(hex, 0, 2).append("/").append(hex, 2);
  for (const auto& known : kinds)
    if (known.first == kind) path.append(known.second);
  return path;
}

Digest CacheFolder::key_of_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos || slash < 2) return {};
  std::string digits(path.substr(slash - 2, 2));
  digits += path.substr(slash + 1, path.find('.', slash) - slash - 1);
  return digest_of_hex(digits).value_or(Digest());
}

CacheFolder::State CacheFolder::state() const {
  State state = state_.load(std::memory_order_acquire);
  if (state != State::absent) return state;
  std::string objection;
  int code = 0;
  for (const std::string* folder : {&root_, &version_})
    if (code == 0 && objection.empty()) code = trust_.check_folder(files_, *folder, objection);
  if (code != 0) {  // not there, or not to be looked at now; an own folder is made when something is stored
    if (!is_writable() && !warned_) warn_of(fault());
    return State::absent;
  }
  state = objection.empty() ? State::good : State::refused;
  if (state_.exchange(state, std::memory_order_acq_rel) == State::absent && state == State::refused) warn_of(fault());
  return state;
}

void CacheFolder::require_usable() const {
  if (state() != State::refused) return;
  throw Error("the cache folder " + root_ + " is not used: " + fault() + ". Set KILN_CACHE_DIR to another folder");
}

int CacheFolder::prepare() const {
  State now = state();
  if (now == State::absent) {
    if (!is_writable() || lacks_home()) return -ENOENT;
    const int code = make_directories(files_, version_);
    if (code != 0) return code;
    now = state();
  }
  return now == State::good ? 0 : now == State::refused ? -EPERM : -ENOENT;
}

CacheFolder::ReadResult CacheFolder::read(EntryKind kind, const Digest& key, Sections& sections,
                                          FileStatus* wanted_status) {
  const std::string file = path(kind, key);
  int code = 0;
  FileStatus status;
  ReadResult result = read_once(file, kind, key, sections, status, code);
  // Replaced on a network file system's server while it was read: the name leads to the new one now.
  if (code == -ESTALE) result = read_once(file, kind, key, sections, status, code);
  if (result == ReadResult::damaged) statistics_.add(Counter::corrupt, 1);
  if (result == ReadResult::untrusted) {
    statistics_.add(Counter::refused, 1);
    statistics_.add(Counter::refused_untrusted, 1);
    refusals_.fetch_add(1, std::memory_order_relaxed);
  }
  if (wanted_status != nullptr) *wanted_status = status;
  return result;
}

CacheFolder::ReadResult CacheFolder::read(EntryKind kind, const CacheKey& key, Sections& sections, FileStatus* status) {
  const ReadResult result = read(kind, key.name, sections, status);
  if (result != ReadResult::good || sections.find(request_label) == key.request) return result;
  sections = {};
  return ReadResult::another;
}

CacheFolder::ReadResult CacheFolder::read_once(const std::string& path, EntryKind kind, const Digest& key,
                                               Sections& sections, FileStatus& status, int& code) const {
  std::string bytes;
  // O_NOATIME: an access time that is written costs a third of a look-up. Only a file's owner may use it.
  constexpr int flags = O_NOFOLLOW;
  code = read_file(files_, path, bytes, status, {is_writable() ? flags | O_NOATIME : flags, max_entry_size});
  if (code == -EPERM && is_writable()) code = read_file(files_, path, bytes, status, {flags, max_entry_size});
  const bool is_none = code == -EFBIG || code == -EINVAL;  // too large, or no regular file
  if (code != 0 && !is_none) {
    if (!is_writable() && code != -ENOENT && code != -ESTALE && !warned_) warn_of(unreadable(path, code));
    return ReadResult::missing;
  }
  // Of the very file that was read, so that nothing done to the folders above it matters.
  std::string objection = trust_.objection(files_, status);
  if (!objection.empty() && trust_.keys != nullptr) {
    SignatureObjection of_signature{"cannot be read"};
    const bool is_signed = code == 0 && is_signed_entry(*trust_.keys, kind, key, bytes, &of_signature);
    // Whom to trust is no way out where a trusted key's file was changed.
    objection = is_signed                      ? ""
                : of_signature.is_by_known_key ? of_signature.text
                                               : objection + ", and it " + of_signature.text;
  }
  if (!objection.empty()) {
    if (!is_writable() && !warned_) warn_of(path + " " + objection);
    if (log_enabled(LogLevel::info)) log_message(LogLevel::info, "not used: the cache file " + path + " " + objection);
    return ReadResult::untrusted;
  }
  std::optional<Sections> decoded;
  if (code == 0) decoded = decode_entry(kind, key, std::move(bytes));
  if (!decoded) {
    if (is_writable()) remove_unless_replaced(path, status);
    return ReadResult::damaged;
  }
  sections = std::move(*decoded);
  return ReadResult::good;
}

void CacheFolder::remove_unless_replaced(const std::string& path, const FileStatus& damaged) const {
  if (log_enabled(LogLevel::info)) log_message(LogLevel::info, "dropping the damaged cache file " + path);
  FileStatus now;
  if (files_.status(path, now) == 0 && same_file(now, damaged)) discard(path);
}

void CacheFolder::count(Counter counter, std::uint64_t amount) {
  if (is_writable()) statistics_.add(counter, amount);
}

void CacheFolder::write_counts() {
  if (is_writable() && state() != State::refused) statistics_.flush();
}

int CacheFolder::publish(EntryKind kind, const Digest& key, const Sections& sections, Sync sync) {
  const std::string file = path(kind, key);
  const std::string content = encode_entry(kind, key, sections);
  int code = prepare();
  if (code == 0) code = write_file(file, content, sync);
  if (code == 0 && sync == Sync::on) {
    code = sync_folders_of(file);
    if (code != 0) discard(file);
  }
  if (code == 0) statistics_.add(Counter::bytes, content.size());
  return code;
}

std::string CacheFolder::new_temporary() {
  return prepare() == 0 && make_folders() == 0 ? temporary_name(files_, temporary_dir()) : std::string();
}

std::optional<std::int64_t> CacheFolder::file_time_now() {
  const std::string path = new_temporary();
  const int file = path.empty() ? -1 : files_.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (file < 0) return std::nullopt;
  FileStatus status;
  const int code = files_.status(file, status);
  files_.close(file);
  files_.remove(path);
  return code == 0 ? std::optional(status.mtime_ns) : std::nullopt;
}

int CacheFolder::adopt(EntryKind kind, const Digest& key, const std::string& temporary) {
  const std::string file = path(kind, key);
  FileStatus status;
  int code = file_status(temporary, status);
  if (code == 0) code = files_.make_directory(folder_of(file), 0700);
  if (code == 0 || code == -EEXIST) code = files_.rename(temporary, file);
  if (code == 0) statistics_.add(Counter::bytes, status.size);
  return code;
}

/// Any of them may be new, made by this process or by one that does not sync. What holds the cache's own folder may be
/// one that this user cannot open.
int CacheFolder::sync_folders_of(const std::string& path) const {
  for (const std::string& folder : {folder_of(path), entries_dir(), version_, root_})
    if (const int code = sync_folder(files_, folder); code != 0) return code;
  const int code = sync_folder(files_, folder_of(root_));
  return code == -EACCES ? 0 : code;
}

int CacheFolder::write_file(const std::string& path, std::string_view content, Sync sync) {
  const std::string shard = folder_of(path);
  const auto write = [&] {
    const int code = files_.make_directory(shard, 0700);
    return code == 0 || code == -EEXIST ? publish_file(files_, temporary_dir(), path, content, sync) : code;
  };
  const int code = write();
  // So that a cache that is in use is not checked for these.
  return code == -ENOENT && make_folders() == 0 ? write() : code;
}

int CacheFolder::publish(EntryKind kind, const CacheKey& key, Sections sections, Sync sync) {
  sections.add(request_label, key.request);
  return publish(kind, key.name, sections, sync);
}

int CacheFolder::make_folders() {
  const int code = make_directories(files_, temporary_dir());
  if (code != 0) return code;
  // What will be in it is counted from now on, so that nothing need be measured.
  if (files_.make_directory(entries_dir(), 0700) == 0) statistics_.add(Counter::measured, 1);
  make_tag();
  return 0;
}

void CacheFolder::make_tag() const {
  FileStatus ignored;
  const std::string tag = root_ + "/CACHEDIR.TAG";
  if (files_.status(tag, ignored) != -ENOENT) return;
  // The first line is the one that https://bford.info/cachedir/ prescribes. A cache without the tag is a good cache.
  publish_file(files_, temporary_dir(), tag,
               "Signature: 8a477f597d28d172789f06886806bc55\n# Compiled CUDA code, kept by Kiln. May be deleted.\n");
}

// Renamed first: where another process of this machine has the file open, a network file system keeps a removed file
// under another name, which must not be among the entries. What remains of it in the temporary folder is swept.
int CacheFolder::discard(const std::string& path) const {
  const std::string away = temporary_name(files_, temporary_dir());
  if (files_.rename(path, away) != 0) return files_.remove(path);
  files_.remove(away);
  return 0;
}

bool CacheFolder::is_stale(const FileStatus& status) const {
  return is_writable() && files_.now_ns() - status.mtime_ns >= hour_ns;
}

void CacheFolder::stamp(EntryKind kind, const Digest& key) const { files_.touch(path(kind, key)); }

void CacheFolder::remove_malformed(EntryKind kind, const Digest& key) {
  if (is_writable()) remove(kind, key);
  statistics_.add(Counter::corrupt, 1);
}

bool CacheFolder::holds(EntryKind kind, const Digest& key) const {
  FileStatus ignored;
  return files_.status(path(kind, key), ignored) == 0;
}

int CacheFolder::for_each(const std::function<void(EntryKind, const std::string&)>& visit) const {
  const std::string entries = entries_dir();
  std::vector<std::string> shards;
  int code = files_.list(entries, shards);
  if (code != 0) return code == -ENOENT ? 0 : code;
  std::sort(shards.begin(), shards.end());
  for (const std::string& shard : shards) {
    if (shard.size() != 2 || !is_hexadecimal(shard)) continue;
    std::vector<std::string> names;
    const std::string folder = std::string(entries).append("/").append(shard);
    const int listed = files_.list(folder, names);
    if (listed != 0 && listed != -ENOENT && code == 0) code = listed;
    for (const std::string& name : names)
      if (const auto kind = kind_of(name)) visit(*kind, std::string(folder).append("/").append(name));
  }
  return code;
}

int CacheFolder::file_status(const std::string& path, FileStatus& status) const {
  const int code = files_.link_status(path, status);
  return code == 0 && !status.is_regular() ? -ENOENT : code;
}

int CacheFolder::make_stamp(const std::string& path) const {
  const int descriptor = files_.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  return descriptor < 0 ? descriptor : files_.close(descriptor);
}

std::uint64_t CacheFolder::size_limit() const {
  const std::uint64_t own = size_limit_.load(std::memory_order_relaxed);
  return own == no_size_limit_set ? cache_size_limit() : own;
}

bool CacheFolder::sweep() const {
  const std::string stamp = version_ + "/swept";
  const std::int64_t now = files_.now_ns();
  FileStatus status;
  const int code = files_.status(stamp, status);
  if (code != -ENOENT && (code != 0 || now - status.mtime_ns < 24 * hour_ns)) return false;
  // Touched first: of many ranks that start together, few sweep.
  if ((code == 0 ? files_.touch(stamp) : make_stamp(stamp)) != 0) return false;
  if (code == 0) make_tag();
  std::vector<std::string> names;
  files_.list(temporary_dir(), names);
  for (const std::string& name : names) {
    const std::string path = std::string(temporary_dir()).append("/").append(name);
    if (!name.ends_with(temporary_suffix) || files_.link_status(path, status) != 0 || now - status.mtime_ns < hour_ns)
      continue;
    if (status.is_directory())
      remove_tree(path);
    else
      files_.remove(path);
  }
  return code == 0;
}

}  // namespace kiln
