#include "worker/remote/tls_library.hpp"

#include <kiln/error.hpp>

#include <cstdint>
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

}  // namespace kiln
