#include "worker/nvrtc/time_trace.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <system_error>
#include <utility>

namespace kiln {

namespace {

using std::chrono::microseconds;

constexpr std::size_t most_named = 10;
/// More than any compile takes, so that sums stay numbers.
constexpr std::int64_t longest_us = 1'000'000'000'000;

struct TraceEvent {
  std::string name;
  std::string detail;
  std::int64_t start = 0;  // in microseconds
  std::int64_t duration = -1;
  std::int64_t process = 0;
};

void append_utf8(std::string& text, unsigned code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
  } else {
    text += {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
             static_cast<char>(0x80 | (code & 0x3F))};
  }
}

/// Goes through the text once, by brackets: {"traceEvents": [{event, "args": {"detail": ...}}, ...]}. Of text that is
/// no JSON it finds something or nothing.
class TraceReader {
 public:
  explicit TraceReader(std::string_view text) : text_(text) {}

  template <class Take>
  void for_each_event(const Take& take) {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        read_text();
      } else if (c == '-' || (c >= '0' && c <= '9')) {
        read_number();
      } else {
        ++at_;
        if (c == '{') ++depth_;
        if (c != '}' || depth_ == 0) continue;
        if (depth_-- != event_depth) continue;
        if (event_.duration >= 0 && event_.start >= 0) take(event_);
        event_ = {};
      }
    }
  }

 private:
  static constexpr int event_depth = 2;

  void read_text() {
    std::string value = string();
    std::size_t next = at_;
    while (next < text_.size() && (text_[next] == ' ' || text_[next] == '\n')) ++next;
    if (next < text_.size() && text_[next] == ':') {
      key_ = std::move(value);
      at_ = next + 1;
    } else if (depth_ == event_depth && key_ == "name") {
      event_.name = std::move(value);
    } else if (depth_ == event_depth + 1 && key_ == "detail") {
      event_.detail = std::move(value);
    }
  }

  void read_number() {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    at_ = std::max(at_ + 1, static_cast<std::size_t>(end - text_.data()));
    if (error != std::errc() || depth_ != event_depth || number < 0 || number > longest_us) return;
    if (key_ == "dur") event_.duration = number;
    if (key_ == "ts") event_.start = number;
    if (key_ == "pid") event_.process = number;
  }

  /// The string that begins here.
  std::string string() {
    std::string value;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') break;
      if (c != '\\') {
        value += c;
      } else if (++at_ < text_.size()) {
        add_escaped(value);
      }
    }
    at_ = std::min(at_ + 1, text_.size());
    return value;
  }

  void add_escaped(std::string& value) {
    const char c = text_[at_];
    constexpr std::string_view names = "nt", meanings = "\n\t";
    if (c != 'u') {
      const std::size_t known = names.find(c);
      value += known == std::string_view::npos ? c : meanings[known];
      return;
    }
    unsigned code = 0;
    const char* const digits = text_.data() + at_ + 1;
    const std::size_t count = std::min<std::size_t>(4, text_.size() - at_ - 1);
    const auto [end, error] = std::from_chars(digits, digits + count, code, 16);
    if (error == std::errc()) append_utf8(value, code);
    at_ += static_cast<std::size_t>(end - digits);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string key_;
  TraceEvent event_;
};

void add(std::optional<microseconds>& sum, std::int64_t duration) {
  sum = sum.value_or(microseconds()) + microseconds(duration);
}

/// Only those that the source itself includes. NVRTC ends the time of a nested header too late, together with the
/// header around it, so that only these are right.
std::vector<HeaderTime> own_includes(std::vector<TraceEvent>& headers) {
  std::sort(headers.begin(), headers.end(), [](const TraceEvent& a, const TraceEvent& b) {
    return a.process != b.process ? a.process < b.process
           : a.start != b.start   ? a.start < b.start
                                  : a.duration > b.duration;
  });
  std::map<std::string, std::int64_t> sums;
  std::int64_t process = -1, end = 0;
  for (TraceEvent& header : headers) {
    if (header.process == process && header.start < end) continue;
    process = header.process;
    end = header.start + header.duration;
    sums[std::move(header.detail)] += header.duration;
  }
  std::vector<HeaderTime> times;
  times.reserve(sums.size());
  for (const auto& [name, sum] : sums) times.push_back({name, microseconds(sum)});
  std::stable_sort(times.begin(), times.end(),
                   [](const HeaderTime& a, const HeaderTime& b) { return a.time > b.time; });
  return times;
}

}  // namespace

CompilerTimes read_time_trace(std::string_view text) {
  CompilerTimes times;
  std::vector<TraceEvent> headers;
  TraceReader(text).for_each_event([&](TraceEvent& event) {
    if (event.name == "Processing Header File") {
      headers.push_back(std::move(event));
    } else if (event.name == "CUDA C++ Front-End" || event.name.find("(preprocessing") != std::string::npos) {
      add(times.front_end, event.duration);
    } else if (event.name == "LibNVVM") {
      add(times.optimizer, event.duration);
    } else if (event.name == "Total PTXAS Time") {
      add(times.ptxas, event.duration);
    }
  });
  times.slowest_headers = own_includes(headers);
  for (const HeaderTime& header : times.slowest_headers) add(times.headers, header.time.count());
  if (times.slowest_headers.size() > most_named) times.slowest_headers.resize(most_named);
  return times;
}

}  // namespace kiln
