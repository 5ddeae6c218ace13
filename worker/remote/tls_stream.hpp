// A connection through TLS.
#pragma once

#include "worker/remote/byte_stream.hpp"
#include "worker/remote/tls_library.hpp"

#include <memory>
#include <string>

namespace kiln {

/// OpenSSL works on memory, and the bytes go through a SocketStream: so waiting, deadlines and signals are as there.
class TlsStream final : public ByteStream {
 public:
  /// Connects, as SocketStream does, and shakes hands until the deadline. The server's certificate has to be of the
  /// address's host, and from one of the system's authorities (SSL_CERT_FILE and SSL_CERT_DIR name others).
  TlsStream(const RemoteAddress& address, Clock::time_point deadline);

  std::size_t read(char* bytes, std::size_t size) override;
  std::size_t write(std::string_view bytes) override;
  bool flush() override;
  bool wait(bool to_write, Clock::time_point until) override { return socket_.wait(to_write, until); }

 private:
  void expect_host();
  void shake_hands(Clock::time_point deadline);
  /// Whether anything came.
  bool fill();
  /// What a call of OpenSSL that did nothing waits for: true, the server's bytes. Throws what is wrong.
  bool wants_bytes(int result) const;

  RemoteAddress address_;
  const TlsLibrary& tls_;
  SocketStream socket_;
  std::unique_ptr<void, void (*)(void*)> session_;
  void* received_;  // memories, which the session owns
  void* to_send_;
  std::string unsent_;
};

}  // namespace kiln
