// Kernels of the fake driver to launch.
#pragma once

#include "base/passkey.hpp"
#include "launch/kernel.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/image/code_info.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

inline constexpr const char* fake_kernels_ptx = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry empty() { ret; }
.visible .entry _Z5scalePfif(.param .u64 p0, .param .u32 p1, .param .f32 p2) { ret; }
.visible .entry by_value(.param .align 8 .b8 p0[16], .param .u64 p1, .param .align 4 .b8 p2[12]) { ret; }
.visible .entry _Z7by_viewN4cuda3std3__46mdspanIfNS1_7extentsIiJLm18446744073709551615ELm18446744073709551615EEEENS1_12)"
                                                R"(layout_rightENS1_16default_accessorIfEEEEi(
  .param .align 8 .b8 p0[16], .param .u32 p1) { ret; }
.visible .entry _Z7by_spanN4cuda3std3__44spanIKfLm18446744073709551615EEEi(.param .align 8 .b8 p0[16], .param .u32 p1)
  { ret; }
.visible .entry takes_map(.param .align 128 .b8 p0[128]) { ret; }
.visible .entry mapped(.param .align 64 .b8 p0[128], .param .align 64 .b8 p1[128]) { ret; }
.visible .entry _Z3tenPfS_S_S_iiffdx(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3, .param .u32 p4,
  .param .u32 p5, .param .f32 p6, .param .f32 p7, .param .f64 p8, .param .u64 p9) { ret; }
.visible .entry scalars(.param .u8 b, .param .u8 B, .param .u8 c, .param .u16 h, .param .u16 H, .param .u32 i,
  .param .u32 I, .param .u64 l, .param .u64 L, .param .u64 q, .param .u64 Q, .param .u64 n, .param .u64 N,
  .param .u8 bool, .param .align 2 .b8 e[2], .param .f32 f, .param .f64 d, .param .align 8 .b8 F[8],
  .param .align 16 .b8 D[16], .param .u64 P, .param .align 2 .b8 bf[2]) { ret; }
.visible .entry vectors(.param .u8 first, .param .align 16 .b8 v4[16], .param .u8 next, .param .align 8 .b8 v2[8],
  .param .u8 last, .param .align 4 .b8 v3[12]) { ret; }
.visible .entry deep() { .local .align 4 .b8 own[600000]; ret; }
.visible .entry shares() { .shared .align 4 .b8 own[20480]; ret; }
.visible .entry spills() { .local .align 4 .b8 own[400000]; ret; }
.visible .entry large(.param .align 8 .b8 body[2048], .param .u64 out) { ret; }
)";

/// Code whose kernel is what the function returns for a device.
class FakeCode final : public kiln::KernelCode {
 public:
  explicit FakeCode(std::function<CUkernel(int)> handle) : handle_(std::move(handle)) {}
  CUkernel handle(int device) override { return handle_(device); }
  kiln::ParameterKinds kinds() override { return {}; }
  std::optional<kiln::CalledFunction> largest_called() override { return kiln::CalledFunction{"deep(int)", 524289}; }

 private:
  const std::function<CUkernel(int)> handle_;
};

inline std::unique_ptr<kiln::KernelCode> fake_code(std::function<CUkernel(int)> handle) {
  return std::make_unique<FakeCode>(std::move(handle));
}

/// The code loaded once for each loader, with a count of the times that it was asked.
class FakeModule {
 public:
  ~FakeModule() {
    const kiln::Driver* driver = kiln::Driver::if_open();
    for (CUlibrary library : libraries_) (void)driver->library_unload(library);
  }

  std::shared_ptr<kiln::Kernel> kernel(const std::string& name, bool parameters_known = true, int shared_bytes = 0) {
    for (kiln::KernelInfo info : kiln::read_ptx(fake_kernels_ptx).kernels) {
      if (info.name != name) continue;
      info.shared_bytes = shared_bytes;
      if (!parameters_known) info.parameters.clear();
      return std::make_shared<kiln::Kernel>(std::move(info), parameters_known,
                                            fake_code([this, name](int) { return load(name); }));
    }
    return nullptr;
  }
  kiln::Function function(const std::string& name) { return kiln::Function(kiln::passkey, kernel(name)); }
  int loads() const { return loads_; }

 private:
  CUkernel load(const std::string& name) {
    ++loads_;
    const kiln::Driver& driver = kiln::Driver::get();
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    kiln::check_driver(driver.library_load_data(&library, fake_kernels_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0),
                       "load");
    const std::lock_guard lock(mutex_);
    libraries_.push_back(library);
    kiln::check_driver(driver.library_get_kernel(&kernel, library, name.c_str()), "get");
    return kernel;
  }

  std::atomic<int> loads_{0};
  std::mutex mutex_;
  std::vector<CUlibrary> libraries_;
};

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
