#include "toolkit/libraries/nvrtc_library.hpp"

#include <doctest/doctest.h>
#include <kiln/error.hpp>
#include <kiln/nvrtc.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

#include "host_float_environment.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"

namespace nvrtc_program_test {

using kiln::nvrtc::Program;
using kiln::test::contains;
using kiln::test::message_of;

namespace {

// Kiln's own facts: without these NVRTC raises the stack limit, and from 12.9 on may initialise the driver.
std::vector<std::string> quiet(std::vector<std::string> options) {
  options.emplace_back("--modify-stack-limit=false");
  if (kiln::nvrtc::version() >= std::pair(12, 9)) options.emplace_back("--no-cache");
  return options;
}

bool has_pch() { return kiln::nvrtc::version() >= std::pair(12, 8); }

constexpr const char* simple = "extern \"C\" __global__ void k(float* a) { a[0] = 1; }";

}  // namespace

TEST_CASE("versions and architectures") {
  CHECK(kiln::nvrtc::version() >= std::pair(12, 0));
  const std::vector<int> archs = kiln::nvrtc::supported_archs();
  CHECK(std::is_sorted(archs.begin(), archs.end()));
  CHECK(std::count(archs.begin(), archs.end(), 90) == 1);
  CHECK(kiln::nvrtc::error_string(6) == "NVRTC_ERROR_COMPILATION");
}

TEST_CASE("each kind of code, and no other than was asked for") {
  Program program(simple, "k.cu");
  program.compile(quiet({"-arch=sm_90"}));
  CHECK(program.cubin().substr(1, 3) == "ELF");
  CHECK(contains(program.ptx(), ".entry k("));
  CHECK(program.ptx().back() != '\0');
  CHECK(program.optixir().empty());

  Program virtual_arch(simple);
  virtual_arch.compile(quiet({"-arch=compute_90"}));
  CHECK(contains(virtual_arch.ptx(), ".entry k("));
  CHECK(virtual_arch.cubin().empty());

  Program lto(simple);
  lto.compile(quiet({"-arch=sm_90", "-dlto"}));
  CHECK(lto.ltoir().size() > 100);
  CHECK(lto.ptx().empty());

  Program optix(simple);
  optix.compile(quiet({"-arch=sm_90", "--optix-ir"}));
  CHECK(optix.optixir().size() > 100);
}

TEST_CASE("headers from memory, and lowered names") {
  Program program(
      "#include \"factor.h\"\ntemplate <class T> __global__ void scale(T* a) { *a *= factor; }\n"
      "__device__ int counter;",
      "scale.cu", {{"factor.h", "constexpr int factor = 3;"}});
  program.add_name_expression("scale<float>");
  program.add_name_expression("&counter");
  program.compile(quiet({"-arch=compute_90"}));
  CHECK(program.lowered_name("scale<float>") == "_Z5scaleIfEvPT_");
  CHECK(program.lowered_name("&counter") == "counter");
  CHECK(contains(program.ptx(), ".entry _Z5scaleIfEvPT_"));
  CHECK(contains(message_of<kiln::CompileError>([&] { program.lowered_name("scale< float >"); }),
                 "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID"));
  CHECK(contains(message_of<kiln::CompileError>([&] { program.add_name_expression("scale<int>"); }),
                 "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION"));
}

TEST_CASE("a failed compile's error has result, log and options; a good one has its warnings") {
  Program program("__global__ void k() { undeclared = 1; }", "wrong.cu");
  const auto options = quiet({"-arch=sm_90"});
  try {
    program.compile(options);
    FAIL("compiled");
  } catch (const kiln::CompileError& error) {
    const std::string text = error.what();
    CHECK(contains(text, "NVRTC_ERROR_COMPILATION"));
    CHECK(contains(text, "for \"wrong.cu\""));
    CHECK(contains(text, "-arch=sm_90"));
    CHECK(contains(error.log(), "wrong.cu(1): error: identifier \"undeclared\" is undefined"));
    CHECK(error.log() == program.log());
    CHECK(error.options() == options);
  }
  CHECK(contains(message_of<kiln::CompileError>([&] { program.compile({"--no-such-option"}); }),
                 "NVRTC_ERROR_INVALID_OPTION"));
  Program warned("__global__ void k() { int unused; }");
  warned.compile(options);
  CHECK(contains(warned.log(), "unused"));
}

TEST_CASE("the flow callback ends a compile, by its answer or by what it throws, and lets it go on") {
  if (!has_pch()) return;  // 12.8 brought both
  Program program(simple);
  int calls = 0;
  program.set_flow_callback([&] { return ++calls > 0; });
  CHECK_THROWS_AS(program.compile(quiet({"-arch=sm_90"})), kiln::CompileStopped);
  CHECK(calls == 1);

  Program thrower(simple);
  thrower.set_flow_callback([]() -> bool { throw std::runtime_error("enough"); });
  CHECK(message_of<std::runtime_error>([&] { thrower.compile(quiet({"-arch=sm_90"})); }) == "enough");

  Program moved(simple);
  int asked = 0;
  moved.set_flow_callback([&] { return ++asked < 0; });
  Program here = std::move(moved);
  here.compile(quiet({"-arch=sm_90"}));
  CHECK(asked > 0);
  CHECK(here.cubin().substr(1, 3) == "ELF");
}

TEST_CASE("an empty flow callback takes the last one back") {
  if (!has_pch()) return;
  Program program(simple);
  program.set_flow_callback([] { return true; });
  program.set_flow_callback({});
  program.compile(quiet({"-arch=sm_90"}));
  CHECK_FALSE(program.cubin().empty());
}

TEST_CASE("a zero byte is refused, as NVRTC would compile what stands before it") {
  const std::string text = std::string(simple) + '\0' + "garbage";
  const auto says = doctest::Contains("a zero byte at position");
  CHECK_THROWS_WITH_AS(Program{text}, says, kiln::ArgumentError);
  CHECK_THROWS_WITH_AS((Program{simple, "k.cu", {{"a.h", text}}}), says, kiln::ArgumentError);
  Program program(simple);
  CHECK_THROWS_WITH_AS(program.compile({std::string("-DA\0B", 5)}), says, kiln::ArgumentError);
}

TEST_CASE("a trace file that cannot be written is refused, where NVRTC would end the process") {
  const kiln::test::ScratchFolder folder;
  Program program(simple);
  const auto compile_traced = [&](const std::string& option) { program.compile(quiet({option})); };
  const auto refusal = [&](const std::string& file) {
    return message_of<kiln::ArgumentError>([&] { compile_traced("-fdevice-time-trace=" + file); });
  };
  const std::string missing = folder.path().string() + "/none/trace";
  CHECK_MESSAGE(contains(refusal(missing), missing + ".json, given No such file or directory"), refusal(missing));
  std::filesystem::create_directory(folder.path() / "held.json");
  CHECK(contains(refusal((folder.path() / "held").string()), "no regular file"));
  std::filesystem::create_symlink("/dev/full", folder.path() / "full.json");
  CHECK(contains(refusal((folder.path() / "full").string()), "no regular file"));
  CHECK(contains(refusal(""), "the name of a file"));
  CHECK(contains(refusal("-"), "the name of a file"));
  CHECK_THROWS_AS(compile_traced("--fdevice-time-trace=" + missing), kiln::ArgumentError);
  rlimit former = {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &former) == 0);
  const rlimit small{4096, former.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const std::string no_room = refusal((folder.path() / "large").string());
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &former) == 0);
  CHECK_MESSAGE(contains(no_room, "no room"), no_room);
  CHECK_FALSE(exists(folder.path() / "large.json"));

  if (kiln::nvrtc::version() < std::pair(12, 5)) return;  // does not know the option
  compile_traced("-fdevice-time-trace=" + (folder.path() / "trace").string());
  CHECK(file_size(folder.path() / "trace.json") > 0);
  compile_traced("-fdevice-time-trace=" + (folder.path() / "trace").string());  // one that is there
}

