#!/bin/sh
# Compiles short programs against the public headers: those that must compile, and those that must be refused with a
# message that tells the way out. Usage: refused_arguments.sh INCLUDE_DIR COMPILER...
include_dir=$1
shift
failed=0

compiler=$1
shift
flags="$* -Wall -Wextra -Wno-unused-parameter -Werror -I$include_dir"

# What all programs begin with, compiled once for each standard: the compilers find it by its name.
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
for standard in c++17 c++20; do
  mkdir "$folder/$standard"
  cat >"$folder/$standard/begin.hpp" <<'BEGIN'
#include <kiln/benchmark.hpp>
#include <kiln/launch_plan.hpp>
#include <kiln/stream.hpp>
#include <kiln/typed_function.hpp>
#include <array>
#include <list>
#include <memory>
#include <string>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif
struct Transformed { float* data; };
inline float* transform_launch_argument(CUstream, const Transformed& t) { return t.data; }
struct Plain { float x; double y; };
struct NotPlain { NotPlain(const NotPlain&); int x; };
enum class Mode { fast };
BEGIN
  # $flags are options.
  # shellcheck disable=SC2086
  "$compiler" $flags -std=$standard -x c++-header "$folder/$standard/begin.hpp" -o "$folder/$standard/begin.hpp.gch"
done

# shellcheck disable=SC2086
compile() {  # STANDARD STATEMENTS
  printf '%s\n' 'void program(const kiln::Function& f, const NotPlain& not_plain, const kiln::DeviceBuffer<float>& buffer,
             std::vector<float> vector, std::string string, CUdeviceptr pointer, CUstream stream,
             const kiln::PreparedFunction& p, const std::vector<float>& constant, kiln::LaunchPlan& plan) {' "$2" '}' |
    "$compiler" $flags -std="$1" -fsyntax-only -include "$folder/$1/begin.hpp" -x c++ - 2>&1
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

for standard in c++17 c++20; do
  passes $standard '
    f({64, 256}, 1, 2.0f, 3.0, true, Mode::fast, Plain{1, 2});
    f({64, 256}, pointer, nullptr, buffer, buffer.data(), std::array<float, 4>{});
    long n = 5;
    f({(n + 255) / 256, 256, 1024, stream}, n);
    f({{4, 4}, {16, 16}}, n);
    f({64, 256, 0}, n);
    kiln::Stream own;
    f({64, 256, 0, own}, n);
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
for standard in c++17 c++20; do
  passes $standard '
    kiln::PreparedFunction q = f.prepare("PPPi");
    q = f.prepare("PPPi", 256);
    q = f.prepare("PPPi", {16, 16});
    q = f.prepare(string, kiln::Dim3(16, 16));
    q = f.prepare({"P", "float4"});
    q = f.prepare({"P", "float4"}, {16, 16});
    q = f.prepare({"float4"}, 256);
    q = f.prepare(std::vector<std::string>{"P", "float4"}, 256);
    q = f.prepare<const float*, int>();
    q = f.prepare<const float*, int>({16, 16});
    q({64}, pointer, 5);
    q({64, 256, 1024, stream}, buffer, 5);
    q.prepared_call(64, buffer, 5, 2.5);
    q.prepared_call(kiln::Dim3(4, 4), kiln::Dim3{256}, buffer);
    q.prepared_call({64, 256}, buffer, 5);
    q.prepared_call({64, 256, 4}, {32, 1, 1}, buffer, 5);
    q.prepared_call(kiln::LaunchConfig{64, 256, 1024}, buffer, 5);
    q.prepared_async_call(64, stream, buffer, 5);
    q.prepared_async_call(64, kiln::Dim3{256}, stream, buffer, 5);
    q.prepared_async_call(64, 256, stream, buffer, 5);
    q.prepared_async_call({4, 3}, {32, 1, 1}, stream, buffer, 5);
    q.prepared_async_call(kiln::LaunchConfig{64, 256, 1024}, nullptr, buffer, 5);
    double seconds = q.prepared_timed_call(64, buffer) + q.prepared_timed_call(64, kiln::Dim3{256}, buffer) +
                     q.prepared_timed_call({64, 256}, buffer) +
                     q.prepared_timed_call(kiln::LaunchConfig{64, 256}, buffer);
    int array[4] = {};
    f({64, 256}, kiln::In<float>(vector), kiln::Out<float>(vector), kiln::In<int>(array));
    f({64, 256}, kiln::In(vector), kiln::In(constant), kiln::Out(vector), kiln::InOut(array));
    seconds = f.timed({64, 256}, kiln::In(std::vector<float>(5)), kiln::Out(array));
    p.prepared_call(64, kiln::In(std::vector<float>(5)), 5);
    p.prepared_async_call(64, stream, kiln::In(constant), 5);
    kiln::TypedFunction<void(const float*, int)> typed(f);
    typed({64, 256}, kiln::In(constant), 5L);
    typed({64, 256, 0, stream}, kiln::Out(vector), 5);
    seconds = typed.timed({64, 256}, kiln::In(std::vector<float>(5)), 5);
    (void)seconds;'
done
for standard in c++17 c++20; do
  passes $standard '
    Transformed transformed{nullptr};
    f({64, 256}, transformed, 5);
    double seconds = f.timed({64, 256}, transformed);
    p.prepared_call(64, transformed, 5);
    plan(stream, transformed, 5);
    kiln::TypedFunction<void(const float*, int)> typed(f);
    typed({64, 256}, transformed, 5L);
    (void)seconds;'
