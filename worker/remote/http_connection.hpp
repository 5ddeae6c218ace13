// Requests to one HTTP server over one connection, by libcurl. What answers mean is not known here.
#pragma once

#include "worker/remote/curl_library.hpp"
#include "worker/remote/remote_store.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct HttpRequest {
  enum class Method : std::uint8_t { get, put, remove };

  Method method = Method::get;
  std::string path;            // after the address, beginning with a slash
  std::string_view body = {};  // of a put
  std::size_t most_bytes = 0;  // of a get: only the value's beginning, where the server can; 0: all
};

/// A complete response; of a body beyond RemoteStore::most_bytes only that fact is known.
struct HttpAnswer {
  long status = 0;
  std::string body = {};
  bool is_too_large = false;
  std::string server = {};                            // what it calls itself
  std::optional<std::chrono::seconds> ahead_by = {};  // its clock over this machine's
};

/// Is where it was made, as libcurl has its address.
class HttpTransfer {
 public:
  /// The request's body and the token outlive it. `connect_time` is for a connection that has to be made.
  HttpTransfer(const CurlLibrary& curl, const RemoteAddress& address, const std::string& bearer_token,
               const HttpRequest& request, std::chrono::milliseconds connect_time);
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  CURL* easy() const noexcept { return easy_.get(); }
  /// Bytes of the answer's body so far, until it is taken.
  std::size_t received() const noexcept { return answer_.body.size(); }
  /// The response, once libcurl is done with the request. Throws RemoteFault where it is incomplete.
  HttpAnswer take(CURLcode result);
  bool is_http_2() const;

 private:
  template <class Value>
  void set(CURLoption option, Value value);
  void set_request(const HttpRequest& request);
  void set_security(const std::string& bearer_token);
  void take_header(std::string_view line);
  bool take_body(std::string_view bytes);
  void check_end() const;

  static std::size_t on_header(char* bytes, std::size_t one, std::size_t size, void* self) noexcept;
  static std::size_t on_body(char* bytes, std::size_t one, std::size_t size, void* self) noexcept;

  const CurlLibrary& curl_;
  const RemoteAddress& address_;
  std::unique_ptr<CURL, decltype(&::curl_easy_cleanup)> easy_;
  std::unique_ptr<curl_slist, decltype(&::curl_slist_free_all)> headers_;
  std::array<char, CURL_ERROR_SIZE> words_{};
  HttpAnswer answer_;
  bool is_head_whole_ = false;
  bool is_chunked_ = false;
};

/// Connects at the first request, and again where the server has closed the connection. Credentials go to this server
/// alone: redirects are responses as any others. Not to be shared between threads.
class HttpConnection {
 public:
  explicit HttpConnection(const RemoteAddress& address);

  /// All responses, in the order of the requests: one after the other, or, where the server speaks HTTP/2, in parallel.
  /// Throws RemoteFault where one does not arrive completely by the deadline; the connection is closed then.
  std::vector<HttpAnswer> ask(const std::vector<HttpRequest>& requests, RemoteStore::Clock::time_point deadline);
  void close() noexcept { multi_.reset(); }

 private:
  class Round;
  void open();
  std::string bearer_token() const;

  RemoteAddress address_;
  const CurlLibrary& curl_;
  std::unique_ptr<CURLM, decltype(&::curl_multi_cleanup)> multi_;  // has the connection
};

}  // namespace kiln
