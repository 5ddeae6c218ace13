// What older and damaged libraries lack, with made-up ones. Each case in a child, since opening is for ever.
#include <doctest/doctest.h>
#include <stdlib.h>
#include <kiln/error.hpp>
#include <kiln/nvjitlink.hpp>
#include <kiln/nvrtc.hpp>
#include <kiln/nvvm.hpp>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <utility>

#include "in_child.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"
#include "toolkit/libraries/nvjitlink_library.hpp"
#include "toolkit/libraries/nvrtc_use.hpp"
#include "toolkit/libraries/nvvm_library.hpp"

namespace missing_functions_test {

namespace fs = std::filesystem;
using kiln::LinkError;
using kiln::NvJitLinkLibrary;
using kiln::NvvmLibrary;
using kiln::ToolkitError;
using kiln::test::contains;
using kiln::test::in_child;
using kiln::test::message_of;
using kiln::test::ScratchFolder;

namespace {

/// A CUDA_HOME that holds one library, beside an NVRTC that is found first.
struct Home {
  ScratchFolder folder;

  Home(const char* library, const std::string& name) {
    folder.write("include/cuda.h", "");
    folder.write("lib64/libnvrtc.so.13", "");
    add(library, name);
  }
  void add(const char* library, const std::string& name) const {
    fs::copy_file(library, folder / ("lib64/" + name), fs::copy_options::overwrite_existing);
  }
  /// In a process of its own; the number of the first check that does not hold, 0 where all do.
  template <class Checks>
  int run(const Checks& checks) const {
    return in_child([&] {
      setenv("CUDA_HOME", folder.path().c_str(), 1);
      int number = 0;
      int failed = 0;
      checks([&](bool holds) {
        ++number;
        if (!holds && failed == 0) failed = number;
      });
      return number == 0 ? 100 : failed;
    });
  }
};

bool has_all(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) {
    if (contains(text, part)) continue;
    std::fprintf(stderr, "'%s' is not in: %s\n", part, text.c_str());
    return false;
  }
  return true;
}

}  // namespace

TEST_CASE("nvJitLink by its plain names, with all that newer versions have") {
  const Home home(FAKE_NVJITLINK, "libnvJitLink.so.13");
  CHECK(home.run([&](auto check) {
    check(kiln::nvjitlink::version() == std::pair(13, 7));
    check(NvJitLinkLibrary::get().path == fs::canonical(home.folder / "lib64/libnvJitLink.so.13"));
    kiln::nvjitlink::Linker linker({"-arch=sm_90"});
    linker.complete();
    check(linker.cubin() == "a cubin");
    check(linker.ptx() == "some ptx");
    check(linker.ltoir() == "lto ir");
    check(linker.error_log() == "what went wrong");
    check(linker.info_log() == "what was done");
  }) == 0);
}

TEST_CASE("nvJitLink by names with a version in them") {
  const Home home(FAKE_NVJITLINK_SUFFIXED, "libnvJitLink.so.12");
  CHECK(home.run([](auto check) {
    check(kiln::nvjitlink::version() == std::pair(12, 0));
    kiln::nvjitlink::Linker linker({"-arch=sm_90"});
    linker.add_data(kiln::nvjitlink::InputKind::ptx, "ptx");
    linker.complete();
    check(linker.cubin() == "a cubin");
    check(linker.ptx() == "some ptx");
    check(linker.error_log() == "what went wrong");
    check(linker.info_log() == "what was done");
    check(has_all(message_of<ToolkitError>([&] { linker.ltoir(); }),
                  {"nvJitLinkGetLinkedLTOIRSize", "13.3", "12.0 to 12.2", "libnvJitLink.so.12"}));
  }) == 0);
}

TEST_CASE("nvJitLink of CUDA 12 is not asked to destroy what it made without an architecture: it would crash") {
  const Home home(FAKE_NVJITLINK_SUFFIXED, "libnvJitLink.so.12");
  CHECK(home.run([](auto check) {
    check(has_all(message_of<LinkError>([] { kiln::nvjitlink::Linker linker({}); }),
                  {"NVJITLINK_ERROR_MISSING_ARCH", "what went wrong"}));
  }) == 0);
}

