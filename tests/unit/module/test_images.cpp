// What is loaded, when, for which device, and who shares it; counted by the fake driver.
#include "fake_cuda.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace images_test {

using kiln::CompileOptions;
using kiln::SourceModule;
using kiln::test::contains;
using kiln::test::message_of;
using kiln::test::ScratchFolder;

namespace {

const char* const plain_source = "extern \"C\" __global__ void plain(int* out) { *out = 1; }";
const char* const constant_source =
    "namespace config { __constant__ int value = 1; }\n"
    "__global__ void read_value(int* out) { *out = config::value; }\n"
    "template <int N> __global__ void read_scaled(int* out) { *out = N * config::value; }\n";

std::size_t loads() { return fake_cuda::calls("cuLibraryLoadData"); }
std::size_t unloads() { return fake_cuda::calls("cuLibraryUnload"); }

CompileOptions in(const ScratchFolder& cache) { return CompileOptions{}.with_caching({cache.path()}); }

kiln::CacheStats stats(const ScratchFolder& cache) { return kiln::Cache(cache.path()).stats(); }

/// Device 1 for a scope; device 0 is every other test's.
struct OnSecondDevice {
  OnSecondDevice() { kiln::Device(1).make_current(); }
  ~OnSecondDevice() { kiln::Device(0).make_current(); }
};

}  // namespace

TEST_CASE("modules of one request share the image, also after the last of them") {
  const ScratchFolder cache;
  const std::size_t before = loads();
  {
    const SourceModule first(plain_source, in(cache));
    CHECK(loads() == before + 1);
    const SourceModule second(plain_source, in(cache));
    CHECK(second.code().from_cache());
    CHECK(second.get_function("plain").handle() == first.get_function("plain").handle());
  }
  const SourceModule third(plain_source, in(cache));
  CHECK(loads() == before + 1);
}

TEST_CASE("arch native is the architecture of the device in use") {
  const ScratchFolder cache;
  const std::string arch = kiln::Device::current().arch();
  const CompileOptions options = in(cache).with_arch("native");
  CHECK(kiln::compile(plain_source, options).arch() == arch);
  CHECK(kiln::CompileJob(plain_source, options).get().arch() == arch);
  CHECK(kiln::compile_all({{plain_source, options}}).front().get().arch() == arch);
}

TEST_CASE("arch native-a and native-f: with the device's own features, and plain where it has none") {
  const ScratchFolder cache;
  const CompileOptions own = in(cache).with_arch("native-a"), family = in(cache).with_arch("native-f");
  CHECK(kiln::compile(plain_source, own).arch() == "sm_90a");
  CHECK(kiln::CompileJob(plain_source, own).get().arch() == "sm_90a");
  CHECK(kiln::compile_all({{plain_source, own}}).front().get().arch() == "sm_90a");
  CHECK(kiln::compile(plain_source, family).arch() == "sm_90");
  CHECK(kiln::compile(plain_source, in(cache).with_options({"-arch=native-a"})).arch() == "sm_90a");
  CHECK(SourceModule(plain_source, own).code().arch() == "sm_90a");
  CHECK(SourceModule(plain_source, own).code().options().arch == "native-a");
  const OnSecondDevice second;
  CHECK(SourceModule(plain_source, own).code().arch() == "sm_80");
}

TEST_CASE("what a source makes of the device's own features is in it with native-a alone") {
  const ScratchFolder cache;
  const char* const source =
      "#if defined(__CUDA_ARCH_FEAT_SM90_ALL)\nextern \"C\" __global__ void own() {}\n#else\n"
      "extern \"C\" __global__ void plain() {}\n#endif\n";
  CHECK(kiln::compile(source, in(cache).with_arch("native-a")).kernels().at(0).name == "own");
  CHECK(kiln::compile(source, in(cache).with_arch("native")).kernels().at(0).name == "plain");
}

TEST_CASE("code for arch native, native-a and native-f is compiled anew for another device") {
  for (const char* word : {"native", "native-a", "native-f"}) {
    CAPTURE(word);
    const ScratchFolder cache;
    const SourceModule module(plain_source, in(cache).with_arch(word));
    const kiln::Function function = module.get_function("plain");
    const OnSecondDevice second;
    function({1, 1}, static_cast<int*>(nullptr));
    CHECK(kiln::is_cached(plain_source, in(cache).with_arch("sm_80")));
    CHECK(stats(cache).compiles == 2);
  }
}

