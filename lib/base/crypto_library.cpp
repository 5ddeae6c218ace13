#include "base/crypto_library.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "base/shared_library.hpp"

#include <kiln/error.hpp>

#include <memory>
#include <mutex>

namespace kiln {

namespace {

constexpr const char* crypto_name = "libcrypto.so.3";

SharedLibrary open_crypto() try { return SharedLibrary::open(crypto_name); } catch (const Error& error) {
  throw ToolkitError(std::string("signatures need OpenSSL 3: ") + error.what() +
                         ". Debian's package of it is libssl3 (libssl3t64 on newer systems)",
                     {crypto_name});
}

/// What is used of libcrypto, declared here as its header would: its ABI is that of every 3.x.
struct Crypto {
  SharedLibrary library = open_crypto();
  // Its own locks are unknown to fork. Held around every use, so that fork waits, and a child finds them free.
  ForkSafeMutex mutex;

  int (*init)(std::uint64_t options, const void* settings) = require("OPENSSL_init_crypto");
  int (*set_mark)() = require("ERR_set_mark");
  int (*pop_to_mark)() = require("ERR_pop_to_mark");
  void* (*new_private_key)(int type, void* engine, const unsigned char*,
                           std::size_t) = require("EVP_PKEY_new_raw_private_key");
  void* (*new_public_key)(int type, void* engine, const unsigned char*,
                          std::size_t) = require("EVP_PKEY_new_raw_public_key");
  int (*get_public_key)(const void* key, unsigned char*, std::size_t*) = require("EVP_PKEY_get_raw_public_key");
  void (*free_key)(void* key) = require("EVP_PKEY_free");
  void* (*new_context)() = require("EVP_MD_CTX_new");
  void (*free_context)(void* context) = require("EVP_MD_CTX_free");
  int (*sign_init)(void* context, void**, const void* type, void* engine, void* key) = require("EVP_DigestSignInit");
  int (*sign)(void* context, unsigned char*, std::size_t*, const unsigned char*,
              std::size_t) = require("EVP_DigestSign");
  int (*verify_init)(void* context, void**, const void* type, void* engine,
                     void* key) = require("EVP_DigestVerifyInit");
  int (*verify)(void* context, const unsigned char*, std::size_t, const unsigned char*,
                std::size_t) = require("EVP_DigestVerify");

 private:
  FunctionAddress require(const char* name) const {
    if (void* const address = library.symbol(name)) return {address};
    throw ToolkitError(library.path() + " lacks the function " + name + ": signatures need OpenSSL 3", {crypto_name});
  }
};

constexpr int ed25519_type = 1087;                       // EVP_PKEY_ED25519
constexpr std::uint64_t without_exit_handler = 0x80000;  // OPENSSL_INIT_NO_ATEXIT: threads may verify until the end

void require_success(bool good, const char* what) {
  if (!good)
    throw Error(std::string("OpenSSL's ") + crypto_name + " refuses " + what +
                ": is its configuration (openssl.cnf) one that allows it?");
}

/// The library, for one use.
class UseOfCrypto {
 public:
  UseOfCrypto() : crypto_(fork_safe_instance<Crypto>()), lock_(crypto_.mutex) {
    require_success(crypto_.init(without_exit_handler, nullptr) == 1, "to start");
    crypto_.set_mark();
  }
  ~UseOfCrypto() { crypto_.pop_to_mark(); }
  UseOfCrypto(const UseOfCrypto&) = delete;
  UseOfCrypto& operator=(const UseOfCrypto&) = delete;
  const Crypto* operator->() const noexcept { return &crypto_; }

 private:
  Crypto& crypto_;
  std::lock_guard<ForkSafeMutex> lock_;
};

// Both end before the use that they were made in.
using OwnedContext = std::unique_ptr<void, void (*)(void*)>;
using OwnedKey = std::unique_ptr<void, void (*)(void*)>;

OwnedContext make_context(const UseOfCrypto& use) {
  OwnedContext context(use->new_context(), use->free_context);
  require_success(context != nullptr, "memory");
  return context;
}

OwnedKey private_key_of(const UseOfCrypto& use, const Ed25519Key& key) {
  OwnedKey made(use->new_private_key(ed25519_type, nullptr, key.bytes.data(), key.bytes.size()), use->free_key);
  require_success(made != nullptr, "Ed25519 keys");
  return made;
}

}  // namespace

Ed25519Key ed25519_public_key(const Ed25519Key& private_key) {
  const UseOfCrypto use;
  const OwnedKey key = private_key_of(use, private_key);
  Ed25519Key value;
  std::size_t size = value.bytes.size();
  require_success(use->get_public_key(key.get(), value.bytes.data(), &size) == 1, "Ed25519 keys");
  return value;
}

Ed25519Signature ed25519_sign(const Ed25519Key& private_key, std::string_view message) {
  const UseOfCrypto use;
  const OwnedKey key = private_key_of(use, private_key);
  const OwnedContext context = make_context(use);
  Ed25519Signature signature;
  std::size_t size = signature.bytes.size();
  require_success(use->sign_init(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
                      use->sign(context.get(), signature.bytes.data(), &size,
                                reinterpret_cast<const unsigned char*>(message.data()), message.size()) == 1,
                  "to sign by Ed25519");
  return signature;
}

bool ed25519_verify(const Ed25519Key& public_key, std::string_view message, const Ed25519Signature& signature) {
  const UseOfCrypto use;
  const OwnedKey key(use->new_public_key(ed25519_type, nullptr, public_key.bytes.data(), public_key.bytes.size()),
                     use->free_key);
  require_success(key != nullptr, "Ed25519 keys");
  const OwnedContext context = make_context(use);
  require_success(use->verify_init(context.get(), nullptr, nullptr, nullptr, key.get()) == 1, "to verify by Ed25519");
  return use->verify(context.get(), signature.bytes.data(), signature.bytes.size(),
                     reinterpret_cast<const unsigned char*>(message.data()), message.size()) == 1;
}

}  // namespace kiln