TEST_CASE("the error of a failed call of nvJitLink has the result's name, both logs and the options") {
  const Home home(FAKE_NVJITLINK, "libnvJitLink.so.13");
  CHECK(home.run([](auto check) {
    // nvJitLinkCreate fails, and its handle has the log.
    const auto create = [] { kiln::nvjitlink::Linker linker({"-arch=sm_90", "-nonsense"}); };
    check(has_all(
        message_of<LinkError>(create),
        {"nvJitLinkCreate", "nvJitLink 13.7", "NVJITLINK_ERROR_UNRECOGNIZED_OPTION", "what went wrong", "-nonsense"}));
    kiln::nvjitlink::Linker linker({"-arch=sm_90"});
    try {
      linker.add_file(kiln::nvjitlink::InputKind::object, "some.o");
      check(false);
    } catch (const LinkError& error) {
      check(has_all(error.what(), {"nvJitLinkAddFile", "some.o", "NVJITLINK_ERROR_UNRECOGNIZED_INPUT"}));
      check(error.error_log() == "what went wrong");
      check(error.info_log() == "what was done");
      check(error.options() == std::vector<std::string>{"-arch=sm_90"});
    }
  }) == 0);
}

TEST_CASE("a linker or NVVM that lacks a function is named, and stays closed") {
  const Home home(FAKE_NVJITLINK_WITHOUT_COMPLETE, "libnvJitLink.so.13");
  home.add(FAKE_NVVM_WITHOUT_VERIFY, "libnvvm.so.4");
  CHECK(home.run([](auto check) {
    check(has_all(message_of<ToolkitError>([] { NvJitLinkLibrary::get(); }),
                  {"libnvJitLink.so.13", "nvJitLinkComplete", "12.0", "pip install nvidia-nvjitlink"}));
    check(has_all(message_of<ToolkitError>([] { NvvmLibrary::get(); }),
                  {"libnvvm.so.4", "nvvmVerifyProgram", "12.0", "pip install nvidia-nvvm"}));
    check(has_all(message_of<ToolkitError>([] { NvvmLibrary::get(); }), {"nvvmVerifyProgram"}));  // none was kept
  }) == 0);
}

TEST_CASE("a linker or NVVM that is no library is named") {
  const Home home(FAKE_NVVM, "unused");
  home.folder.write("lib64/libnvJitLink.so.13", "not a library");
  home.folder.write("lib64/libnvvm.so.4", "not a library");
  CHECK(home.run([](auto check) {
    check(has_all(message_of<ToolkitError>([] { NvJitLinkLibrary::get(); }), {"libnvJitLink.so.13", "cannot open"}));
    check(has_all(message_of<ToolkitError>([] { NvvmLibrary::get(); }), {"libnvvm.so.4", "cannot open"}));
  }) == 0);
}

TEST_CASE("NVVM with and without what 13.1 brought") {
  const Home older(FAKE_NVVM, "libnvvm.so.4");
  CHECK(older.run([](auto check) {
    check(kiln::nvvm::version() == std::pair(2, 9));
    const kiln::nvvm::IrVersion ir = kiln::nvvm::ir_version();
    check(ir.ir == std::pair(2, 1) && ir.debug == std::pair(3, 4));
    check(has_all(message_of<ToolkitError>([] { kiln::nvvm::llvm_version("compute_90"); }),
                  {"nvvmLLVMVersion", "13.1", "libnvvm.so.4"}));
    check(has_all(message_of<kiln::CompileError>([] { kiln::nvvm::Program program; }),
                  {"nvvmCreateProgram", "NVVM_ERROR_PROGRAM_CREATION_FAILURE"}));
  }) == 0);
  const Home newer(FAKE_NVVM_NEWER, "libnvvm.so.4");
  CHECK(newer.run([](auto check) { check(kiln::nvvm::llvm_version("compute_100") == 20); }) == 0);
}

