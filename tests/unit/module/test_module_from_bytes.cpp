#include "base/passkey.hpp"
#include "bitcode_bytes.hpp"
#include "compile/code/code_data.hpp"
#include "fake_cuda.hpp"
#include "fatbin_bytes.hpp"
#include "ir_texts.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace module_from_bytes_test {

using kiln::CompileOptions;
using kiln::Module;
using kiln::SourceModule;
using kiln::test::contains;
using kiln::test::fatbin_of;
using kiln::test::message_of;
using kiln::test::ScratchFolder;

namespace {

const char* const source = "__global__ void work(int* out, int n) { *out = n; }";

std::string cubin_of(const char* text) {
  return std::string(kiln::compile(text, CompileOptions{}.with_arch("sm_90")).bytes());
}

}  // namespace

TEST_CASE("the kernels of a fatbin of others come from the driver") {
  const std::string cubin =
      cubin_of("__constant__ int start = 1; __global__ void work(int* out, int n) { *out = start + n; }");
  const std::size_t before = fake_cuda::calls("cuLibraryGetKernelCount");
  const Module module = Module::from_bytes(fatbin_of({{2, 90, cubin}}));
  CHECK(module.code().target() == kiln::Target::fatbin);
  CHECK(module.function_names() == std::vector<std::string>{"work(int*, int)"});
  const kiln::Function work = module.get_function("work");
  CHECK(work.name() == "_Z4workPii");
  CHECK(work.parameters().size() == 2);
  CHECK_THROWS_AS(work({1, 1}, static_cast<int*>(nullptr)), kiln::ArgumentError);
  CHECK(module.get_global("start").size == sizeof(int));
  CHECK_THROWS_AS((void)module.get_global("stop"), kiln::ArgumentError);
  const std::string message = message_of<kiln::ArgumentError>([&] { (void)module.get_function("walk"); });
  CHECK_MESSAGE(contains(message, "work(int*, int)"), message);
  CHECK(fake_cuda::calls("cuLibraryGetKernelCount") == before + 1);
}

TEST_CASE("a fatbin that was compiled here lists its kernels and variables itself") {
  const auto compiled = [](const std::string& bytes) {
    auto data = std::make_shared<kiln::CodeData>();
    data->target = kiln::Target::fatbin;
    data->arch = "compute_90";
    data->own(bytes);
    data->recipe = std::make_shared<kiln::Recipe>();
    return kiln::CodeObject(kiln::passkey, std::move(data), false);
  };
  const std::size_t listed = fake_cuda::calls("cuLibraryGetKernelCount");
  const std::string with_variable =
      cubin_of("namespace n { __constant__ int start = 1; } __global__ void work(int* out) { *out = n::start; }");
  const Module module(compiled(fatbin_of({{2, 90, with_variable}})));
  CHECK(module.function_names() == std::vector<std::string>{"work(int*)"});
  CHECK(module.get_function("work").parameters().at(0).type == "int*");
  CHECK(module.get_global("n::start").size == sizeof(int));

  // Without variables of its own its modules share what was loaded; a kernel that the picked image lacks is an error.
  const std::string plain = cubin_of("extern \"C\" __global__ void plain(int* out) { *out = 1; }");
  const char* const text = ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry old() { ret; }";
  const kiln::CodeObject code = compiled(fatbin_of({{2, 90, plain}, {1, 70, text}}));
  const std::size_t loads = fake_cuda::calls("cuLibraryLoadData");
  const Module first(code), second(code);
  CHECK(fake_cuda::calls("cuLibraryLoadData") == loads + 1);
  CHECK(first.get_function("plain").handle() == second.get_function("plain").handle());
  CHECK_THROWS_AS((void)first.get_function("old"), kiln::DriverError);
  CHECK(fake_cuda::calls("cuLibraryGetKernelCount") == listed);

  // One that cannot be read is the driver's after all.
  std::string strange = fatbin_of({{2, 90, with_variable}});
  strange[16 + 4] = 60;  // a shorter header than any that is known
  strange.erase(16 + 60, 4);
  strange[8] = static_cast<char>(strange[8] - 4);
  const Module unread(compiled(strange));
  CHECK(unread.function_names() == std::vector<std::string>{"work(int*)"});
}