TEST_CASE("the heap of precompiled headers, and whether one was made") {
  if (!has_pch()) return;
  const std::size_t before = kiln::nvrtc::pch_heap_size();
  CHECK(before > 0);
  const std::map<std::string, std::string> headers = {{"h.h", "inline __device__ int f() { return 1; }\n"}};
  const std::string source = "#include \"h.h\"\n__global__ void k(int* a) { *a = f(); }";

  Program without(source, "p.cu", headers);
  without.compile(quiet({"-arch=sm_90"}));
  CHECK(kiln::nvrtc::error_string(without.pch_create_status()) == "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED");

  const kiln::test::ScratchFolder folder;
  // It takes its new size with the next compile that makes one.
  kiln::nvrtc::set_pch_heap_size(std::size_t{64} << 20);
  CHECK(kiln::nvrtc::pch_heap_size() == std::size_t{64} << 20);
  Program made(source, "p.cu", headers);
  made.compile(quiet({"-arch=sm_90", "--create-pch=" + (folder / "p.pch").string()}));
  CHECK(made.pch_create_status() == 0);
  CHECK(made.pch_heap_size_required() > 0);
  kiln::nvrtc::set_pch_heap_size(before);
}

TEST_CASE("NVRTC: a handle of other code is adopted, and one of Kiln's given away") {
  const kiln::NvrtcLibrary& nvrtc = kiln::NvrtcLibrary::get();
  CHECK(kiln::nvrtc::library_path() == nvrtc.path);
  nvrtcProgram handle = nullptr;
  REQUIRE(nvrtc.create_program(&handle, simple, "k.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);

  Program program = Program::adopt(handle, "adopted.cu");
  CHECK(program.native_handle() == handle);
  CHECK(contains(message_of<kiln::CompileError>([&] { program.compile({"-arch=sm_1"}); }), "adopted.cu"));
  program.compile(quiet({"-arch=sm_90"}));
  CHECK(contains(program.ptx(), ".entry k("));

  const nvrtcProgram released = program.release();
  CHECK(released == handle);
  CHECK(program.native_handle() == nullptr);
  CHECK(program.release() == nullptr);
  std::size_t size = 0;
  CHECK(nvrtc.get_cubin_size(released, &size) == NVRTC_SUCCESS);  // nothing destroyed it
  CHECK(size > 100);
  program = Program::adopt(released);  // compiled already, and the object's once more
  CHECK(program.cubin().size() == size);
  CHECK_THROWS_WITH_AS(Program::adopt(nullptr),
                       "nvrtc::Program::adopt: handle: expected a program of NVRTC, given null", kiln::ArgumentError);
}

TEST_CASE("NVRTC: a program that was given away or moved from is refused by every member") {
  Program program(simple);
  program.compile(quiet({"-arch=sm_90"}));
  Program moved = std::move(program);
  const Program back = Program::adopt(moved.release());
  const std::string given = "nvrtc::Program: expected a program of NVRTC, given one that was moved from or released";
  for (Program* gone : {&program, &moved}) {  // NOLINT(bugprone-use-after-move): that is what is tested
    CHECK(message_of<kiln::ArgumentError>([&] { gone->compile(); }) == given);
    CHECK_THROWS_AS(gone->add_name_expression("k"), kiln::ArgumentError);
    CHECK_THROWS_AS(gone->set_flow_callback({}), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->log()), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->lowered_name("k")), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->ptx()), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->cubin()), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->ltoir()), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->optixir()), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->tileir()), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->pch_create_status()), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->pch_heap_size_required()), kiln::ArgumentError);
  }
}

