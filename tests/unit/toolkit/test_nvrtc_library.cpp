#include "toolkit/libraries/nvrtc_library.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <kiln/error.hpp>

#include <cstdio>
#include <thread>

#include "in_child.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"
#include "toolkit/libraries/nvrtc_use.hpp"
#include "toolkit/locate/toolkit.hpp"

namespace nvrtc_library_test {

namespace fs = std::filesystem;
using kiln::NvrtcLibrary;
using kiln::test::contains;
using kiln::test::in_child;
using kiln::test::message_of;
using kiln::test::ScratchFolder;

namespace {

// What NvrtcLibrary::get throws in a process whose CUDA_HOME is that folder; in a child, since success is for ever.
bool get_fails_with(const ScratchFolder& home, std::initializer_list<const char*> parts) {
  return in_child([&] {
           setenv("CUDA_HOME", home.path().c_str(), 1);
           const std::string message = message_of<kiln::ToolkitError>([] { NvrtcLibrary::get(); });
           for (const char* part : parts) {
             if (contains(message, part)) continue;
             std::fprintf(stderr, "'%s' is not in: %s\n", part, message.c_str());
             return 1;
           }
           return message_of<kiln::ToolkitError>([] { NvrtcLibrary::get(); }) == message ? 0 : 2;  // none was kept
         }) == 0;
}

}  // namespace

TEST_CASE("a child is refused where a thread of its parent was inside NVRTC at the fork") {
  const auto refused = [] { return contains(message_of<kiln::ToolkitError>([] { kiln::NvrtcUse use; }), "fork"); };
  CHECK(in_child([&] {
          if (refused()) return 1;
          {
            const kiln::NvrtcUse use;
            // The child's own child, too; and its end does not count as the parent's.
            if (in_child([&] { return refused() && in_child(refused) == 1 ? 3 : 4; }) != 3) return 2;
            if (refused()) return 5;
          }
          return in_child(refused) == 0 ? 0 : 6;
        }) == 0);
}

TEST_CASE("a missing builtins library is named before any compile") {
  const ScratchFolder home;
  home.write("include/cuda.h", "");
  fs::create_directories(home / "lib64");
  fs::copy_file(FAKE_NVRTC, home / "lib64/libnvrtc.so.13");
  CHECK(get_fails_with(home, {"libnvrtc-builtins.so.13.7", "libnvrtc.so.13", "CUDA_HOME"}));
}

TEST_CASE("a missing function is named") {
  const ScratchFolder home;
  fs::create_directories(home / "lib64");
  fs::copy_file(FAKE_NVRTC_WITHOUT_CUBIN, home / "lib64/libnvrtc.so.13");
  CHECK(get_fails_with(home, {"nvrtcGetCUBIN", "libnvrtc.so.13", "12.0"}));
}

TEST_CASE("a file that is no library is named") {
  const ScratchFolder home;
  home.write("lib64/libnvrtc.so.13", "not a library");
  CHECK(get_fails_with(home, {"libnvrtc.so.13", "cannot open"}));
}

TEST_CASE("a library with its builtins beside it opens, once for all threads") {
  const ScratchFolder home;
  home.write("include/cuda.h", "");
  fs::create_directories(home / "lib64");
  fs::copy_file(FAKE_NVRTC, home / "lib64/libnvrtc.so.13");
  fs::copy_file(FAKE_NVRTC, home / "lib64/libnvrtc-builtins.so.13.7");
  CHECK(in_child([&] {
          setenv("CUDA_HOME", home.path().c_str(), 1);
          const NvrtcLibrary* other = nullptr;
          std::thread thread([&] { other = &NvrtcLibrary::get(); });
          const NvrtcLibrary& nvrtc = NvrtcLibrary::get();
          thread.join();
          const bool good = other == &nvrtc && nvrtc.version_number() == std::pair(13, 7) &&
                            nvrtc.supported_archs() == std::vector<int>{75, 90, 100} &&
                            nvrtc.path == fs::canonical(home / "lib64/libnvrtc.so.13");
          return good ? 0 : 1;
        }) == 0);
}

}  // namespace nvrtc_library_test