TEST_CASE("images without a module are unloaded when enough others came after them") {
  const ScratchFolder cache;
  const std::size_t before = unloads();
  const kiln::CodeObject code = kiln::compile(plain_source, in(cache).with_arch("sm_90"));
  for (int i = 0; i < 100; ++i) (void)kiln::Module::from_bytes(code.bytes());
  CHECK(unloads() - before >= 100 - 64);
}

TEST_CASE("modules of code with variables have an image each, which the last user unloads") {
  const ScratchFolder cache;
  const std::size_t loaded = loads(), unloaded = unloads();
  std::optional<kiln::Function> function;
  {
    const SourceModule first(constant_source, in(cache)), second(constant_source, in(cache));
    CHECK(loads() == loaded + 2);
    CHECK(stats(cache).compiles == 1);
    CHECK(first.get_global("value").pointer != second.get_global("config::value").pointer);
    CHECK(first.get_global("value").pointer == kiln::Module(first).get_global("value").pointer);
    function = first.get_function("read_value");
  }
  CHECK(unloads() == unloaded + 1);  // the function keeps the first one
  function.reset();
  CHECK(unloads() == unloaded + 2);
}

TEST_CASE("an instance that would have variables of its own is refused with the advice, and its image is dropped") {
  const ScratchFolder cache;
  const SourceModule module(constant_source, in(cache));
  (void)module.get_global("value");
  const std::size_t live = fake_cuda::live_libraries();
  for (int i = 0; i < 2; ++i) {
    const std::string message = message_of<kiln::ArgumentError>([&] { (void)module.get_function("read_scaled<4>"); });
    CHECK_MESSAGE(contains(message, "\"config::value\""), message);
    CHECK_MESSAGE(contains(message, "name_expressions = {\"read_scaled<4>\"}"), message);
  }
  CHECK(fake_cuda::live_libraries() == live);

  const SourceModule both(constant_source, in(cache).with_name_expressions({"read_scaled<4>"}));
  (void)both.get_function("read_scaled<4>");
  CHECK(both.get_global("value").size > 0);
}

TEST_CASE("what comes after an instance is taken from its image, which has the variable") {
  const ScratchFolder cache;
  const SourceModule module(constant_source, in(cache));
  const kiln::Function scaled = module.get_function("read_scaled<4>");
  const std::uint64_t compiles = stats(cache).compiles;
  CHECK(module.get_global("value").pointer == module.get_global("config::value").pointer);
  CHECK(stats(cache).compiles == compiles);  // the PTX is not needed where only one image gave anything
  (void)module.get_function("read_value");
  CHECK(fake_cuda::calls("cuLibraryLoadData") > 0);
  CHECK_THROWS_AS((void)module.get_function("read_scaled<5>"), kiln::ArgumentError);
}

TEST_CASE("an unknown variable lists the ones there are") {
  const ScratchFolder cache;
  const SourceModule module(constant_source, in(cache));
  const std::string message = message_of<kiln::ArgumentError>([&] { (void)module.get_global("valve"); });
  CHECK_MESSAGE(contains(message, "\n  config::value"), message);
}

TEST_CASE("a function is loaded for the current device when it is handed out, so that a launch loads nothing") {
  const ScratchFolder cache;
  const SourceModule module(constant_source, in(cache));
  const std::size_t before = fake_cuda::calls("cuKernelGetFunction");
  const kiln::Function function = module.get_function("read_value");
  CHECK(fake_cuda::calls("cuKernelGetFunction") == before + 1);

  const kiln::Stream stream;
  fake_cuda::reset();
  function({1, 1, 0, stream}, static_cast<int*>(nullptr));
  for (const char* call : {"cuLibraryLoadData", "cuLibraryGetKernel", "cuKernelGetFunction", "cuKernelSetAttribute"})
    CHECK_MESSAGE(fake_cuda::calls(call) == 0, call);
  CHECK(fake_cuda::launches().size() == 1);

  (void)module.get_function("read_value");
  CHECK(fake_cuda::calls("cuLibraryGetKernel") == 0);  // the same kernel object
}

TEST_CASE("code that the driver refuses only when it is needed is refused by the constructor") {
  const ScratchFolder cache;
  const std::size_t live = fake_cuda::live_libraries();
  fake_cuda::fail("cuKernelGetFunction", 200);
  const std::string message = message_of<kiln::DriverError>([&] { (void)SourceModule(constant_source, in(cache)); });
  CHECK_MESSAGE(contains(message, "CUDA_ERROR_INVALID_IMAGE"), message);
  CHECK(fake_cuda::live_libraries() == live);
}