TEST_CASE("NVRTC: a program that is given away no longer asks the object's flow callback" * doctest::skip(!has_pch())) {
  const kiln::NvrtcLibrary& nvrtc = kiln::NvrtcLibrary::get();
  bool is_asked = false;
  nvrtcProgram handle = nullptr;
  {
    Program program(simple);
    program.set_flow_callback([&is_asked] { return is_asked = true; });
    handle = program.release();
  }
  const char* const options[] = {"-arch=sm_90", "--modify-stack-limit=false"};
  CHECK(nvrtc.compile_program(handle, 2, options) == NVRTC_SUCCESS);
  CHECK_FALSE(is_asked);
  CHECK(nvrtc.destroy_program(&handle) == NVRTC_SUCCESS);
}

TEST_CASE("constants are folded the same in every floating-point environment of the program, which stays as it is") {
  // NVRTC 13.0 rounds sinf by the thread's mode, and floating-point traps end the process.
  const auto folded = [] {
    Program program(
        "extern \"C\" __global__ void k(float* f) { f[0] = sinf(0.7f); f[1] = 1e-40f * 2; f[2] = 1 / 0.0f; }");
    program.compile(quiet({"-arch=compute_90"}));
    return program.ptx();
  };
  const std::string right = folded();
  for (const std::string& name : kiln::test::HostFloatEnvironment::names()) {
    CAPTURE(name);
    std::string there;
    kiln::test::FloatState before, after;
    {
      const kiln::test::HostFloatEnvironment host(name);
      before = kiln::test::FloatState();
      there = folded();
      after = kiln::test::FloatState();
    }
    CHECK(there == right);
    CHECK(after == before);
  }
}

}  // namespace nvrtc_program_test
