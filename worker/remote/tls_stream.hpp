// A connection through TLS.
#pragma once

#include "base/shared_library.hpp"
#include "worker/remote/byte_stream.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace kiln {

/// The functions of libssl and libcrypto by their own names, declared here as OpenSSL's headers would: the ABI is that
/// of every 3.x. Opened when first asked for, so that a process without such a remote maps neither.
class TlsLibrary {
 public:
  /// Throws Error that says what to install.
  static const TlsLibrary& open();

 private:
  TlsLibrary();
  static FunctionAddress require(const SharedLibrary& library, const char* name);

  SharedLibrary crypto_;
  SharedLibrary ssl_;

  FunctionAddress in_crypto(const char* name) const { return require(crypto_, name); }
  FunctionAddress in_ssl(const char* name) const { return require(ssl_, name); }

 public:
  void* (*BIO_new)(const void* kind) = in_crypto("BIO_new");
  const void* (*BIO_s_mem)() = in_crypto("BIO_s_mem");
  int (*BIO_read)(void* bio, void* bytes, int size) = in_crypto("BIO_read");
  int (*BIO_write)(void* bio, const void* bytes, int size) = in_crypto("BIO_write");
  void (*ERR_clear_error)() = in_crypto("ERR_clear_error");
  unsigned long (*ERR_get_error)() = in_crypto("ERR_get_error");
  const char* (*ERR_reason_error_string)(unsigned long error) = in_crypto("ERR_reason_error_string");
  int (*X509_VERIFY_PARAM_set1_ip_asc)(void* parameters, const char* ip) = in_crypto("X509_VERIFY_PARAM_set1_ip_asc");
  const char* (*X509_verify_cert_error_string)(long result) = in_crypto("X509_verify_cert_error_string");

  const void* (*TLS_client_method)() = in_ssl("TLS_client_method");
  void* (*SSL_CTX_new)(const void* method) = in_ssl("SSL_CTX_new");
  void (*SSL_CTX_free)(void* context) = in_ssl("SSL_CTX_free");
  long (*SSL_CTX_ctrl)(void* context, int command, long number, void* pointer) = in_ssl("SSL_CTX_ctrl");
  int (*SSL_CTX_set_default_verify_paths)(void* context) = in_ssl("SSL_CTX_set_default_verify_paths");
  void (*SSL_CTX_set_verify)(void* context, int mode, void* callback) = in_ssl("SSL_CTX_set_verify");
  void* (*SSL_new)(void* context) = in_ssl("SSL_new");
  void (*SSL_free)(void* ssl) = in_ssl("SSL_free");
  void (*SSL_set_bio)(void* ssl, void* read_from, void* write_to) = in_ssl("SSL_set_bio");
  long (*SSL_ctrl)(void* ssl, int command, long number, void* pointer) = in_ssl("SSL_ctrl");
  int (*SSL_set1_host)(void* ssl, const char* host) = in_ssl("SSL_set1_host");
  void* (*SSL_get0_param)(void* ssl) = in_ssl("SSL_get0_param");
  int (*SSL_connect)(void* ssl) = in_ssl("SSL_connect");
  int (*SSL_read)(void* ssl, void* bytes, int size) = in_ssl("SSL_read");
  int (*SSL_write)(void* ssl, const void* bytes, int size) = in_ssl("SSL_write");
  int (*SSL_get_error)(const void* ssl, int result) = in_ssl("SSL_get_error");
  long (*SSL_get_verify_result)(const void* ssl) = in_ssl("SSL_get_verify_result");
};

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