TEST_CASE("what NVRTC 12.0 lacks throws with the version that brought it") {
  const Home home(FAKE_NVRTC, "libnvrtc.so.13");
  home.add(FAKE_NVRTC, "libnvrtc-builtins.so.13.7");
  CHECK(home.run([](auto check) {
    const auto lacks = [](auto call, const char* name, const char* since) {
      return has_all(message_of<ToolkitError>(call), {name, since, "NVRTC 13.7", "libnvrtc.so.13"});
    };
    check(lacks([] { kiln::nvrtc::pch_heap_size(); }, "nvrtcGetPCHHeapSize", "12.8"));
    check(lacks([] { kiln::nvrtc::set_pch_heap_size(1); }, "nvrtcSetPCHHeapSize", "12.8"));
    check(lacks([] { kiln::nvrtc::bundled_headers(); }, "nvrtcGetBundledHeadersInfo", "13.3"));
    check(lacks([] { kiln::nvrtc::install_bundled_headers("f"); }, "nvrtcInstallBundledHeaders", "13.3"));
    check(lacks([] { kiln::nvrtc::remove_bundled_headers("f"); }, "nvrtcRemoveBundledHeaders", "13.3"));
    check(has_all(message_of<kiln::CompileError>([] { kiln::nvrtc::Program program(""); }),
                  {"nvrtcCreateProgram", "NVRTC_ERROR_INTERNAL_ERROR"}));
  }) == 0);
}

TEST_CASE("what NVRTC 13.2 and 13.3 brought") {
  const Home home(FAKE_NVRTC_NEWER, "libnvrtc.so.13");
  home.add(FAKE_NVRTC_NEWER, "libnvrtc-builtins.so.13.7");
  CHECK(home.run([](auto check) {
    const kiln::nvrtc::BundledHeaders headers = kiln::nvrtc::bundled_headers();
    check(headers.available && headers.compressed_size == 1000 && headers.uncompressed_size == 4000);
    check(headers.cuda_version == std::pair(13, 7) && headers.files == 42);
    const auto installed = [](bool overwrite, bool wait) {
      return message_of<kiln::CompileError>([&] { kiln::nvrtc::install_bundled_headers("/f", overwrite, wait); });
    };
    check(has_all(installed(false, true), {"/f flags 0", "NVRTC_ERROR_BUSY", "nvrtcInstallBundledHeaders"}));
    check(has_all(installed(true, true), {"/f flags 1"}));
    check(has_all(installed(false, false), {"/f flags 2"}));
    check(has_all(installed(true, false), {"/f flags 3"}));
    check(has_all(message_of<kiln::CompileError>([] { kiln::nvrtc::remove_bundled_headers("/f"); }),
                  {"nvrtcRemoveBundledHeaders", "NVRTC_ERROR_INVALID_INPUT"}));
    // NVRTC would delete whatever is there.
    const ScratchFolder foreign;
    foreign.write("mine.txt", "precious");
    for (const auto& call :
         {std::function<void()>([&] { kiln::nvrtc::remove_bundled_headers(foreign.path()); }),
          std::function<void()>([&] { kiln::nvrtc::install_bundled_headers(foreign.path(), true); })})
      check(has_all(message_of<kiln::ArgumentError>(call), {foreign.path().c_str(), "deleted"}));
    foreign.write(".nvrtc_headers_version", "");
    check(has_all(message_of<kiln::CompileError>([&] { kiln::nvrtc::remove_bundled_headers(foreign.path()); }),
                  {"NVRTC_ERROR_INVALID_INPUT"}));
    const kiln::nvrtc::Program program("");
    check(program.tileir() == "tile");
    check(has_all(message_of<ToolkitError>([&] { program.pch_create_status(); }), {"nvrtcGetPCHCreateStatus", "12.8"}));
    check(has_all(message_of<ToolkitError>([&] { program.pch_heap_size_required(); }),
                  {"nvrtcGetPCHHeapSizeRequired", "12.8"}));
    kiln::nvrtc::Program watched("");
    check(has_all(message_of<ToolkitError>([&] { watched.set_flow_callback([] { return false; }); }),
                  {"nvrtcSetFlowCallback", "12.8"}));
  }) == 0);
}

TEST_CASE("a child of fork whose parent was inside a library uses none, and gives up what it has") {
  const Home home(FAKE_NVJITLINK, "libnvJitLink.so.13");
  CHECK(home.run([](auto check) {
    kiln::nvjitlink::Linker linker({"-arch=sm_90"});
    const kiln::NvrtcUse use;
    const int child = in_child([&] {
      if (!contains(message_of<ToolkitError>([&] { linker.complete(); }), "forked")) return 1;
      if (!contains(message_of<ToolkitError>([] { kiln::nvvm::Program program; }), "forked")) return 2;
      kiln::nvjitlink::Linker moved = std::move(linker);  // its end, here
      return 0;
    });
    check(child == 0);
  }) == 0);
}

}  // namespace missing_functions_test
