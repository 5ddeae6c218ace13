// What can go wrong with a capture: the launch is made all the same, and nothing partial is left.
#include "capture/capture_hook.hpp"

#include "base/passkey.hpp"
#include "capture/capture_pause.hpp"
#include "compile/code/code_data.hpp"
#include "environment_guard.hpp"
#include "fake_cuda.hpp"
#include "fake_kernels.hpp"
#include "fault_file_system.hpp"
#include "scratch_folder.hpp"

#include <kiln/device_buffer.hpp>
#include <kiln/error.hpp>
#include <kiln/log.hpp>
#include <kiln/stream.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace capture_hook_test {

namespace {

namespace fs = std::filesystem;

kiln::CodeObject code_of(const std::string& source) {
  auto data = std::make_shared<kiln::CodeData>();
  data->target = kiln::Target::ptx;
  data->own(std::string(fake_kernels_ptx));
  data->recipe = std::make_shared<const kiln::Recipe>(kiln::Recipe{source, {}});
  return kiln::CodeObject(kiln::passkey, std::move(data), false);
}

struct View {
  float* data;
  long count;
};

/// A kernel whose launches are captured, and what is said meanwhile.
struct Captured {
  explicit Captured(const std::string& name = "_Z5scalePfif", std::uint64_t max_bytes = 1 << 20,
                    const std::string& source = "a source")
      : kernel(module.kernel(name)), function(kiln::passkey, kernel) {
    hook = std::make_shared<kiln::CaptureHook>(
        kiln::CapturedKernel{{dir, max_bytes}, kernel->info(), code_of(source), {}}, files);
    kernel->set_hook(hook);
    kiln::set_log_handler([this](kiln::LogLevel level, const std::string& message) {
      if (level == kiln::LogLevel::warn) warnings.push_back(message);
    });
    fake_cuda::reset();
  }
  ~Captured() { kiln::set_log_handler({}); }

  void launch(unsigned blocks = 1) { function({blocks, 32}, buffer, 100, 1.5F); }

  std::vector<std::string> folders() const {
    std::vector<std::string> names;
    if (fs::exists(dir))
      for (const auto& entry : fs::directory_iterator(dir)) names.push_back(entry.path().filename().string());
    return names;
  }

  kiln::test::ScratchFolder scratch;
  std::string dir = (scratch.path() / "captures").string();
  kiln::test::FaultFileSystem files;
  FakeModule module;
  std::shared_ptr<kiln::Kernel> kernel;
  kiln::Function function;
  std::shared_ptr<kiln::CaptureHook> hook;
  kiln::DeviceBuffer<float> buffer{std::vector<float>(100, 1.0F)};
  std::vector<std::string> warnings;
};

}  // namespace

TEST_CASE("each problem size is captured once, and asks the file system once") {
  Captured captured;
  captured.launch();
  captured.launch(2);
  const int calls = captured.files.total();
  captured.launch();
  captured.launch(2);
  CHECK(captured.files.total() == calls);
  CHECK(captured.folders().size() == 2);
  CHECK(fake_cuda::launches().size() == 4);
  CHECK(captured.warnings.empty());
  CHECK(fake_cuda::live_host_allocations() == 0);
}

TEST_CASE("another process that was faster is no fault") {
  Captured captured;
  SUBCASE("before the launch") {
    captured.launch();
    Captured other;
    other.kernel->set_hook(std::make_shared<kiln::CaptureHook>(
        kiln::CapturedKernel{{captured.dir, 1 << 20}, other.kernel->info(), code_of("a source"), {}}, other.files));
    other.launch();
    CHECK(other.files.count("open") == 0);
  }
  SUBCASE("at the end") {
    captured.files.fail_nth("rename", 1, ENOTEMPTY);
    captured.launch();
    CHECK(captured.folders().empty());
  }
  CHECK(captured.warnings.empty());
}

TEST_CASE("whichever call fails, the launch is made, nothing partial is left and a warning says why") {
  int n = 1;
  for (;; ++n) {
    Captured captured;
    captured.files.fail_operation(n, ENOSPC);
    captured.launch();
    if (!captured.files.operation_failed()) break;
    CHECK(fake_cuda::launches().size() == 1);
    const std::vector<std::string> left = captured.folders();
    CHECK_MESSAGE((left.empty() || captured.warnings.empty()), n);
    CHECK_MESSAGE(captured.warnings.size() <= 1, n);
    if (!captured.warnings.empty()) CHECK(contains(captured.warnings[0], "No space left on device"));
  }
  CHECK(n > 8);
}

