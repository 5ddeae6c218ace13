// What Kiln adds to a launch: cuLaunchKernel of a driver that does nothing, called bare and by Function and
// TypedFunction, with 0, 4 and 10 arguments, in turn. Needs no GPU. Usage: null_launch [rounds]
#include "fake_cuda.hpp"
#include "launch/kernel.hpp"
#include "measure.hpp"

#include <kiln/driver.hpp>
#include <kiln/typed_function.hpp>

#include <memory>
#include <utility>

using namespace kiln::bench;

namespace {

constexpr int launches = 10000;

template <class Launch>
double nanoseconds_each(const Launch& launch) {
  return nanoseconds([&] {
           for (int i = 0; i < launches; ++i) launch();
         }) /
         launches;
}

/// A kernel that takes these arguments. A driver that does nothing looks at no handle.
template <class... Args>
kiln::Function function_for() {
  static char handle;
  kiln::KernelInfo info;
  info.name = "kernel";
  info.shared_bytes = 0;
  for (std::size_t i = 0; i < sizeof...(Args); ++i) {
    const kiln::detail::ArgumentInfo& argument = kiln::detail::signature<Args...>.arguments[i];
    info.parameters.push_back({8 * i, argument.size, argument.kind, {}});
  }
  const auto loader = [](int) { return reinterpret_cast<CUkernel>(&handle); };
  return kiln::Function(std::make_shared<kiln::Kernel>(std::move(info), true, loader));
}

template <class... Args>
void compare(int rounds, Args... args) {
  const auto launch_kernel = kiln::Driver::get().launch_kernel;
  const kiln::Function function = function_for<Args...>();
  const kiln::TypedFunction<void(Args...)> typed(function);
  const auto handle = reinterpret_cast<CUfunction>(function.handle());
  std::vector<double> bare_times, untyped_times, typed_times;
  for (int round = 0; round < rounds; ++round) {
    bare_times.push_back(nanoseconds_each([&] {
      void* pointers[] = {&args..., nullptr};
      (void)launch_kernel(handle, 64, 1, 1, 256, 1, 1, 0, nullptr, pointers, nullptr);
    }));
    untyped_times.push_back(nanoseconds_each([&] { function({64, 256}, args...); }));
    typed_times.push_back(nanoseconds_each([&] { typed({64, 256}, args...); }));
  }
  const double bare = median(bare_times);
  std::printf("%2zu arguments: bare call %.1f ns, Function +%.1f ns, TypedFunction +%.1f ns (median of %d rounds)\n",
              sizeof...(Args), bare, median(untyped_times) - bare, median(typed_times) - bare, rounds);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 201;
  kiln::use_driver(fake_cuda::library_path());
  (void)kiln::Driver::get();
  fake_cuda::set_recording(false);
  float* a = nullptr;
  compare(rounds);
  compare(rounds, a, a, a, 1);
  compare(rounds, a, a, a, a, 1, 2, 1.0f, 2.0f, 3.0, 4LL);
}
