#include "fake_cuda.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cstdint>
#include <string>
#include <vector>

using kiln::CompileOptions;
using kiln::Module;
using kiln::SourceModule;
using kiln::test::contains;
using kiln::test::message_of;
using kiln::test::ScratchFolder;

namespace {

const char* const source = "__global__ void work(int* out, int n) { *out = n; }";

template <class Integer>
void append(std::string& bytes, Integer value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A fatbin that holds one cubin: a header, an entry's header and the cubin.
std::string fatbin_of(const std::string& cubin) {
  constexpr std::uint16_t header_size = 16, cubin_kind = 2, version = 1;
  constexpr std::uint32_t entry_header_size = 16;
  std::string bytes;
  append(bytes, std::uint32_t{0xba55ed50});
  append(bytes, version);
  append(bytes, header_size);
  append(bytes, std::uint64_t{entry_header_size + cubin.size()});
  append(bytes, cubin_kind);
  append(bytes, version);
  append(bytes, entry_header_size);
  append(bytes, std::uint64_t{cubin.size()});
  return bytes + cubin;
}

}  // namespace

TEST_CASE("the kernels of a fatbin come from the driver") {
  const Module module = Module::from_bytes(fatbin_of(std::string(
      kiln::compile("__constant__ int start = 1; __global__ void work(int* out, int n) { *out = start + n; }",
                    CompileOptions{}.with_arch("sm_90"))
          .bytes())));
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
  const std::string message = message_of<kiln::DriverError>([&] { (void)Module::from_bytes(cubin); });
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
