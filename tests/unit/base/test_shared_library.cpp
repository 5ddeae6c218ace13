#include "base/shared_library.hpp"

#include <kiln/error.hpp>

#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <dlfcn.h>

namespace shared_library_test {

using namespace kiln;

TEST_CASE("a library that is there gives its symbols and its file") {
  const SharedLibrary library = SharedLibrary::open("libm.so.6");
  auto* cosine = reinterpret_cast<double (*)(double)>(library.symbol("cos"));
  REQUIRE((cosine != nullptr));
  CHECK(cosine(0.0) == 1.0);
  CHECK(library.symbol("no_such_symbol") == nullptr);
  CHECK(::dlerror() == nullptr);
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
    CHECK(text == "libno-such-library.so.1: cannot open shared object file: No such file or directory");
  }
}

TEST_CASE("a library that comes later is seen") {
  LibraryWatch watch("libanl.so.1");
  CHECK_FALSE(watch.is_loaded());
  CHECK_FALSE(watch.is_loaded());
  SharedLibrary::open("libanl.so.1");
  CHECK(watch.is_loaded());
  CHECK(watch.is_loaded());
}

TEST_CASE("a no is remembered until the loader adds something, and not in a child of fork") {
  test::ScratchFolder folder;
  std::filesystem::copy_file(SharedLibrary::open("libm.so.6").path(), folder / "loaded.so");
  SharedLibrary::open((folder / "loaded.so").string());
  const std::string path = (folder / "lib.so").string();
  LibraryWatch watch(path.c_str());
  CHECK_FALSE(watch.is_loaded());
  // Another name for what is loaded: a search finds it, and nothing is added.
  std::filesystem::create_symlink("loaded.so", path);
  REQUIRE(SharedLibrary::is_loaded(path));
  CHECK_FALSE(watch.is_loaded());
  CHECK(test::in_child([&] { return watch.is_loaded() ? 0 : 1; }) == 0);
  SharedLibrary::open("libBrokenLocale.so.1");
  CHECK(watch.is_loaded());
}

TEST_CASE("Kiln that is linked into the program is in no library") { CHECK(own_library().empty()); }

}  // namespace shared_library_test
