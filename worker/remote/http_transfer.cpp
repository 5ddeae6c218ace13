#include "worker/remote/http_transfer.hpp"

#include "base/environment.hpp"
#include "base/text_parts.hpp"
#include "worker/remote/remote_fault.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include <fcntl.h>
#include <sys/socket.h>

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
  // A name's look-up that hangs is left behind at the deadline. Before 7.87 libcurl waits for its end.
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
  // As a POST of bytes that are at hand, which can be sent again where an idle connection turns out to be closed.
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

/// libcurl takes an answer that ends too early for a whole one where nothing says how long it is.
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

}  // namespace kiln
