#include "compile/header_trace.hpp"

#include "base/file_size_limit.hpp"
#include "base/files.hpp"

#include <nlohmann/json.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <unordered_set>

namespace kiln {

namespace {

constexpr const char* link_name = "/t.json";
// Ten times what the largest sources of CUB have.
constexpr std::uint64_t longest_trace = std::uint64_t{64} << 20;

/// Collects while it reads: a trace of a CUB source has thousands of events, and only the headers' names are wanted.
class TraceReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::vector<std::string> headers;
  bool has_events = false;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool string(string_t& value) override {
    if (key_ == "detail") {
      detail_ = std::move(value);
    } else if (key_ == "name" && depth_ == 2) {
      is_header_ = value == "Processing Header File";
    }
    return true;
  }
  bool key(string_t& value) override {
    key_ = std::move(value);
    if (depth_ == 1 && key_ == "traceEvents") has_events = true;
    return true;
  }
  bool start_object(std::size_t) override {
    if (++depth_ == 2) {
      is_header_ = false;
      detail_.clear();
    }
    return true;
  }
  bool end_object() override {
    if (depth_-- == 2 && is_header_ && seen_.insert(detail_).second) headers.push_back(detail_);
    return true;
  }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  int depth_ = 0;
  bool is_header_ = false;
  std::string key_;
  std::string detail_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

HeaderTrace::HeaderTrace() : memory_(::memfd_create("kiln-trace", MFD_CLOEXEC)), folder_(temporary_files(), "trace") {
  if (memory_.get() < 0 || folder_.error() != 0) return;
  const std::string link = folder_.path() + link_name;
  const std::string target = "/proc/self/fd/" + std::to_string(memory_.get());
  if (::symlink(target.c_str(), link.c_str()) != 0) return;
  if (!file_size_allowed(longest_trace)) return;        // NVRTC crashes where it cannot write all
  if (::access(link.c_str(), W_OK) == 0) link_ = link;  // without /proc the link leads nowhere
}

std::string HeaderTrace::option() const { return "-fdevice-time-trace=" + link_.substr(0, link_.rfind('.')); }

std::optional<std::vector<std::string>> HeaderTrace::headers() const {
  std::string json;
  if (read_file(FileSystem::real(), link_, json) != 0 || json.empty()) return std::nullopt;
  auto headers = parse_header_trace(json);
  // Which every compile reads first. A trace without it is one that lists no headers.
  if (headers && std::find(headers->begin(), headers->end(), nvrtc_builtin_header) == headers->end())
    return std::nullopt;
  return headers;
}

std::optional<std::vector<std::string>> parse_header_trace(std::string_view json) {
  TraceReader reader;
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &reader) || !reader.has_events) return std::nullopt;
  return std::move(reader.headers);
}

}  // namespace kiln
