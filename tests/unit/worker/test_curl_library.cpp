#include "worker/remote/curl_library.hpp"

#include "worker/remote/remote_store.hpp"

#include <doctest/doctest.h>

#include <string>

using kiln::CurlLibrary;
using kiln::RemoteFault;

namespace curl_library_test {

TEST_CASE("where there is no libcurl, the error says what to install") {
  try {
    CurlLibrary({"libno-such-one.so.4", "libno-such-other.so.4"});
    FAIL("opened");
  } catch (const RemoteFault& fault) {
    const std::string what = fault.what();
    CAPTURE(what);
    CHECK(what.find("libno-such-one.so.4") != std::string::npos);
    CHECK(what.find("libno-such-other.so.4") != std::string::npos);
    CHECK(what.find("libcurl4") != std::string::npos);
  }
}

TEST_CASE("a library that is not libcurl is named with what it lacks") {
  CHECK_THROWS_WITH_AS(CurlLibrary({"libc.so.6"}), doctest::Contains("curl_global_init"), RemoteFault);
}

TEST_CASE("the first file that can be opened is used") {
  const CurlLibrary library({"libno-such-one.so.4", "libcurl.so.4"});
  CHECK(library.library.path().find("libcurl") != std::string::npos);
  CHECK(library.getdate("Mon, 23 Nov 2026 14:47:01 GMT", nullptr) == 1795445221);
}

}  // namespace curl_library_test
