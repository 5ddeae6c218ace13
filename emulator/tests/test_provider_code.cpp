// Loading and linking code, and what is told where it cannot be.
#include "provider_calls.hpp"

#include <array>
#include <cstring>

namespace provider_code_test {

namespace {

using namespace kiln::emulator::test;

struct ErrorLog {
  std::array<char, 2000> text = {};
  std::array<CUjit_option, 2> options = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  std::array<void*, 2> values = {text.data(), reinterpret_cast<void*>(text.size())};
  bool says(const char* part) const { return std::strstr(text.data(), part) != nullptr; }
};

CUresult load(CUlibrary& library, const void* code, ErrorLog& log) {
  return cuLibraryLoadData(&library, code, log.options.data(), log.values.data(), 2, nullptr, nullptr, 0);
}

// Links and loads, and gives the first failure.
CUresult linked(const std::vector<std::string>& texts, CUlibrary& library, ErrorLog& log) {
  CUlinkState link = nullptr;
  REQUIRE_OK(cuLinkCreate(2, log.options.data(), log.values.data(), &link));
  CUresult result = CUDA_SUCCESS;
  for (std::size_t i = 0; i < texts.size() && result == CUDA_SUCCESS; ++i)
    result = cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(texts[i].data()), texts[i].size() + 1,
                           ("part" + std::to_string(i)).c_str(), 0, nullptr, nullptr);
  void* code = nullptr;
  std::size_t size = 0;
  if (result == CUDA_SUCCESS) result = cuLinkComplete(link, &code, &size);
  if (result == CUDA_SUCCESS) {
    CHECK(std::strlen(static_cast<const char*>(code)) == size);
    ErrorLog load_log;
    result = load(library, code, load_log);
    CHECK_MESSAGE(result == CUDA_SUCCESS, std::string(load_log.text.data()));
  }
  CHECK_OK(cuLinkDestroy(link));
  return result;
}

CUfunction function_of(CUlibrary library, const char* name) {
  CUkernel kernel = nullptr;
  REQUIRE_OK(cuLibraryGetKernel(&kernel, library, name));
  CUfunction function = nullptr;
  REQUIRE_OK(cuKernelGetFunction(&function, kernel));
  return function;
}

}  // namespace

