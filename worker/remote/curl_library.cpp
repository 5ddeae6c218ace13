#include "worker/remote/curl_library.hpp"

#include "worker/remote/remote_store.hpp"

namespace kiln {
namespace {

constexpr const char* curl_advice =
    ": remote caches over HTTP need libcurl 7.66 or newer (Debian and Ubuntu: libcurl4)";

SharedLibrary open_first(const std::vector<std::string>& files) {
  std::string reasons;
  for (const std::string& file : files) {
    try {
      return SharedLibrary::open(file);
    } catch (const Error& error) {
      reasons += (reasons.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  throw RemoteFault("libcurl cannot be opened (" + reasons + ")" + curl_advice);
}

}  // namespace

CurlLibrary::CurlLibrary(const std::vector<std::string>& files) : library(open_first(files)) {
  if (const CURLcode fault = global_init(CURL_GLOBAL_DEFAULT); fault != CURLE_OK)
    throw RemoteFault(library.path() + " cannot set itself up: " + easy_strerror(fault));
}

const CurlLibrary& CurlLibrary::get() {
  // Debian's second one is the same library over GnuTLS.
  static const CurlLibrary opened({"libcurl.so.4", "libcurl-gnutls.so.4"});
  return opened;
}

FunctionAddress CurlLibrary::required(const char* name) const {
  if (void* const address = library.symbol(name)) return {address};
  throw RemoteFault(library.path() + " has no " + name + curl_advice);
}

}  // namespace kiln
