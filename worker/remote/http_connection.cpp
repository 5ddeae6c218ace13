#include "worker/remote/http_connection.hpp"

#include "base/environment.hpp"
#include "base/files.hpp"
#include "base/text_parts.hpp"
#include "worker/remote/remote_fault.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <deque>
#include <new>
#include <system_error>
#include <utility>

namespace kiln {

namespace {

/// libcurl before 8.16 makes sockets that programs started beside it would inherit.
curl_socket_t open_socket(void* /*nothing*/, curlsocktype /*purpose*/, curl_sockaddr* address) {
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace

HttpTransfer::HttpTransfer(const CurlLibrary& curl, const RemoteAddress& address, const std::string& bearer_token,
                           const HttpRequest& request, std::chrono::milliseconds connect_time)
    : curl_(curl),
      address_(address),
      easy_(curl.easy_init(), curl.easy_cleanup),
      headers_(nullptr, curl.slist_free_all) {
  if (easy_ == nullptr) throw std::bad_alloc();
  set(CURLOPT_ERRORBUFFER, words_.data());
  set(CURLOPT_NOSIGNAL, 1L);
  // shown() is scheme, host, port and path, and no secret: what a URL is here, too.
  set(CURLOPT_URL, (address.shown() + request.path).c_str());
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(std::max<std::int64_t>(connect_time.count(), 1)));
  set(CURLOPT_OPENSOCKETFUNCTION, &open_socket);
  set(CURLOPT_USERAGENT, "kiln");
  set(CURLOPT_HEADERFUNCTION, &HttpTransfer::on_header);
  set(CURLOPT_HEADERDATA, this);
  set(CURLOPT_WRITEFUNCTION, &HttpTransfer::on_body);
  set(CURLOPT_WRITEDATA, this);
  set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(RemoteStore::most_bytes));
  // A name's look-up that hangs is abandoned at the deadline. Before 7.87 libcurl waits for its end.
  curl_.easy_setopt(easy(), CURLOPT_QUICK_EXIT, 1L);
  set_security(bearer_token);
  set_request(request);
}

template <class Value>
void HttpTransfer::set(CURLoption option, Value value) {
  if (const CURLcode fault = curl_.easy_setopt(easy(), option, value); fault != CURLE_OK)
    throw_remote_fault(address_,
                       "libcurl refuses its option " + std::to_string(option) + ": " + curl_.easy_strerror(fault));
}

void HttpTransfer::set_security(const std::string& bearer_token) {
  if (!bearer_token.empty()) {
    set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BEARER));
    set(CURLOPT_XOAUTH2_BEARER, bearer_token.c_str());
  } else if (!address_.user.empty() || !address_.password.empty()) {
    set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
    set(CURLOPT_USERNAME, address_.user.c_str());
    set(CURLOPT_PASSWORD, address_.password.c_str());
  }
  // As the program curl does; the library itself does not ask for it.
  if (const auto authorities = environment("SSL_CERT_FILE")) set(CURLOPT_CAINFO, authorities->c_str());
}

void HttpTransfer::set_request(const HttpRequest& request) {
  if (request.method == HttpRequest::Method::remove) set(CURLOPT_CUSTOMREQUEST, "DELETE");
  if (request.most_bytes > 0) set(CURLOPT_RANGE, ("0-" + std::to_string(request.most_bytes - 1)).c_str());
  if (request.method != HttpRequest::Method::put) return;
  // As a POST of bytes in memory, which can be sent again where an idle connection turns out to be closed.
  set(CURLOPT_CUSTOMREQUEST, "PUT");
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  set(CURLOPT_POSTFIELDS, request.body.empty() ? "" : request.body.data());
  // No "Expect: 100-continue": a server that does not know it costs a second.
  for (const char* const header : {"Content-Type: application/octet-stream", "Expect:"}) {
    curl_slist* const longer = curl_.slist_append(headers_.get(), header);
    if (longer == nullptr) throw std::bad_alloc();
    static_cast<void>(headers_.release());
    headers_.reset(longer);
  }
  set(CURLOPT_HTTPHEADER, headers_.get());
}

std::size_t HttpTransfer::on_header(char* bytes, std::size_t one, std::size_t size, void* self) noexcept try {
  static_cast<HttpTransfer*>(self)->take_header({bytes, one * size});
  return one * size;
} catch (...) {
  return 0;  // no memory: libcurl ends the transfer
}

std::size_t HttpTransfer::on_body(char* bytes, std::size_t one, std::size_t size, void* self) noexcept try {
  return static_cast<HttpTransfer*>(self)->take_body({bytes, one * size}) ? one * size : 0;
} catch (...) {
  return 0;
}

void HttpTransfer::take_header(std::string_view line) {
  if (line.substr(0, 5) == "HTTP/") {  // of a proxy, or of an interim answer, there is another one before
    answer_ = {};
    is_head_whole_ = is_chunked_ = false;
    return;
  }
  line = trimmed(line);
  if (line.empty()) {
    is_head_whole_ = true;
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string name = lower_case(line.substr(0, colon));
  const std::string value(trimmed(line.substr(colon + 1)));
  if (name == "server") {
    answer_.server = server_words(address_, value);
  } else if (name == "transfer-encoding") {
    is_chunked_ = contains(lower_case(value), "chunked");
  } else if (name == "date") {
    using std::chrono::system_clock;
    const std::time_t time = curl_.getdate(value.c_str(), nullptr);
    if (time >= 0) answer_.ahead_by = std::chrono::seconds(time - system_clock::to_time_t(system_clock::now()));
  }
}

bool HttpTransfer::take_body(std::string_view bytes) {
  answer_.is_too_large = bytes.size() > RemoteStore::most_bytes - answer_.body.size();
  if (!answer_.is_too_large) answer_.body += bytes;
  return !answer_.is_too_large;
}

HttpAnswer HttpTransfer::take(CURLcode result) {
  if (result == CURLE_FILESIZE_EXCEEDED) answer_.is_too_large = true;
  if (result != CURLE_OK && !answer_.is_too_large) {
    // Of a proxy that it cannot use, libcurl quotes the whole address, which may hold a password.
    const bool is_quoting = words_[0] == '\0' || contains(words_.data(), "://");
    const char* const advice =
        result == CURLE_COULDNT_CONNECT ? ": check the address, and that a server runs there" : "";
    throw_remote_fault(address_,
                       (is_quoting ? curl_.easy_strerror(result) : server_words(address_, words_.data())) + advice);
  }
  curl_.easy_getinfo(easy(), CURLINFO_RESPONSE_CODE, &answer_.status);
  if (answer_.is_too_large) {
    answer_.body.clear();
  } else {
    check_end();
  }
  return std::exchange(answer_, {});
}

/// libcurl takes a response that ends too early for a complete one where nothing says how long it is.
void HttpTransfer::check_end() const {
  if (!is_head_whole_) throw_remote_fault(address_, "the answer ends within its head");
  curl_off_t length = -1;
  curl_.easy_getinfo(easy(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  const bool is_of_that_length = length >= 0 && static_cast<std::uint64_t>(length) == answer_.body.size();
  if ((answer_.status == 200 || answer_.status == 206) && !is_of_that_length && !is_chunked_ && !is_http_2())
    throw_remote_fault(address_, "a value of unknown length: the server has to send Content-Length, or chunks");
}

bool HttpTransfer::is_http_2() const {
  long version = 0;
  curl_.easy_getinfo(easy(), CURLINFO_HTTP_VERSION, &version);
  return version >= CURL_HTTP_VERSION_2_0;
}

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