TEST_CASE("a device of another architecture gets code of its own, compiled at its first use and cached") {
  const ScratchFolder cache;
  const SourceModule module(constant_source, in(cache));
  CHECK(module.code().arch() == "sm_90");
  const std::size_t before = loads();
  const kiln::Function function = module.get_function("read_value");
  CHECK(loads() == before);
  {
    const OnSecondDevice second;
    function({1, 1}, static_cast<int*>(nullptr));
    CHECK(loads() == before + 1);
    CHECK(stats(cache).compiles == 2);
    function({1, 1}, static_cast<int*>(nullptr));
    CHECK(SourceModule(constant_source, in(cache)).code().arch() == "sm_80");
    CHECK(stats(cache).compiles == 2);
  }
  CHECK(module.code().arch() == "sm_90");
}

TEST_CASE("preload loads everything for the devices that it is given") {
  const ScratchFolder cache;
  const SourceModule module(constant_source, in(cache));
  const std::size_t before = loads();
  module.preload({0, 1});
  CHECK(loads() == before + 1);
  const OnSecondDevice second;
  fake_cuda::reset();
  module.get_function("read_value")({1, 1}, static_cast<int*>(nullptr));
  CHECK(loads() == 0);
  CHECK(fake_cuda::calls("cuLibraryGetKernel") == 0);
  CHECK_THROWS_AS(module.preload({2}), kiln::ArgumentError);
}

TEST_CASE("an explicit arch that a device cannot run is an error that names both") {
  const ScratchFolder cache;
  for (const char* arch : {"sm_100", "sm_90a", "compute_90"}) {
    const OnSecondDevice second;  // an sm_80
    const std::string message =
        message_of<kiln::NoKernelImageError>([&] { (void)SourceModule(plain_source, in(cache).with_arch(arch)); });
    CHECK_MESSAGE(contains(message, arch), message);
    CHECK_MESSAGE(contains(message, "sm_80"), message);
  }
  try {
    (void)SourceModule(plain_source, in(cache).with_arch("sm_80"));
    FAIL("loaded");
  } catch (const kiln::NoKernelImageError& error) {
    CHECK(error.code_arch() == "sm_80");
    CHECK(error.device_arch() == "sm_90");
  }

  const std::size_t before = loads();
  (void)SourceModule(plain_source, in(cache).with_arch("sm_90a"));
  (void)SourceModule(plain_source, in(cache).with_arch("compute_75"));
  CHECK(loads() == before + 2);
}

TEST_CASE("code compiled without a device in mind is compiled again for the one that is there") {
  const ScratchFolder cache;
  const kiln::CodeObject code = [&] {
    const OnSecondDevice second;
    return kiln::compile(plain_source, in(cache));
  }();
  CHECK(code.arch() == "sm_80");
  const kiln::Module module(code);
  CHECK(module.code().arch() == "sm_90");
}

TEST_CASE("a cached cubin that the driver refuses is dropped and compiled again, once") {
  const ScratchFolder cache;
  // The first compile makes the entry; it is loaded elsewhere, so that the next module loads anew.
  (void)kiln::compile(constant_source, in(cache).with_arch("sm_90"));
  const auto options = in(cache).with_arch("sm_90");
  SUBCASE("and the new one is loaded") {
    fake_cuda::fail("cuLibraryLoadData", 200);
    const SourceModule module(constant_source, options);
    CHECK_FALSE(module.code().from_cache());
    CHECK(stats(cache).compiles == 2);
    CHECK(stats(cache).corrupt == 1);
    CHECK(stats(cache).stores == 2);
    (void)SourceModule(constant_source, options);
    CHECK(stats(cache).compiles == 2);
  }
  SUBCASE("and reported when the new one is refused too") {
    fake_cuda::fail("cuLibraryLoadData", 200, 0, 2);
    const std::string message = message_of<kiln::DriverError>([&] { (void)SourceModule(constant_source, options); });
    CHECK_MESSAGE(contains(message, "cuLibraryLoadData"), message);
    CHECK_MESSAGE(contains(message, "CUDA_ERROR_INVALID_IMAGE"), message);
    CHECK(stats(cache).compiles == 2);
  }
  SUBCASE("but another failure is none of the code's") {
    fake_cuda::fail("cuLibraryLoadData", 2);
    const std::string message = message_of<kiln::DriverError>([&] { (void)SourceModule(constant_source, options); });
    CHECK_MESSAGE(contains(message, "CUDA_ERROR_OUT_OF_MEMORY"), message);
    CHECK(stats(cache).compiles == 1);
  }
}

