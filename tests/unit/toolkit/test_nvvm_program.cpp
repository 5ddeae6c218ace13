#include "base/files.hpp"
#include "toolkit/libraries/nvvm_library.hpp"
#include "toolkit/locate/component_finder.hpp"

#include <doctest/doctest.h>
#include <kiln/error.hpp>
#include <kiln/nvvm.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include "message_of.hpp"

namespace nvvm_program_test {

using kiln::nvvm::Program;
using kiln::test::contains;
using kiln::test::message_of;

namespace {

constexpr const char* target =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
    "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n";

std::string module(const std::string& body) {
  return target + body + "!nvvmir.version = !{!10}\n!10 = !{i32 2, i32 0}\n";
}

// In the dialect of LLVM 7, which is the one for architectures below 100.
std::string kernel_that_calls(const std::string& function) {
  return module("declare float @" + function + "(float)\n" +
                "define void @k(float* %a) {\n"
                "  %x = load float, float* %a\n"
                "  %y = call float @" +
                function +
                "(float %x)\n"
                "  store float %y, float* %a\n"
                "  ret void\n}\n"
                "!nvvm.annotations = !{!0}\n"
                "!0 = !{void (float*)* @k, !\"kernel\", i32 1}\n");
}

const std::string adder = module("define float @plug_in(float %x) {\n  %y = fadd float %x, 1.0\n  ret float %y\n}\n");

}  // namespace

TEST_CASE("NVVM: versions and names of results") {
  CHECK(kiln::nvvm::version() >= std::pair(2, 0));
  const kiln::nvvm::IrVersion ir = kiln::nvvm::ir_version();
  CHECK(ir.ir >= std::pair(2, 0));
  CHECK(ir.debug >= std::pair(3, 0));
  CHECK(kiln::nvvm::error_string(9) == "NVVM_ERROR_COMPILATION");
}

TEST_CASE("NVVM: modules in text, linked and compiled to PTX and to LTO-IR") {
  Program program;
  program.add_module(kernel_that_calls("plug_in"), "main");
  program.add_module(adder, "plug-in");
  program.verify({"-arch=compute_90"});
  program.compile({"-arch=compute_90"});
  const std::string ptx = program.result();
  CHECK(contains(ptx, ".entry k("));
  CHECK(contains(ptx, "0f3F800000"));  // the 1 that the plug-in adds
  CHECK_FALSE(contains(ptx, ".extern"));
  CHECK(ptx.find('\0') == std::string::npos);

  program.compile({"-arch=compute_90", "-gen-lto"});
  const std::string ltoir = program.result();
  CHECK(ltoir.size() > 100);
  CHECK(std::count(ltoir.begin(), ltoir.end(), '\0') > 0);
}

TEST_CASE("NVVM: libdevice resolves the functions of mathematics, as bitcode") {
  Program without;
  without.add_module(kernel_that_calls("__nv_sinf"));
  without.compile({"-arch=compute_90"});
  CHECK(contains(without.result(), "__nv_sinf"));

  Program with;
  with.add_module(kernel_that_calls("__nv_sinf"));
  with.add_libdevice();
  with.compile({"-arch=compute_90", "-ftz=1"});
  CHECK(contains(with.result(), ".entry k("));
  CHECK_FALSE(contains(with.result(), "__nv_sinf"));
  CHECK_FALSE(contains(with.result(), "__nv_cosf"));

  // The same bitcode added as a module of the program.
  const auto path = kiln::find_libdevice();
  REQUIRE(path);
  Program whole;
  whole.add_module(kernel_that_calls("__nv_sinf"));
  whole.add_module(kiln::read_named_file(*path), "libdevice");
  whole.compile({"-arch=compute_90"});
  CHECK_FALSE(contains(whole.result(), "__nv_sinf"));
}

TEST_CASE("NVVM: the error of verify and compile has result, log and options") {
  Program undefined_value;
  undefined_value.add_module(module("define void @k() {\n  %x = add i32 %nothing, 1\n  ret void\n}\n"), "broken.ll");
  try {
    undefined_value.verify({"-arch=compute_90"});
    FAIL("verified");
  } catch (const kiln::CompileError& error) {
    const std::string text = error.what();
    CHECK(contains(text, "nvvmVerifyProgram"));
    CHECK(contains(text, "NVVM_ERROR_"));
    CHECK(contains(text, "-arch=compute_90"));
    CHECK(contains(error.log(), "nothing"));
    CHECK(error.log() == undefined_value.log());
    CHECK(error.options() == std::vector<std::string>{"-arch=compute_90"});
  }
  CHECK_THROWS_AS(undefined_value.compile(), kiln::CompileError);

  Program good;
  good.add_module(adder);
  CHECK(contains(message_of<kiln::CompileError>([&] { good.compile({"-arch=sm_90"}); }), "NVVM_ERROR_INVALID_OPTION"));
  CHECK(contains(message_of<kiln::CompileError>([] { Program().compile(); }), "NVVM_ERROR_NO_MODULE_IN_PROGRAM"));
}

TEST_CASE("NVVM: a program can be moved") {
  Program first;
  first.add_module(adder);
  Program second = std::move(first);
  second.compile({"-arch=compute_90"});
  CHECK(contains(second.result(), "plug_in"));
}

TEST_CASE("NVVM: a handle of other code is adopted, and one of Kiln's given away") {
  const kiln::NvvmLibrary& nvvm = kiln::NvvmLibrary::get();
  CHECK(kiln::nvvm::library_path() == nvvm.path);
  nvvmProgram handle = nullptr;
  REQUIRE(nvvm.create_program(&handle) == 0);
  Program program = Program::adopt(handle);
  CHECK(program.native_handle() == handle);
  program.add_module(adder, "adder");
  program.compile({"-arch=compute_90"});
  const std::string ptx = program.result();
  CHECK(contains(ptx, "plug_in"));
  CHECK(ptx.back() != '\0');

  const nvvmProgram released = program.release();
  CHECK(released == handle);
  CHECK(program.native_handle() == nullptr);
  CHECK(program.release() == nullptr);
  std::size_t size = 0;
  CHECK(nvvm.get_compiled_result_size(released, &size) == 0);  // nothing destroyed it
  program = Program::adopt(released);
  CHECK(program.result() == ptx);
  CHECK_THROWS_WITH_AS(Program::adopt(nullptr),
                       "nvvm::Program::adopt: handle: expected a program of libnvvm, given null", kiln::ArgumentError);
}

TEST_CASE("NVVM: a program that was given away or moved from is refused by every member") {
  Program program;
  Program moved = std::move(program);
  const Program back = Program::adopt(moved.release());
  const std::string given = "nvvm::Program: expected a program of libnvvm, given one that was moved from or released";
  for (Program* gone : {&program, &moved}) {  // NOLINT(bugprone-use-after-move): that is what is tested
    CHECK(message_of<kiln::ArgumentError>([&] { gone->compile(); }) == given);
    CHECK_THROWS_AS(gone->verify(), kiln::ArgumentError);
    CHECK_THROWS_AS(gone->add_module(adder), kiln::ArgumentError);
    CHECK_THROWS_AS(gone->lazy_add_module(adder), kiln::ArgumentError);
    CHECK_THROWS_AS(gone->add_libdevice(), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->result()), kiln::ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(gone->log()), kiln::ArgumentError);
  }
}

TEST_CASE("NVVM: LTO-IR that other code made is given with all its bytes") {
  Program made;
  made.add_module(adder, "adder");
  made.compile({"-arch=compute_90", "-gen-lto"});
  const std::string ltoir = made.result();
  CHECK(ltoir.find('\0') != std::string::npos);
  CHECK(Program::adopt(made.release()).result() == ltoir);
}

}  // namespace nvvm_program_test
