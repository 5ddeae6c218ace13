#include "compile/identity/tool_digests.hpp"

#include "base/checksum.hpp"
#include "base/digest.hpp"
#include "base/files.hpp"
#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "cache/byte_io.hpp"
#include "cache/file_observer.hpp"
#include "cache/notes.hpp"

#include <kiln/error.hpp>

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace kiln {

namespace {

[[noreturn]] void unreadable(const std::string& path, int error) {
  throw ToolkitError("cannot read the compiler's file " + path + ": " + std::generic_category().message(error), {path});
}

/// The end of the file, which in a program lists where each of its parts is and how large: two versions of one size
/// that agree in that are not to be expected. A checksum, as it stands beside times: which file it is its digest says.
std::string sample_of(FileSystem& files, const std::string& path, std::uint64_t size) {
  constexpr std::size_t sample_size = 4096;
  const int descriptor = files.open(path, O_RDONLY, 0);
  if (descriptor < 0) unreadable(path, -descriptor);
  std::array<char, sample_size> sample;
  const std::uint64_t last = size > sample_size ? size - sample_size : 0;
  const std::ptrdiff_t count = files.read_at(descriptor, sample.data(), sample_size, static_cast<std::int64_t>(last));
  files.close(descriptor);
  std::fill(sample.begin() + std::max<std::ptrdiff_t>(count, 0), sample.end(), '\0');
  return std::string(checksum_of({sample.data(), sample_size}).view());
}

/// Which file it is, in which state. In an image whose files all have one time, the next version's file could look the
/// same, and a hundred megabytes are too much to read at each start.
std::string state_of(FileSystem& files, const std::string& path, const FileStatus& status) {
  std::string state;
  for (const std::uint64_t value : status.state()) append_integer(state, value);
  return has_coarse_times(status) ? state + sample_of(files, path, status.size) : state;
}

/// By path: the state, and behind it the digest's hexadecimal digits.
using Known = std::map<std::string, std::string>;

struct Memo {
  ForkSafeMutex mutex;
  Known known;
};

CacheKey note_key() { return CacheKey("tools"); }

std::string content_digest(FileSystem& files, const std::string& path) {
  const int descriptor = files.open(path, O_RDONLY, 0);
  if (descriptor < 0) unreadable(path, -descriptor);
  Digest digest;
  const int code = digest_file(files, descriptor, digest);
  files.close(descriptor);
  if (code != 0) unreadable(path, -code);
  return digest.hex();
}

class Digests {
 public:
  Digests(FileSystem& files, CacheFolder* cache) : files_(files), cache_(cache) {
    const std::lock_guard lock(memo_.mutex);
    known_ = memo_.known;
  }

  std::vector<std::string> of(const std::vector<std::string>& paths) {
    std::vector<std::string> states;
    std::vector<std::string> digests;
    for (const std::string& path : paths) {
      states.push_back(state_now(path));
      digests.push_back(recall(path, states.back()).value_or(""));
    }
    bool has_waited = false;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (!digests[i].empty()) continue;
      // A state identifies a content only if that was read a tick after the state was first seen (file_observer.hpp).
      if (!std::exchange(has_waited, true)) std::this_thread::sleep_for(std::chrono::nanoseconds(tick_ns));
      digests[i] = content_digest(files_, paths[i]);
      if (state_now(paths[i]) != states[i]) continue;
      known_[paths[i]] = to_note_[paths[i]] = states[i] + digests[i];
      is_changed_ = true;
    }
    return digests;
  }

  void remember() {
    if (!is_changed_) return;
    if (!to_note_.empty() && cache_ != nullptr) {
      Sections sections;
      for (const auto& [path, entry] : to_note_) sections.add(path, entry);
      for (const auto& [path, entry] : noted_)
        if (to_note_.count(path) == 0 && sections.all().size() < max_noted) sections.add(path, entry);
      put_note(*cache_, note_key(), sections);
    }
    const std::lock_guard lock(memo_.mutex);
    std::swap(memo_.known, known_);
  }

 private:
  std::string state_now(const std::string& path) {
    FileStatus status;
    if (const int code = files_.status(path, status); code != 0) unreadable(path, -code);
    return state_of(files_, path, status);
  }
  std::optional<std::string> recall(const std::string& path, const std::string& state) {
    if (auto digest = digest_in(known_, path, state)) return digest;
    if (!note_is_read_) read_note();
    auto digest = digest_in(noted_, path, state);
    if (digest) {
      known_[path] = state + *digest;
      is_changed_ = true;
    }
    return digest;
  }
  static std::optional<std::string> digest_in(const Known& known, const std::string& path, const std::string& state) {
    const auto found = known.find(path);
    if (found == known.end() || !found->second.starts_with(state)) return std::nullopt;
    return found->second.substr(state.size());
  }
  void read_note() {
    note_is_read_ = true;
    const auto note = cache_ != nullptr ? find_note(*cache_, note_key()) : std::nullopt;
    if (!note) return;
    for (const auto& [path, entry] : note->all())
      if (path != request_label && path != signature_label) noted_[std::string(path)] = std::string(entry);
  }

  static constexpr std::size_t max_noted = 64;  // of several toolkits
  /// If times are coarse, the state also has a sample of the content.
  static constexpr std::int64_t tick_ns = 20'000'000;

  FileSystem& files_;
  CacheFolder* cache_;
  Memo& memo_ = fork_safe_instance<Memo>();
  Known known_;
  Known noted_;
  Known to_note_;
  bool note_is_read_ = false;
  bool is_changed_ = false;
};

}  // namespace

std::string tools_digest(FileSystem& files, const std::vector<std::string>& paths, CacheFolder* cache) {
  Digests digests(files, cache);
  RunningDigest all;
  for (const std::string& digest : digests.of(paths)) all.update(digest);
  digests.remember();
  return all.value().hex();
}

std::string maker_of(const std::string& prefix, const std::vector<StageIdentity>& stages, CacheFolder* cache) {
  std::vector<std::string> files;
  std::string texts;
  for (const StageIdentity& stage : stages) {
    files.insert(files.end(), stage.files.begin(), stage.files.end());
    texts += stage.text;
  }
  return prefix + tools_digest(FileSystem::real(), files, cache) + texts;
}

}  // namespace kiln