TEST_CASE("that the device can run none of the code is one error, by Kiln's word or the driver's") {
  const ScratchFolder cache;
  fake_cuda::fail("cuLibraryLoadData", 209);  // CUDA_ERROR_NO_BINARY_FOR_GPU
  try {
    (void)SourceModule(plain_source, in(cache));
    FAIL("loaded");
  } catch (const kiln::NoKernelImageError& error) {
    CHECK(error.code_arch() == "sm_90");
    CHECK(error.device_arch() == "sm_90");
    CHECK_MESSAGE(contains(error.what(), "CUDA_ERROR_NO_BINARY_FOR_GPU"), error.what());
  }
}

TEST_CASE("fresh code that the driver refuses is reported at once") {
  const ScratchFolder cache;
  fake_cuda::fail("cuLibraryLoadData", 200);
  CHECK_THROWS_AS((void)SourceModule(plain_source, in(cache)), kiln::DriverError);
  CHECK(stats(cache).compiles == 1);
}

TEST_CASE("code that no module can load is refused") {
  const ScratchFolder cache;
  CHECK_THROWS_AS((void)SourceModule(plain_source, in(cache).with_target(kiln::Target::ltoir)), kiln::ArgumentError);
}

TEST_CASE("code that must be linked first is refused with what links it, by both compilers") {
  const ScratchFolder cache;
  for (const kiln::Backend backend : {kiln::Backend::nvrtc, kiln::Backend::nvcc}) {
    const CompileOptions options = in(cache).with_backend(backend);
    for (const std::vector<std::string>& relocatable :
         {std::vector<std::string>{"-rdc=true"}, {"-dc"}, {"--relocatable-device-code=true"}, {"-rdc", "true"}}) {
      const std::string message =
          message_of<kiln::ArgumentError>([&] { (void)SourceModule(plain_source, options.with_options(relocatable)); });
      CHECK_MESSAGE(contains(message, "DynamicSourceModule"), message);
    }
    CHECK_NOTHROW((void)SourceModule(plain_source, options.with_options({"-rdc=false"})));
    CHECK_NOTHROW((void)SourceModule(plain_source, options.with_options({"-rdc=true", "-rdc=false"})));
    const kiln::CodeObject code = kiln::compile(plain_source, options.with_options({"-rdc=true"}).with_arch("sm_90"));
    CHECK_THROWS_AS((void)kiln::Module(code), kiln::ArgumentError);
    CHECK_THROWS_AS((void)kiln::Module::from_bytes(code.bytes()), kiln::ArgumentError);

    const char* const parent =
        "__global__ void child(int* out) { *out = 1; }\n"
        "__global__ void parent(int* out) { child<<<1, 1>>>(out); }\n";
    const std::string launches = message_of<kiln::CompileError>([&] { (void)SourceModule(parent, options); });
    CHECK_MESSAGE(contains(launches, "make a DynamicSourceModule"), launches);
  }
}

TEST_CASE("a load that fails because the context is lost says so, and says nothing about architectures") {
  const ScratchFolder cache;
  for (const int result : {700, 710, 719}) {
    fake_cuda::fail("cuLibraryLoadData", result);
    const std::string message = message_of<kiln::DriverError>([&] { (void)SourceModule(constant_source, in(cache)); });
    CHECK_MESSAGE(contains(message, "an earlier kernel may have caused it"), message);
    CHECK_MESSAGE(!contains(message, "the code is for"), message);
  }
}

TEST_CASE("eight threads make the same and different modules") {
  const ScratchFolder cache;
  const auto source_of = [](int i) {
    return "extern \"C\" __global__ void kernel_" + std::to_string(i) + "(int* out) { *out = " + std::to_string(i) +
           "; }";
  };
  std::vector<std::string> names(8);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (const int kernel : {0, i % 4})
        names[static_cast<std::size_t>(i)] += SourceModule(source_of(kernel), in(cache)).function_names().at(0) + " ";
    });
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 8; ++i)
    CHECK(names[static_cast<std::size_t>(i)] == "kernel_0 kernel_" + std::to_string(i % 4) + " ");
  CHECK(stats(cache).entries == 4);
}

}  // namespace images_test
