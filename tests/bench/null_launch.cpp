// What Kiln adds to a launch: cuLaunchKernel of a driver that does nothing, called bare and by Function, TypedFunction
// and PreparedFunction (also on a stream, with the block left out of a LaunchConfig, and with arguments that are
// converted), with 0, 4 and 10 arguments, in turn; and how often those allocate. Needs no GPU. Usage: null_launch
// [rounds]
#include "base/passkey.hpp"
#include "fake_cuda.hpp"
#include "launch/kernel.hpp"
#include "measure.hpp"

#include <kiln/driver.hpp>
#include <kiln/typed_function.hpp>

#include <atomic>
#include <memory>
#include <new>
#include <utility>

using namespace kiln::bench;

namespace {

constexpr int launches = 10000;

std::atomic<std::size_t> allocations{0};

template <class Launch>
double nanoseconds_each(const Launch& launch) {
  return nanoseconds([&] {
           for (int i = 0; i < launches; ++i) launch();
         }) /
         launches;
}

/// Of all kernels here.
class NoCode final : public kiln::KernelCode {
 public:
  CUkernel handle(int) override {
    static char handle;
    return reinterpret_cast<CUkernel>(&handle);
  }
  kiln::ParameterKinds kinds() override { return {}; }
  std::optional<kiln::CalledFunction> largest_called() override { return std::nullopt; }
};

/// A kernel that takes these arguments. A driver that does nothing looks at no handle.
template <class... Args>
kiln::Function function_for() {
  kiln::KernelInfo info;
  info.name = "kernel";
  info.shared_bytes = 0;
  for (std::size_t i = 0; i < sizeof...(Args); ++i) {
    const kiln::detail::ArgumentInfo& argument = kiln::detail::signature<Args...>.arguments[i];
    const std::size_t end = info.parameters.empty() ? 0 : info.parameters.back().offset + info.parameters.back().size;
    const std::size_t offset = (end + argument.size - 1) / argument.size * argument.size;
    info.parameters.push_back({offset, argument.size, argument.kind, {}});
  }
  return kiln::Function(kiln::passkey,
                        std::make_shared<kiln::Kernel>(std::move(info), true, std::make_unique<NoCode>()));
}

/// The same number as another type, which a prepared function converts.
template <class T>
auto other_type(T value) {
  if constexpr (std::is_same_v<T, int>)
    return static_cast<long long>(value);
  else if constexpr (std::is_same_v<T, float>)
    return static_cast<double>(value);
  else
    return value;
}

template <class... Args>
void compare(int rounds, Args... args) {
  const auto launch_kernel = kiln::Driver::get().launch_kernel;
  const kiln::Function function = function_for<Args...>();
  const kiln::TypedFunction<void(Args...)> typed(function);
  const kiln::PreparedFunction prepared = function.prepare<Args...>(256);
  const auto handle = reinterpret_cast<CUfunction>(function.handle());
  const auto stream = reinterpret_cast<CUstream>(function.handle());  // which the driver does not look at
  std::vector<double> bare_times, untyped_times, typed_times, prepared_times, stream_times, config_times,
      converted_times;
  std::size_t before = 0;
  for (int round = -1; round < rounds; ++round) {  // the first one loads
    const double bare = nanoseconds_each([&] {
      void* pointers[] = {&args..., nullptr};
      (void)launch_kernel(handle, 64, 1, 1, 256, 1, 1, 0, nullptr, pointers, nullptr);
    });
    const double untyped_time = nanoseconds_each([&] { function({64, 256}, args...); });
    const double typed_time = nanoseconds_each([&] { typed({64, 256}, args...); });
    const double prepared_time = nanoseconds_each([&] { prepared.prepared_call(64, args...); });
    const double stream_time = nanoseconds_each([&] { prepared.prepared_async_call(64, stream, args...); });
    const double config_time = nanoseconds_each([&] { prepared({64}, args...); });
    const double converted_time = nanoseconds_each([&] { prepared.prepared_call(64, other_type(args)...); });
    if (round < 0) {
      for (auto* times :
           {&bare_times, &untyped_times, &typed_times, &prepared_times, &stream_times, &config_times, &converted_times})
        times->reserve(static_cast<std::size_t>(rounds));
      before = allocations;
      continue;
    }
    bare_times.push_back(bare);
    untyped_times.push_back(untyped_time);
    typed_times.push_back(typed_time);
    prepared_times.push_back(prepared_time);
    stream_times.push_back(stream_time);
    config_times.push_back(config_time);
    converted_times.push_back(converted_time);
  }
  const std::size_t made = allocations - before;
  const double bare = median(bare_times);
  const auto added = [&](const std::vector<double>& times) { return median(times) - bare; };
  std::printf(
      "%2zu arguments: bare call %.1f ns; Function +%.1f, TypedFunction +%.1f, PreparedFunction +%.1f (on a "
      "stream +%.1f, block left out +%.1f, converting +%.1f) ns; %zu allocations; median of %d rounds\n",
      sizeof...(Args), bare, added(untyped_times), added(typed_times), added(prepared_times), added(stream_times),
      added(config_times), added(converted_times), made, rounds);
}

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

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