TEST_CASE("a fault of the driver's is a warning") {
  Captured captured;
  SUBCASE("no page-locked memory") { fake_cuda::fail("cuMemHostAlloc", CUDA_ERROR_OUT_OF_MEMORY); }
  SUBCASE("no copy") { fake_cuda::fail("cuMemcpyDtoHAsync", CUDA_ERROR_INVALID_VALUE); }
  captured.launch();
  CHECK(fake_cuda::launches().size() == 1);
  CHECK(captured.folders().empty());
  CHECK(captured.warnings.size() == 1);
  CHECK(fake_cuda::live_host_allocations() == 0);
}

TEST_CASE("a launch that the driver refuses is not captured") {
  Captured captured;
  fake_cuda::fail("cuLaunchKernel", CUDA_ERROR_INVALID_VALUE, 0, 2);
  CHECK_THROWS_AS(captured.launch(), kiln::Error);
  CHECK(captured.folders().empty());
}

TEST_CASE("what is too large is a warning, once") {
  Captured captured("_Z5scalePfif", 399);
  captured.launch();
  captured.launch(2);
  CHECK(captured.folders().empty());
  REQUIRE(captured.warnings.size() == 1);
  CHECK(contains(captured.warnings[0], "400 bytes, and KILN_CAPTURE_MAX_SIZE allows 399"));
}

TEST_CASE("a struct that holds a pointer is refused, and one that holds none is captured") {
  struct Last {
    float x, y, z;
  };
  Captured captured("by_value");
  captured.function({1, 1}, View{captured.buffer.data(), 3}, nullptr, Last{});
  CHECK(captured.folders().empty());
  REQUIRE(captured.warnings.size() == 1);
  CHECK(contains(captured.warnings[0], "argument 0 (counted from 0)"));
  CHECK(contains(captured.warnings[0], "holds a pointer to device memory in byte 0"));
  captured.function({2, 1}, View{nullptr, 3}, captured.buffer, Last{});
  CHECK(captured.folders().size() == 1);
}

TEST_CASE("texture objects are refused") {
  Captured captured("by_value", 1 << 20, "cudaTextureObject_t texture;");
  struct Last {
    float x, y, z;
  };
  captured.function({1, 1}, View{nullptr, 3}, static_cast<unsigned long long>(3), Last{});
  REQUIRE(captured.warnings.size() == 1);
  CHECK(contains(captured.warnings[0], "argument 1 (counted from 0)"));
  CHECK(contains(captured.warnings[0], "may be a texture or surface object"));
}

TEST_CASE("a stream that is being captured into a graph is left alone") {
  Captured captured;
  const kiln::Stream stream;
  const CUstream handle = stream;
  fake_cuda::set_capturing(handle, true);
  for (int i = 0; i < 2; ++i) captured.function({1, 32, 0, handle}, captured.buffer, 100, 1.5F);
  CHECK(fake_cuda::calls("cuStreamSynchronize") == 0);
  CHECK(captured.files.total() == 0);
  CHECK(captured.warnings.size() == 1);
  fake_cuda::set_capturing(handle, false);
  captured.function({1, 32, 0, handle}, captured.buffer, 100, 1.5F);
  CHECK(captured.folders().size() == 1);
}

TEST_CASE("kernels with another hook are passed on to it") {
  struct Inner : kiln::LaunchHook {
    void launch(const kiln::HookedLaunch&, const std::function<void()>& submit) override {
      ++launches;
      submit();
    }
    int launches = 0;
  };
  Captured captured;
  const auto inner = std::make_shared<Inner>();
  captured.hook->set_inner(inner);
  captured.launch();
  captured.launch();
  CHECK(inner->launches == 2);
  REQUIRE(captured.warnings.size() == 1);
  CHECK(contains(captured.warnings[0], "texture or surface references"));
}

TEST_CASE("a kernel has a hook where KILN_CAPTURE names it") {
  Captured captured;
  const auto hook = [&] { return kiln::capture_hook(captured.kernel->info(), code_of(""), {}); };
  kiln::test::EnvironmentGuard guard({{"KILN_CAPTURE", std::nullopt}});
  CHECK(hook() == nullptr);
  guard.set("KILN_CAPTURE", "other");
  CHECK(hook() == nullptr);
  guard.set("KILN_CAPTURE", "scale");
  CHECK(hook() != nullptr);
  const kiln::CapturePause pause;
  CHECK(hook() == nullptr);
}

}  // namespace capture_hook_test
