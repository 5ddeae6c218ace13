// Requests to one HTTP server over one connection, by libcurl. What answers mean is not known here.
#pragma once

#include "worker/remote/http_transfer.hpp"

#include <memory>
#include <vector>

namespace kiln {

/// Connects when first asked, and again where the server has closed the connection. Credentials go to this server
/// alone: redirects are answers as any others. Not to be shared between threads.
class HttpConnection {
 public:
  explicit HttpConnection(const RemoteAddress& address);

  /// All answers, in the order of the requests: one after the other, or, where the server speaks HTTP/2, side by side.
  /// Throws RemoteFault where one does not arrive, whole, by the deadline; the connection is closed then.
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
