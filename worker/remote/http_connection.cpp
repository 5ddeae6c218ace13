#include "worker/remote/http_connection.hpp"

#include "base/files.hpp"
#include "base/text_parts.hpp"
#include "worker/remote/remote_fault.hpp"

#include <algorithm>
#include <deque>
#include <new>
#include <system_error>

namespace kiln {
namespace {

using std::chrono::milliseconds;

// Streams of one connection of HTTP/2. Servers allow a hundred and more.
constexpr std::size_t most_side_by_side = 32;
constexpr std::uint64_t most_token_bytes = std::uint64_t{64} << 10U;

milliseconds time_until(RemoteStore::Clock::time_point deadline) {
  return std::chrono::ceil<milliseconds>(deadline - RemoteStore::Clock::now());
}

}  // namespace

/// The requests of one call. At its end, whatever it is, no transfer is under way.
class HttpConnection::Round {
 public:
  Round(HttpConnection& connection, const std::vector<HttpRequest>& requests, RemoteStore::Clock::time_point deadline)
      : connection_(connection),
        curl_(connection.curl_),
        multi_(connection.multi_.get()),
        requests_(requests),
        deadline_(deadline),
        token_(connection.bearer_token()),
        answers_(requests.size()) {}
  ~Round() {
    for (const HttpTransfer& transfer : transfers_) curl_.multi_remove_handle(multi_, transfer.easy());
  }
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;

  std::vector<HttpAnswer> run() {
    while (done_ < requests_.size()) {
      start_some();
      int running = 0;
      check(curl_.multi_perform(multi_, &running));
      take_some();
      check_size();
      if (done_ == transfers_.size()) continue;
      const milliseconds left = time_left();
      check(curl_.multi_poll(multi_, nullptr, 0, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000)),
                             nullptr));
    }
    return std::move(answers_);
  }

 private:
  void start_some() {
    while (transfers_.size() < requests_.size() && transfers_.size() - done_ < side_by_side_) {
      const milliseconds connect_time = std::min(connection_.address_.connect_timeout, time_left());
      transfers_.emplace_back(curl_, connection_.address_, token_, requests_[transfers_.size()], connect_time);
      check(curl_.multi_add_handle(multi_, transfers_.back().easy()));
    }
  }

  void take_some() {
    int more = 0;
    while (const CURLMsg* const message = curl_.multi_info_read(multi_, &more)) {
      const CURLcode result = message->data.result;
      const auto transfer = std::find_if(transfers_.begin(), transfers_.end(), [message](const HttpTransfer& other) {
        return other.easy() == message->easy_handle;
      });
      HttpAnswer& answer = answers_[static_cast<std::size_t>(transfer - transfers_.begin())];
      answer = transfer->take(result);
      ++done_;
      if (transfer->is_http_2()) side_by_side_ = most_side_by_side;
    }
  }

  void check_size() const {
    std::size_t all = 0;
    for (const HttpAnswer& answer : answers_) all += answer.body.size();
    for (const HttpTransfer& transfer : transfers_) all += transfer.received();
    if (all > RemoteStore::most_bytes_at_once)
      throw_remote_fault(connection_.address_, "the server's answers are too large");
  }

  milliseconds time_left() const {
    const milliseconds left = time_until(deadline_);
    if (left.count() <= 0) throw_remote_fault(connection_.address_, "no answer in time");
    return left;
  }

  void check(CURLMcode fault) const {
    if (fault != CURLM_OK) throw_remote_fault(connection_.address_, curl_.multi_strerror(fault));
  }

  const HttpConnection& connection_;
  const CurlLibrary& curl_;
  CURLM* multi_;
  const std::vector<HttpRequest>& requests_;
  RemoteStore::Clock::time_point deadline_;
  std::string token_;
  std::deque<HttpTransfer> transfers_;
  std::vector<HttpAnswer> answers_;
  std::size_t done_ = 0;
  // The first one makes the connection, so that no other waits for it in the time that connecting may take.
  std::size_t side_by_side_ = 1;
};

HttpConnection::HttpConnection(const RemoteAddress& address)
    : address_(address), curl_(CurlLibrary::get()), multi_(nullptr, curl_.multi_cleanup) {}

std::vector<HttpAnswer> HttpConnection::ask(const std::vector<HttpRequest>& requests,
                                            RemoteStore::Clock::time_point deadline) try {
  open();
  return Round(*this, requests, deadline).run();
} catch (...) {
  close();
  throw;
}

void HttpConnection::open() {
  if (multi_ != nullptr) return;
  multi_.reset(curl_.multi_init());
  if (multi_ == nullptr) throw std::bad_alloc();
  curl_.multi_setopt(multi_.get(), CURLMOPT_MAX_TOTAL_CONNECTIONS, 1L);
}

/// Read each time, as tokens are replaced while programs run. Empty where there is to be none.
std::string HttpConnection::bearer_token() const {
  const std::string& file = address_.bearer_token_file;
  if (file.empty()) return {};
  std::string bytes;
  FileStatus status;
  ReadOptions options;
  options.max_size = most_token_bytes;
  if (const int code = read_file(FileSystem::real(), file, bytes, status, options); code != 0)
    throw_remote_fault(address_,
                       "cannot read its bearer token " + file + ": " + std::generic_category().message(-code));
  const std::string_view token = trimmed(bytes);
  if (token.empty() || !std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c <= '~'; }))
    throw_remote_fault(address_, file + " is to hold a bearer token, one word, and does not");
  return std::string(token);
}

}  // namespace kiln