TEST_CASE("a library: kernels, variables, names") {
  const Device device;
  CUlibrary library = nullptr;
  REQUIRE_OK(cuLibraryLoadData(&library, kernels.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  unsigned count = 0;
  CHECK_OK(cuLibraryGetKernelCount(&count, library));
  CHECK(count == 4);
  std::array<CUkernel, 4> all = {};
  CHECK_OK(cuLibraryEnumerateKernels(all.data(), 4, library));
  const char* name = nullptr;
  CHECK_OK(cuKernelGetName(&name, all[1]));
  CHECK(std::string(name) == "poke");
  CUkernel kernel = nullptr;
  CHECK(cuLibraryGetKernel(&kernel, library, "no such") == CUDA_ERROR_NOT_FOUND);
  CHECK_OK(cuLibraryGetKernel(&kernel, library, "poke"));
  CHECK(kernel == all[1]);
  CUdeviceptr scale = 0;
  std::size_t size = 0;
  CHECK_OK(cuLibraryGetGlobal(&scale, &size, library, "scale"));
  CHECK(size == 4);
  unsigned value = 0;
  CHECK_OK(cuMemcpyDtoH(&value, scale, 4));
  CHECK(value == 7);
  CHECK(cuLibraryGetManaged(&scale, &size, library, "scale") == CUDA_ERROR_NOT_FOUND);
  CHECK(cuLibraryGetGlobal(&scale, &size, library, "none") == CUDA_ERROR_NOT_FOUND);
  // A kernel may stand for its function.
  CHECK_OK(launch(reinterpret_cast<CUfunction>(kernel), 1, 1, nullptr, scale));
  CHECK_OK(cuMemcpyDtoH(&value, scale, 4));
  CHECK(value == 1);
  CHECK_OK(cuLibraryUnload(library));
  CHECK(cuLibraryUnload(library) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(cuKernelGetName(&name, kernel) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("code that cannot be loaded: the driver's own errors, and a text") {
  const Device device;
  CUlibrary library = nullptr;
  const auto refused = [&](const std::string& code, CUresult expected, const char* text) {
    ErrorLog log;
    CHECK(load(library, code.c_str(), log) == expected);
    CHECK_MESSAGE(log.says(text), std::string(log.text.data()));
    CHECK(reinterpret_cast<std::size_t>(log.values[1]) == std::strlen(log.text.data()));
  };
  refused("", CUDA_ERROR_INVALID_IMAGE, "no PTX");
  refused("hello, world", CUDA_ERROR_INVALID_IMAGE, "no PTX");
  refused("\177ELF and more", CUDA_ERROR_NO_BINARY_FOR_GPU, "cubin");
  refused(ptx_head + ".visible .entry k()\n{\n  .reg .b32 %r<2>;\n  mov.u32 %r1, %r7;\n}\n", CUDA_ERROR_INVALID_PTX,
          "line 7");
  refused(ptx_head + ".visible .entry k()\n{ ret;", CUDA_ERROR_INVALID_PTX, "line");
  refused(ptx_head + ".visible .entry k()\n{\n  cp.async.wait_all;\n}\n", CUDA_ERROR_INVALID_PTX,
          "line 6; error   : Feature 'cp.async' requires .target sm_80 or higher");
  refused(ptx_head + ".visible .entry k() .maxclusterrank 4\n{\n  ret;\n}\n", CUDA_ERROR_INVALID_PTX,
          "line 4; error   : Feature '.maxclusterrank' requires .target sm_90 or higher");
  refused(".version 9.9\n.target sm_90\n.address_size 64\n.visible .entry k() { ret;", CUDA_ERROR_INVALID_PTX,
          "line 4");
  refused(".version 8.0\n.target sm_100\n.address_size 64\n.visible .entry k() { ret; }", CUDA_ERROR_INVALID_PTX,
          "the PTX is for sm_100, which is newer than the device's sm_90");
  CHECK(cuLibraryLoadData(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("PTX texts are linked: what one declares another defines, and own names stay apart") {
  const Device device;
  const std::string uses = ptx_head + R"(
.extern .global .align 4 .u32 offset;
.extern .func (.param .b32 result) twice(.param .b32 value);
.global .align 4 .u32 own = 100;
.visible .entry run(.param .u64 out)
{
  .reg .b32 %r<6>; .reg .b64 %d<2>;
  ld.param.u64 %d1, [out];
  ld.global.u32 %r1, [own];
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), twice, (a); ld.param.b32 %r2, [b]; }
  ld.global.u32 %r3, [offset];
  add.u32 %r4, %r2, %r3;
  st.global.u32 [%d1], %r4;
  ret;
}
)";
  const std::string defines = ptx_head + R"(
.visible .global .align 4 .u32 offset = 5;
.global .align 4 .u32 own = 1000;
.visible .func (.param .b32 result) twice(.param .b32 value)
{
  .reg .b32 %r<5>;
  ld.param.b32 %r1, [value];
  add.u32 %r2, %r1, %r1;
  ld.global.u32 %r3, [own];
  add.u32 %r4, %r2, %r3;
  st.param.b32 [result], %r4;
  ret;
}
)";
  CUlibrary library = nullptr;
  for (const auto& order : {std::vector{uses, defines}, std::vector{defines, uses}}) {
    ErrorLog log;
    REQUIRE_MESSAGE(linked(order, library, log) == CUDA_SUCCESS, std::string(log.text.data()));
    const DeviceValues<unsigned> out({0});
    CHECK_OK(launch(function_of(library, "run"), 1, 1, nullptr, out.address));
    CHECK(out.values() == std::vector<unsigned>{1205});
    CHECK_OK(cuLibraryUnload(library));
  }
  ErrorLog log;
  CHECK(linked({uses}, library, log) == CUDA_ERROR_INVALID_IMAGE);
  CHECK_MESSAGE(log.says("Undefined reference to 'twice' in 'part0'"), std::string(log.text.data()));
  CHECK(log.says("'offset'"));
  ErrorLog twice;
  CHECK(linked({defines, defines}, library, twice) == CUDA_ERROR_INVALID_IMAGE);
  CHECK_MESSAGE(twice.says("Multiple definition of 'twice' in 'part1', first defined in 'part0'"),
                std::string(twice.text.data()));
}

TEST_CASE("a link of weak functions takes the first; machine code is refused by name") {
  const Device device;
  const auto part = [](const char* kernel, int value) {
    return ptx_head + ".weak .func (.param .b32 r) get()\n{ .reg .b32 %r<2>; mov.u32 %r1, " + std::to_string(value) +
           "; st.param.b32 [r], %r1; ret; }\n.visible .entry " + kernel +
           "(.param .u64 out)\n{ .reg .b32 %r<2>; .reg .b64 %d<2>; ld.param.u64 %d1, [out];\n"
           "{ .param .b32 v; call.uni (v), get, (); ld.param.b32 %r1, [v]; }\nst.global.u32 [%d1], %r1; ret; }\n";
  };
  CUlibrary library = nullptr;
  ErrorLog log;
  REQUIRE_MESSAGE(linked({part("one", 1), part("two", 2)}, library, log) == CUDA_SUCCESS, std::string(log.text.data()));
  const DeviceValues<unsigned> out({0});
  CHECK_OK(launch(function_of(library, "two"), 1, 1, nullptr, out.address));
  CHECK(out.values() == std::vector<unsigned>{1});
  CHECK_OK(cuLibraryUnload(library));

  ErrorLog refused;
  CUlinkState link = nullptr;
  char bytes[] = "\177ELF";
  REQUIRE_OK(cuLinkCreate(2, refused.options.data(), refused.values.data(), &link));
  CHECK(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, bytes, 4, "machine", 0, nullptr, nullptr) ==
        CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK_MESSAGE(refused.says("machine: "), std::string(refused.text.data()));
  CHECK_OK(cuLinkDestroy(link));
}

}  // namespace provider_code_test
