#include "worker/remote/tls_stream.hpp"

#include "worker/remote/remote_fault.hpp"

#include <kiln/error.hpp>

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <string>

namespace kiln {

namespace {

constexpr const char* way_out = ". Debian's package of it is libssl3 (libssl3t64 on newer systems)";

SharedLibrary open_for_tls(const char* name) try { return SharedLibrary::open(name); } catch (const Error& error) {
  throw Error(std::string("TLS needs OpenSSL 3: ") + error.what() + way_out);
}

}  // namespace

const TlsLibrary& TlsLibrary::open() {
  static const TlsLibrary library;
  return library;
}

TlsLibrary::TlsLibrary() : crypto_(open_for_tls("libcrypto.so.3")), ssl_(open_for_tls("libssl.so.3")) {
  // Without its exit handler: a thread may be within a connection then.
  constexpr std::uint64_t without_exit_handler = 0x80000;  // OPENSSL_INIT_NO_ATEXIT
  int (*const init)(std::uint64_t, const void*) = in_ssl("OPENSSL_init_ssl");
  if (init(without_exit_handler, nullptr) != 1)
    throw Error("OpenSSL does not start: is its configuration (openssl.cnf) one that allows it?");
}

FunctionAddress TlsLibrary::require(const SharedLibrary& library, const char* name) {
  if (void* const address = library.symbol(name)) return {address};
  throw Error(library.path() + " lacks the function " + name + ": TLS needs OpenSSL 3" + way_out);
}

namespace {

// Of OpenSSL's headers.
constexpr int set_min_version = 123;     // SSL_CTRL_SET_MIN_PROTO_VERSION
constexpr long version_1_2 = 0x0303;     // TLS1_2_VERSION
constexpr int set_mode = 33;             // SSL_CTRL_MODE
constexpr long with_moving_buffers = 3;  // SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
constexpr int set_server_name = 55;      // SSL_CTRL_SET_TLSEXT_HOSTNAME
constexpr int verify_peer = 1;           // SSL_VERIFY_PEER
constexpr int error_want_read = 2;       // SSL_ERROR_WANT_READ
constexpr int error_want_write = 3;      // SSL_ERROR_WANT_WRITE
constexpr int error_closed = 6;          // SSL_ERROR_ZERO_RETURN

constexpr std::size_t piece_bytes = std::size_t{16} << 10U;

const TlsLibrary& tls_library_for(const RemoteAddress& address) try {
  return TlsLibrary::open();
} catch (const Error& error) {
  throw_remote_fault(address, error.what());
}

bool is_numeric(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes;
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

/// A context of its own for each connection: there are few, and the environment may name other authorities by now.
void* new_session(const TlsLibrary& tls) {
  const std::unique_ptr<void, void (*)(void*)> context(tls.SSL_CTX_new(tls.TLS_client_method()), tls.SSL_CTX_free);
  if (!context) throw std::bad_alloc();
  tls.SSL_CTX_ctrl(context.get(), set_min_version, version_1_2, nullptr);
  tls.SSL_CTX_ctrl(context.get(), set_mode, with_moving_buffers, nullptr);
  tls.SSL_CTX_set_verify(context.get(), verify_peer, nullptr);
  tls.SSL_CTX_set_default_verify_paths(context.get());
  void* const session = tls.SSL_new(context.get());  // which holds the context
  if (session == nullptr) throw std::bad_alloc();
  return session;
}

}  // namespace

TlsStream::TlsStream(const RemoteAddress& address, Clock::time_point deadline)
    : address_(address),
      tls_(tls_library_for(address)),
      socket_(address, deadline),
      session_(new_session(tls_), tls_.SSL_free),
      received_(tls_.BIO_new(tls_.BIO_s_mem())),
      to_send_(tls_.BIO_new(tls_.BIO_s_mem())) {
  if (received_ == nullptr || to_send_ == nullptr) throw std::bad_alloc();
  tls_.SSL_set_bio(session_.get(), received_, to_send_);
  expect_host();
  shake_hands(deadline);
}

void TlsStream::expect_host() {
  // A name is said to the server, too, as it may have several certificates.
  std::string host = address_.host;
  const bool is_set = is_numeric(host)
                          ? tls_.X509_VERIFY_PARAM_set1_ip_asc(tls_.SSL_get0_param(session_.get()), host.c_str()) == 1
                          : tls_.SSL_set1_host(session_.get(), host.c_str()) == 1 &&
                                tls_.SSL_ctrl(session_.get(), set_server_name, 0, host.data()) == 1;
  if (!is_set) throw_remote_fault(address_, "TLS does not take this name of a host");
}

void TlsStream::shake_hands(Clock::time_point deadline) {
  for (;;) {
    tls_.ERR_clear_error();
    const int result = tls_.SSL_connect(session_.get());
    const bool is_sent = flush();
    if (result == 1) return;
    const bool is_waiting = wants_bytes(result);
    if (Clock::now() >= deadline || (is_waiting && !fill() && !wait(!is_sent, deadline)))
      throw_remote_fault(address_, "no TLS connection in time: is it a port with TLS?");
  }
}

std::size_t TlsStream::read(char* bytes, std::size_t size) {
  for (;;) {
    tls_.ERR_clear_error();
    const int count = tls_.SSL_read(session_.get(), bytes, static_cast<int>(std::min(size, piece_bytes)));
    flush();
    if (count > 0) return static_cast<std::size_t>(count);
    if (!wants_bytes(count) || !fill()) return 0;
  }
}

std::size_t TlsStream::write(std::string_view bytes) {
  if (!flush()) return 0;  // or memory would hold all of it
  tls_.ERR_clear_error();
  const int count = tls_.SSL_write(session_.get(), bytes.data(), static_cast<int>(std::min(bytes.size(), piece_bytes)));
  flush();
  if (count > 0) return static_cast<std::size_t>(count);
  wants_bytes(count);
  return 0;
}

bool TlsStream::flush() {
  for (;;) {
    if (unsent_.empty()) {
      std::array<char, 2 * piece_bytes> piece;
      const int count = tls_.BIO_read(to_send_, piece.data(), static_cast<int>(piece.size()));
      if (count <= 0) return true;
      unsent_.assign(piece.data(), static_cast<std::size_t>(count));
    }
    const std::size_t count = socket_.write(unsent_);
    if (count == 0) return false;
    unsent_.erase(0, count);
  }
}

bool TlsStream::fill() {
  std::array<char, 2 * piece_bytes> piece;
  const std::size_t count = socket_.read(piece.data(), piece.size());
  if (count == 0) return false;
  if (tls_.BIO_write(received_, piece.data(), static_cast<int>(count)) != static_cast<int>(count))
    throw std::bad_alloc();
  return true;
}

bool TlsStream::wants_bytes(int result) const {
  const int error = tls_.SSL_get_error(session_.get(), result);
  if (error == error_want_read) return true;
  if (error == error_want_write) return false;
  if (error == error_closed) throw_remote_fault(address_, "the server closed the connection");
  if (const long verified = tls_.SSL_get_verify_result(session_.get()); verified != 0)
    throw_remote_fault(address_, std::string("the server's certificate is refused (") +
                                     tls_.X509_verify_cert_error_string(verified) +
                                     "). SSL_CERT_FILE or SSL_CERT_DIR name further authorities");
  const char* const reason = tls_.ERR_reason_error_string(tls_.ERR_get_error());
  throw_remote_fault(address_, std::string("TLS failed (") + (reason != nullptr ? reason : "no reason given") + ")");
}

}  // namespace kiln
