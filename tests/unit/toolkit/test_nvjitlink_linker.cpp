#include "toolkit/image/code_info.hpp"
#include "toolkit/libraries/nvjitlink_library.hpp"
#include "toolkit/locate/component_finder.hpp"

#include <doctest/doctest.h>
#include <kiln/error.hpp>
#include <kiln/nvjitlink.hpp>
#include <kiln/nvrtc.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include "message_of.hpp"
#include "scratch_folder.hpp"

namespace nvjitlink_linker_test {

using kiln::nvjitlink::InputKind;
using kiln::nvjitlink::Linker;
using kiln::test::contains;
using kiln::test::message_of;

namespace {

constexpr const char* main_source =
    "extern __device__ float plug_in(float);\nextern \"C\" __global__ void k(float* a) { *a = plug_in(*a); }";
constexpr const char* plug_in_source = "__device__ float plug_in(float x) { return x + 1; }";

kiln::nvrtc::Program compiled(const std::string& source, const std::string& option) {
  kiln::nvrtc::Program program(source);
  std::vector<std::string> options = {"-arch=sm_90", option, "--modify-stack-limit=false"};
  if (kiln::nvrtc::version() >= std::pair(12, 9)) options.emplace_back("--no-cache");
  program.compile(options);
  return program;
}

std::string ptx(const char* source) { return compiled(source, "-rdc=true").ptx(); }
std::string ltoir(const char* source) { return compiled(source, "-dlto").ltoir(); }

/// Adds an input of which neither bytes nor name are there any more when the link is completed.
void add_and_spoil(Linker& linker, InputKind kind, std::string bytes, std::string name) {
  linker.add_data(kind, bytes, name);
  bytes.assign(bytes.size(), '?');
  name.assign(name.size(), '?');
}

}  // namespace

TEST_CASE("nvJitLink: versions and names of results") {
  CHECK(kiln::nvjitlink::version() >= std::pair(12, 0));
  CHECK(kiln::nvjitlink::error_string(1) == "NVJITLINK_ERROR_UNRECOGNIZED_OPTION");
}

TEST_CASE("nvJitLink: two PTX texts, of which one calls the other, to a cubin") {
  Linker linker({"-arch=sm_90"});
  add_and_spoil(linker, InputKind::ptx, ptx(main_source), "main");
  linker.add_data(InputKind::ptx, ptx(plug_in_source), "plug-in");
  linker.complete();
  const kiln::CodeInfo info = kiln::read_cubin(linker.cubin());
  CHECK(info.arch == "sm_90");
  REQUIRE(info.kernels.size() == 1);
  CHECK(info.kernels[0].name == "k");
  CHECK(linker.error_log().empty());
}

TEST_CASE("nvJitLink: each kind of input, from memory and from files") {
  const kiln::test::ScratchFolder folder;
  const kiln::nvrtc::Program plug_in = compiled(plug_in_source, "-rdc=true");
  Linker linker({"-arch=sm_90", "-verbose"});
  add_and_spoil(linker, InputKind::cubin, compiled(main_source, "-rdc=true").cubin(), "main");
  linker.add_file(InputKind::ptx, folder.write("plug_in.ptx", plug_in.ptx()).string());
  const auto cudadevrt = kiln::find_device_library("cudadevrt");
  // NVIDIA's wheels of CUDA 12.6 lack it.
  REQUIRE((cudadevrt || kiln::nvrtc::version() < std::pair(13, 0)));
  if (cudadevrt) linker.add_file(InputKind::library, *cudadevrt);
  linker.complete();
  // That library brings kernels of its own.
  const kiln::CodeInfo info = kiln::read_cubin(linker.cubin());
  const auto is_k = [](const kiln::KernelInfo& kernel) { return kernel.name == "k"; };
  CHECK(std::count_if(info.kernels.begin(), info.kernels.end(), is_k) == 1);
  CHECK_FALSE(linker.info_log().empty());
}

TEST_CASE("nvJitLink: PTX need not end in a zero") {
  const std::string text = ptx(plug_in_source);
  const std::string longer = text + "and what is no PTX";
  for (const InputKind kind : {InputKind::ptx, InputKind::any}) {
    if (kind == InputKind::any && kiln::nvjitlink::version() < std::pair(12, 4)) continue;
    Linker linker({"-arch=sm_90"});
    linker.add_data(kind, std::string_view(longer).substr(0, text.size()), "plug-in");
    linker.complete();
    CHECK(kiln::read_cubin(linker.cubin()).arch == "sm_90");
  }
}

TEST_CASE("nvJitLink: link-time optimisation leaves no call, and gives PTX where it is asked for") {
  Linker linker({"-arch=sm_90", "-lto"});
  add_and_spoil(linker, InputKind::ltoir, ltoir(main_source), "main");
  add_and_spoil(linker, InputKind::ltoir, ltoir(plug_in_source), "plug-in");
  linker.complete();
  const kiln::CodeInfo info = kiln::read_cubin(linker.cubin());
  CHECK(info.kernels.size() == 1);

  Linker to_ptx({"-arch=sm_90", "-lto", "-ptx"});
  to_ptx.add_data(InputKind::ltoir, ltoir(main_source), "main");
  to_ptx.add_data(InputKind::ltoir, ltoir(plug_in_source), "plug-in");
  to_ptx.complete();
  const std::string text = to_ptx.ptx();
  CHECK(contains(text, ".entry k("));
  CHECK_FALSE(contains(text, "call"));
  CHECK(text.find('\0') == std::string::npos);
}

TEST_CASE("nvJitLink: LTO-IR as an output, or the version that has it") {
  Linker linker({"-arch=sm_90", "-lto"});
  linker.add_data(InputKind::ltoir, ltoir(main_source), "main");
  linker.add_data(InputKind::ltoir, ltoir(plug_in_source), "plug-in");
  linker.complete();
  const std::pair<int, int> version = kiln::nvjitlink::version();
  if (version < std::pair(13, 3))
    CHECK(contains(message_of<kiln::ToolkitError>([&] { linker.ltoir(); }), "13.3"));
  else if (version == std::pair(13, 3))  // 13.3.33 answers NVJITLINK_ERROR_INTERNAL, whatever the options
    CHECK_FALSE(contains(message_of<kiln::ToolkitError>([&] { linker.ltoir(); }), "13.3"));
  else
    CHECK(linker.ltoir().size() > 100);
}

TEST_CASE("nvJitLink: an undefined symbol is a LinkError with the log") {
  Linker linker({"-arch=sm_90"});
  add_and_spoil(linker, InputKind::ptx, ptx(main_source), "main");
  try {
    linker.complete();
    FAIL("linked");
  } catch (const kiln::LinkError& error) {
    CHECK(contains(error.what(), "nvJitLinkComplete"));
    CHECK(contains(error.what(), "NVJITLINK_ERROR_"));
    CHECK(contains(error.what(), "-arch=sm_90"));
    // Those of CUDA 12 print the symbol on the standard error output instead.
    if (kiln::nvjitlink::version() >= std::pair(13, 0)) CHECK(contains(error.error_log(), "'_Z7plug_inf' in 'main'"));
    CHECK(error.error_log() == linker.error_log());
  }
}

TEST_CASE("nvJitLink: bad options and bad inputs are reported where they are given") {
  CHECK(contains(message_of<kiln::LinkError>([] {
                   Linker({"-arch=sm_90", "-nonsense"});
                 }),
                 "unrecognized option: -nonsense"));
  CHECK(contains(message_of<kiln::LinkError>([] { Linker({"-lto"}); }), "NVJITLINK_ERROR_"));
  Linker linker({"-arch=sm_90"});
  CHECK(
      contains(message_of<kiln::LinkError>([&] { linker.add_data(InputKind::cubin, "no cubin", "bad"); }), "\"bad\""));
  CHECK(contains(message_of<kiln::LinkError>([&] { linker.add_file(InputKind::ptx, "/no/such/file.ptx"); }),
                 "/no/such/file.ptx"));
}

TEST_CASE("nvJitLink: a linker can be moved") {
  Linker first({"-arch=sm_90"});
  first.add_data(InputKind::ptx, ptx(plug_in_source));
  Linker second = std::move(first);
  second.complete();
  CHECK(second.cubin().substr(1, 3) == "ELF");
}

TEST_CASE("nvJitLink: a handle of other code is adopted, and one of Kiln's given away before the link is completed") {
  const kiln::NvJitLinkLibrary& nvjitlink = kiln::NvJitLinkLibrary::get();
  CHECK(kiln::nvjitlink::library_path() == nvjitlink.path);
  nvJitLinkHandle handle = nullptr;
  const char* const options[] = {"-arch=sm_90"};
  REQUIRE(nvjitlink.create(&handle, 1, options) == 0);
  Linker linker = Linker::adopt(handle);
  CHECK(linker.native_handle() == handle);
  add_and_spoil(linker, InputKind::ptx, ptx(main_source), "main");
  linker.add_data(InputKind::ptx, ptx(plug_in_source), "plug-in");

  nvJitLinkHandle released = linker.release();
  CHECK(released == handle);
  CHECK(linker.native_handle() == nullptr);
  CHECK(linker.release() == nullptr);
  CHECK(nvjitlink.complete(released) == 0);  // which reads the inputs' names
  linker = Linker::adopt(released);
  CHECK(kiln::read_cubin(linker.cubin()).arch == "sm_90");
  CHECK_THROWS_WITH_AS(Linker::adopt(nullptr),
                       "nvjitlink::Linker::adopt: handle: expected a handle of nvJitLink, given null",
                       kiln::ArgumentError);
}

TEST_CASE("nvJitLink: a handle that was given away or moved from is refused by every member") {
  Linker linker({"-arch=sm_90"});
  Linker moved = std::move(linker);
  const Linker back = Linker::adopt(moved.release());
  for (Linker* gone : {&linker, &moved}) {  // NOLINT(bugprone-use-after-move): that is what is tested
    CHECK_THROWS_WITH_AS(gone->complete(),
                         "nvjitlink::Linker: expected a handle of nvJitLink, given one that was moved from or released",
                         kiln::ArgumentError);
    CHECK_THROWS_AS(gone->add_data(InputKind::ptx, "text", "name"), kiln::ArgumentError);
    CHECK_THROWS_AS(gone->add_file(InputKind::ptx, "file"), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->cubin()), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->ptx()), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->ltoir()), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->error_log()), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->info_log()), kiln::ArgumentError);
  }
}

}  // namespace nvjitlink_linker_test