done
passes c++20 '
    std::span<float> span(vector);
    f({64, 256}, span, std::span<const float>(vector), 5);
    kiln::TypedFunction<void(const float*, int)> typed(f);
    typed({64, 256}, span, 5L);
    kiln::TypedFunction<void(std::span<float>)> by_value(f);
    by_value({64, 256}, span);
    f({64, 256, 0, stream}, kiln::In(span), kiln::Out(span));
    plan.add(f, {1, 1}, span, plan.parameter<std::span<float>>("x"));
    plan(stream, span);'
refused c++20 'plan.add(f, {1, 1}, Transformed());' 'make it a parameter of the plan'
refused c++20 'kiln::TypedFunction<void(double*)> g(f); g({64, 256}, std::span<float>(vector));' 'no value of the parameter'
refused c++20 'f({64, 256}, kiln::In(std::vector<float>(5)));' 'kiln::In of a temporary, in a call that may return before'
refused c++20 'p({64, 256}, kiln::In(std::vector<float>(5)));' 'kiln::In of a temporary, in a call that may return before'
refused c++20 'p.prepared_async_call(64, stream, kiln::In(std::array<int, 4>{}));' 'give the container a name'
refused c++20 'p.prepared_async_call({64, 256}, stream, kiln::In(std::vector<float>(5)));' 'give the container a name'
refused c++20 'kiln::TypedFunction<void(float*)> g(f); g({64, 256}, kiln::In(std::vector<float>(5)));' 'give the container a name'
refused c++20 'p.prepared_call(64, kiln::Out(std::vector<float>(5)));' 'what is written would be lost'
refused c++20 'p.prepared_call(64, kiln::InOut(std::vector<float>(5)));' 'what is written would be lost'
refused c++20 'p.prepared_call(64, kiln::Out(constant));' 'const here: use kiln::In'
refused c++20 'p.prepared_call(64, kiln::InOut(constant));' 'const here: use kiln::In'
refused c++20 'p.prepared_call(64, kiln::In(std::list<float>(5)));' 'take contiguous host memory'
refused c++20 'p.prepared_call(64, kiln::In(5));' 'take contiguous host memory'
refused c++20 'std::vector<std::string> strings; p.prepared_call(64, kiln::In(strings));' 'holds trivially copyable types only'
refused c++20 'kiln::In<double> x(vector);' 'of another element type than the host'
refused c++20 'kiln::Out<char> x(vector);' 'of another element type than the host'
refused c++20 'kiln::InOut<int> x(vector);' 'of another element type than the host'
refused c++20 'kiln::In<float> x(std::vector<float>(5));' 'leave its template arguments out'
refused c++20 'p.prepared_call(64, vector);' 'kiln::In, Out or InOut'
# A launch is never of another shape than its braces say: more than a grid is no grid, and a call wants both in one.
refused c++20 'p.prepared_call({64, 256, 0, stream}, 5);' 'no matching'
refused c++20 'p.prepared_call({{4, 3}, {32}}, 5);' 'no matching'
refused c++20 'p.prepared_async_call({{4, 3}, {32}}, stream, 5);' 'no matching'
refused c++20 'p.prepared_async_call({4, 3}, 5);' 'no matching'
refused c++20 'f({4, 3}, {32, 1, 1}, buffer);' 'no match'
refused c++20 'f(kiln::Dim3(4, 3), kiln::Dim3(32), buffer);' 'no match'
refused c++20 'f(4, 32, buffer);' 'no match'
refused c++20 'f({4, 3, 1, 32, 1, 1}, buffer);' 'no match'
refused c++20 'kiln::TypedFunction<void(double*)> g(f); g({64, 256}, kiln::In(vector));' 'of another element type'
refused c++20 'f({64, 256}, std::make_unique<float>());' 'specialise kiln::DevicePointer'
for standard in c++17 c++20; do
  refused $standard 'f({64, 256}, buffer, kiln::Stream());' 'a stream is no kernel argument: it goes into the braces'
  refused $standard 'p({64, 256}, kiln::Stream());' 'a stream is no kernel argument: it goes into the braces'
  refused $standard 'kiln::Stream s; f({64, 256, s}, buffer);' 'write {grid, block, shared_size, stream}'
done
refused c++20 'f({64, 256, stream}, buffer);' 'write {grid, block, shared_size, stream}'
refused c++20 'f({{4, 4}, {16, 16}, stream});' 'write {grid, block, shared_size, stream}'
refused c++20 'f.timed({64, 256, stream}, buffer);' 'write {grid, block, shared_size, stream}'
refused c++20 'p({64, 256, stream}, buffer);' 'write {grid, block, shared_size, stream}'
refused c++20 'kiln::TypedFunction<void(const float*)> g(f); g({64, 256, stream}, buffer);' 'write {grid, block, shared_'
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
refused c++20 'plan(stream, kiln::In(vector));' 'a plan copies no host memory'
refused c++20 'plan.add(f, {1, 1}, kiln::Out(vector));' 'a plan copies no host memory'
refused c++20 'plan(stream, vector);' 'copy it into a kiln::DeviceBuffer'
refused c++20 'plan.tensor_map(kiln::TensorMap(), plan.parameter<int>());' 'PlanParameter<T'
refused c++20 'kiln::benchmark([](int*) {});' 'calls with a stream or with nothing'
exit $failed
