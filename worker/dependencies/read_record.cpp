#include "worker/dependencies/read_record.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace kiln {

namespace {

using Answer = FileQuestion::Answer;

constexpr auto none = static_cast<std::size_t>(-1);
constexpr std::array<std::size_t, 5> no_entries = {none, none, none, none, none};

std::string text_of_losses(std::uint32_t losses) {
  if ((losses & record_is_full) != 0) return "more files were asked for than a record can hold";
  if ((losses & record_has_long_path) != 0) return "a path of more than 65536 bytes was asked for";
  if ((losses & record_has_odd_error) != 0)
    return "a file could not be looked for: too many open files, no memory, or the working folder is gone";
  return {};
}

/// Accesses to the system rather than to files: GCC reads /dev/urandom at each start. /dev/fd/3 and the like may be a
/// source.
bool is_no_file(std::string_view path) {
  return path == "/dev/urandom" || path == "/dev/random" || path == "/dev/null" || path == "/dev/tty" ||
         (path.starts_with("/proc/") && path.find("/fd/") == std::string_view::npos);
}

class Reader {
 public:
  Reader(const RecordArea& area, std::size_t size) : area_(area), size_(size) {}

  ReadRecord read() && {
    FileRecord& record = read_.record;
    record.gap = text_of_losses(__atomic_load_n(&area_.losses, __ATOMIC_ACQUIRE));
    const std::uint64_t used = __atomic_load_n(&area_.used, __ATOMIC_ACQUIRE);
    const std::uint64_t end = std::min<std::uint64_t>({used, area_.capacity, size_ - sizeof(RecordArea)});
    std::uint64_t at = 0;
    while (end - at >= sizeof(RecordedQuestion) && record.gap.empty()) at += take(at, end);
    return std::move(read_);
  }

 private:
  /// Its size.
  std::uint64_t take(std::uint64_t at, std::uint64_t end) {
    RecordedQuestion question;
    std::memcpy(&question, area_.questions() + at, sizeof question);
    if (question.size <= sizeof question || question.size > end - at || question.is_whole == 0) {
      read_.record.gap = "a program ended while it wrote what it had asked for";
      return 0;
    }
    const auto* path = reinterpret_cast<const char*>(area_.questions() + at + sizeof question);
    const std::size_t room = question.size - sizeof question;
    add(question, std::string_view(path, ::strnlen(path, room)));
    return question.size;
  }

  void add(const RecordedQuestion& question, std::string_view path) {
    if (question.is_clock != 0) {
      if (question.asker != Asker::other) read_.record.asked_time = true;
      return;
    }
    const std::optional<SeenState> seen = seen_of(question);
    if (question.is_glance != 0) {
      if (seen) read_.record.seen.try_emplace(std::string(path), *seen);
      return;
    }
    const auto answer = static_cast<Answer>(std::min(question.answer, static_cast<std::uint8_t>(Answer::absent)));
    if (is_no_file(path)) return;
    const bool is_opened = question.is_opened != 0;
    const std::string name(path);
    if (question.asker == Asker::host_compiler && is_opened) read_.read_by_host_compiler.insert(name);
    FileQuestion& entry = entry_of(name, answer, is_opened);
    entry.opened = entry.opened || is_opened;
    entry.by_compiler = entry.by_compiler || question.asker != Asker::other;
    Digest content;
    std::memcpy(content.bytes.data(), question.content, sizeof question.content);
    entry.add_seen(seen, question.has_content != 0 ? std::optional(content) : std::nullopt);
  }

  static std::optional<SeenState> seen_of(const RecordedQuestion& question) {
    if (question.has_state == 0) return std::nullopt;
    SeenState seen;
    std::copy(std::begin(question.state), std::end(question.state), seen.state.begin());
    seen.time_ns = question.time_ns;
    return seen;
  }

  /// A file that was found, and could not be opened then, is unreadable: one result, not two.
  FileQuestion& entry_of(const std::string& path, Answer answer, bool is_opened) {
    std::array<std::size_t, 5>& entries = known_.try_emplace(path, no_entries).first->second;
    const auto entry = [&](Answer known) -> std::size_t& { return entries[static_cast<std::size_t>(known)]; };
    auto& questions = read_.record.questions;
    if (answer == Answer::file && !is_opened && entry(Answer::unreadable) != none) answer = Answer::unreadable;
    if (answer == Answer::unreadable && entry(Answer::file) != none && !questions[entry(Answer::file)].opened) {
      questions[entry(Answer::file)].answer = Answer::unreadable;
      std::swap(entry(Answer::unreadable), entry(Answer::file));
    }
    if (entry(answer) == none) {
      entry(answer) = questions.size();
      questions.push_back({path, answer, false, false});
    }
    return questions[entry(answer)];
  }

  const RecordArea& area_;
  std::size_t size_;
  ReadRecord read_;
  std::unordered_map<std::string, std::array<std::size_t, 5>> known_;  // path -> its access of each result
};

}  // namespace

ReadRecord read_record(const RecordArea& area, std::size_t size) { return Reader(area, size).read(); }

}  // namespace kiln
