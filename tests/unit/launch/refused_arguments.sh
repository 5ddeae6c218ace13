#!/bin/sh
# Compiles short programs against the public headers: those that must compile, and those that must be refused with a
# message that tells the way out. Usage: refused_arguments.sh INCLUDE_DIR COMPILER...
include_dir=$1
shift
failed=0

compile() {  # STANDARD STATEMENTS
  printf '%s\n' '#include <kiln/benchmark.hpp>
#include <kiln/function.hpp>
#include <kiln/launch_plan.hpp>
#include <array>
#include <string>
#include <vector>
struct Plain { float x; double y; };
struct NotPlain { NotPlain(const NotPlain&); int x; };
enum class Mode { fast };
void program(const kiln::Function& f, const NotPlain& not_plain, const kiln::DeviceBuffer<float>& buffer,
             std::vector<float> vector, std::string string, CUdeviceptr pointer, CUstream stream, kiln::LaunchPlan& plan) {' "$2" '}' |
    "$compiler" $flags -std="$1" -fsyntax-only -Wall -Wextra -Wno-unused-parameter -Werror -I"$include_dir" -x c++ - 2>&1
}

passes() {
  if ! output=$(compile "$1" "$2"); then
    echo "FAIL: should compile as $1: $2"
    echo "$output"
    failed=1
  fi
}

refused() {
  if output=$(compile "$1" "$2"); then
    echo "FAIL: should be refused: $2"
    failed=1
  elif ! echo "$output" | grep -q "$3"; then
    echo "FAIL: refused without '$3': $2"
    echo "$output"
    failed=1
  fi
}

compiler=$1
shift
flags=$*
for standard in c++17 c++20; do
  passes $standard '
    f({64, 256}, 1, 2.0f, 3.0, true, Mode::fast, Plain{1, 2});
    f({64, 256}, pointer, nullptr, buffer, buffer.data(), std::array<float, 4>{});
    long n = 5;
    f({(n + 255) / 256, 256, 1024, stream}, n);
    f({{4, 4}, {16, 16}}, n);
    std::size_t size = 5;
    f({size, {size, size, size}}, size);
    double seconds = f.timed({1, 32}, buffer, size);
    kiln::TypedFunction<void(const float*, int)> typed(f);
    typed({64, 256}, buffer, 5);
    typed({64, 256}, nullptr, 5L);
    kiln::TypedFunction<void()> empty(f);
    empty({64, 256});
    (void)seconds;'
done
refused c++20 'f({64, 256}, vector);' 'copy it into a kiln::DeviceBuffer'
refused c++20 'f({64, 256}, string);' 'copy it into a kiln::DeviceBuffer'
refused c++20 'f({64, 256}, std::string_view(string));' 'copy it into a kiln::DeviceBuffer'
refused c++20 'float array[4] = {}; f({64, 256}, array);' 'use kiln::DeviceBuffer'
refused c++20 'f({64, 256}, "text");' 'use kiln::DeviceBuffer'
refused c++20 'f({64, 256}, not_plain);' 'must be trivially copyable'
refused c++20 'f.timed({64, 256}, vector);' 'copy it into a kiln::DeviceBuffer'
refused c++20 'kiln::TypedFunction<void(std::vector<float>)> g(f);' 'pass a kiln::DeviceBuffer<T>'
refused c++20 'kiln::TypedFunction<void(const float&)> g(f);' 'state float, not float&'
refused c++20 'kiln::TypedFunction<void(kiln::DeviceBuffer<float>)> g(f);' 'state T\* for a'

for standard in c++17 c++20; do
  passes $standard '
    const auto x = plan.parameter<const float*>("x");
    const auto n = plan.parameter<int>();
    const auto body = plan.parameter<Plain>("body");
    std::size_t index = plan.add(f, {64, 256}, x, 2.0f, n, buffer, nullptr, body, Plain{1, 2}, stream);
    plan.set_config(index, {{4, 4}, 256});
    plan.l2_window(x, 1024);
    plan.l2_window(buffer, 1024, 0.5f);
    plan.add(f, {1, 1}, plan.tensor_map(kiln::TensorMap(), x));
    plan(stream, buffer, 1000, Plain{1, 2});
    plan(nullptr, pointer, 1000, Plain{1, 2});
    kiln::benchmark([&](CUstream s) { plan(s, buffer, 1000, Plain{1, 2}); });
    kiln::benchmark([&] { f({1, 1}); }, kiln::BenchmarkOptions());'
done
refused c++20 'plan(stream, plan.parameter<int>());' 'give it to LaunchPlan::add, and the value to the replay'
refused c++20 'f({1, 1}, plan.parameter<int>());' 'give it to LaunchPlan::add, and the value to the replay'
refused c++20 'plan.parameter<kiln::DeviceBuffer<float>>("x");' 'state what the kernel takes'
refused c++20 'plan.parameter<std::vector<float>>("x");' 'copy it into a kiln::DeviceBuffer'
refused c++20 'plan.add(f, {1, 1}, vector);' 'copy it into a kiln::DeviceBuffer'
refused c++20 'plan(stream, vector);' 'copy it into a kiln::DeviceBuffer'
refused c++20 'plan.tensor_map(kiln::TensorMap(), plan.parameter<int>());' 'PlanParameter<T'
refused c++20 'kiln::benchmark([](int*) {});' 'calls with a stream or with nothing'
exit $failed
