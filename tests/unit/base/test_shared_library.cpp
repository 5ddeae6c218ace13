#include "base/shared_library.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

using namespace kiln;

TEST_CASE("a library that is there gives its symbols and its file") {
  const SharedLibrary library = SharedLibrary::open("libm.so.6");
  auto* cosine = reinterpret_cast<double (*)(double)>(library.symbol("cos"));
  REQUIRE((cosine != nullptr));
  CHECK(cosine(0.0) == 1.0);
  CHECK(library.symbol("no_such_symbol") == nullptr);
  CHECK(library.path().find("/libm") != std::string::npos);
  CHECK(SharedLibrary::is_loaded("libm.so.6"));
}

TEST_CASE("a library that is not there gives the loader's reason") {
  CHECK_FALSE(SharedLibrary::is_loaded("libno-such-library.so.1"));
  try {
    SharedLibrary::open("libno-such-library.so.1");
    FAIL("opened");
  } catch (const Error& error) {
    const std::string text = error.what();
    CHECK(text.find("libno-such-library.so.1") != std::string::npos);
    CHECK(text.find("cannot open shared object file") != std::string::npos);
  }
}