TEST_CASE("the bytes of a cubin and of PTX make a module") {
  const std::string cubin(kiln::compile(source, CompileOptions{}.with_arch("sm_90")).bytes());
  const Module from_cubin = Module::from_bytes(cubin);
  CHECK(from_cubin.code().target() == kiln::Target::cubin);
  CHECK(from_cubin.code().arch() == "sm_90");
  CHECK_FALSE(from_cubin.code().from_cache());
  CHECK(from_cubin.get_function("work").parameters().size() == 2);

  const std::string ptx(kiln::compile(source, CompileOptions{}.with_arch("compute_75")).bytes());
  const Module from_ptx = Module::from_bytes(ptx);
  CHECK(from_ptx.code().target() == kiln::Target::ptx);
  CHECK(from_ptx.get_function("work").parameters().size() == 2);
}

TEST_CASE("a file makes a module, and errors name it") {
  const ScratchFolder folder;
  const auto path = folder.write("work.cubin", kiln::compile(source, CompileOptions{}.with_arch("sm_90")).bytes());
  CHECK(Module::from_file(path).function_names() == std::vector<std::string>{"work(int*, int)"});

  const std::string missing = message_of<kiln::Error>([&] { (void)Module::from_file(folder / "none.cubin"); });
  CHECK_MESSAGE(contains(missing, "none.cubin: No such file"), missing);
  const auto text = folder.write("notes.txt", "some text");
  const std::string unknown = message_of<kiln::Error>([&] { (void)Module::from_file(text); });
  CHECK_MESSAGE(contains(unknown, "notes.txt"), unknown);
  CHECK_MESSAGE(contains(unknown, "expected a cubin"), unknown);
  CHECK_THROWS_AS((void)Module::from_bytes(""), kiln::Error);
}

TEST_CASE("a damaged cubin is an error, and nothing is handed to the driver") {
  const std::string cubin(kiln::compile(source, CompileOptions{}.with_arch("sm_90")).bytes());
  const std::size_t before = fake_cuda::calls("cuLibraryLoadData");
  CHECK_THROWS_AS((void)Module::from_bytes(cubin.substr(0, cubin.size() / 2)), kiln::Error);
  CHECK(fake_cuda::calls("cuLibraryLoadData") == before);
}

TEST_CASE("a cubin of another architecture has no source to be made again from") {
  const std::string cubin(kiln::compile(source, CompileOptions{}.with_arch("sm_80")).bytes());
  const std::string message = message_of<kiln::NoKernelImageError>([&] { (void)Module::from_bytes(cubin); });
  CHECK_MESSAGE(contains(message, "sm_80"), message);
  CHECK_MESSAGE(contains(message, "sm_90"), message);
}

TEST_CASE("a source file is compiled under its own name, with the headers beside it") {
  const ScratchFolder folder;
  folder.write("value.h", "#define KERNEL from_header\n");
  const auto path = folder.write("kernel.cu", "#include \"value.h\"\nextern \"C\" __global__ void KERNEL() {}\n");
  CHECK(SourceModule::from_file(path).function_names() == std::vector<std::string>{"from_header"});

  const auto broken = folder.write("broken.cu", "__global__ void f() { return 1 }\n");
  const std::string message = message_of<kiln::CompileError>([&] { (void)SourceModule::from_file(broken); });
  CHECK_MESSAGE(contains(message, broken.string()), message);
  CHECK_THROWS_AS((void)SourceModule::from_file(path, CompileOptions{}.with_name("x.cu")), kiln::ArgumentError);
  CHECK_THROWS_AS((void)SourceModule::from_file(folder / "none.cu"), kiln::Error);
}

TEST_CASE("a file of LLVM IR is known by its name") {
  const ScratchFolder folder;
  const auto text = folder.write("number.ll", kiln::test::number_ir);
  const auto bitcode = folder.write("number.bc", kiln::test::typed_bitcode());
  CHECK(SourceModule::from_file(text).function_names() == std::vector<std::string>{"number"});
  CHECK(SourceModule::from_file(bitcode).function_names() == std::vector<std::string>{"f"});
  const auto other = folder.write("number.txt", kiln::test::number_ir);
  const CompileOptions options = CompileOptions{}.with(&kiln::CompileOptions::language, kiln::Language::nvvm_ir);
  CHECK(SourceModule::from_file(other, options).function_names() == std::vector<std::string>{"number"});
}

}  // namespace module_from_bytes_test
