// Template instances compiled on demand beside the module's variables: a variable is one, or the request is refused.

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <string>
#include <vector>

namespace instances_test {

namespace {

using kiln::ArgumentError;
using kiln::CompileOptions;
using kiln::SourceModule;

const char* const source = R"(
__constant__ float scale;
__constant__ const float table[3] = {10, 20, 30};
__device__ const int powers[4] = {1, 10, 100, 1000};
__device__ int limit = 6;
__device__ int counter;
namespace { __device__ int hidden; }
__device__ int next() { static __device__ int last; return ++last; }
__device__ int digit(int i) { static const int digits[3] = {7, 8, 9}; return digits[i]; }
__global__ void set_limit(int* out) { *out = limit = 60; }
__global__ void set_hidden(int* out) { *out = hidden = 7; }
__global__ void plain(float* out) { *out = scale; }
__global__ void alone(int* out) { *out = 5; }
__global__ void count(int* out) { *out = ++counter; }
template <class T> __global__ void apply(T* out) { *out *= T(scale); }
template <class T> __global__ void look(T* out) { *out = T(table[1]); }
template <int n> __global__ void add(int* out) { *out = counter += n; }
template <int n> __global__ void number(int* out) { *out = n * next(); }
template <int n> __global__ void own(int* out) { static __device__ int mine; *out = mine += n; }
template <int n> __global__ void get_hidden(int* out) { *out = n * hidden; }
template <int n> __global__ void look_up(int* out) { *out = powers[*out] * n + digit(*out); }
template <int n> __global__ void limited(int* out) { *out = limit * n; }
template <int n> __global__ void bare(int* out) { *out = n; }
)";

template <class T>
T run(const kiln::Function& function, T value = 1) {
  kiln::DeviceBuffer<T> out(std::vector<T>{value});
  function({1, 1}, out);
  return out.to_host().front();
}

/// What is said where the request is refused; empty where it is not.
template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const ArgumentError& error) {
    return error.what();
  }
  return {};
}

bool says(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("an instance that is asked for first shares its variables with all that comes later") {
  const SourceModule module(source);
  const kiln::Function apply = module.get_function("apply<float>");
  module.get_global("scale").set(2.0f);
  CHECK(run(apply, 3.0f) == 6);
  CHECK(run<float>(module.get_function("plain")) == 2);
  const kiln::Function add = SourceModule(source).get_function("add<10>");
  CHECK(run<int>(add) == 10);

  const SourceModule counted(source);
  CHECK(run<int>(counted.get_function("add<10>")) == 10);
  CHECK(run<int>(counted.get_function("count")) == 11);
  CHECK(counted.get_global("counter").get<int>() == 11);
}

TEST_CASE("an instance that would have variables of its own is refused in every order") {
  const SourceModule module(source);
  SUBCASE("after the address of a constant") {
    module.get_global("scale").set(2.0f);
    const std::string message = refusal([&] { (void)module.get_function("apply<float>"); });
    CHECK_MESSAGE(says(message, "\"scale\""), message);
    CHECK_MESSAGE(says(message, "name_expressions = {\"apply<float>\"}"), message);
    CHECK_MESSAGE(says(message, "template __global__ void apply<float>(...)"), message);
    CHECK(says(refusal([&] { (void)module.get_function<void(double*)>("apply<double>"); }), "\"scale\""));
    CHECK(run<float>(module.get_function("plain")) == 2);
  }
  SUBCASE("before the address of a constant that two instances use") {
    (void)module.get_function("apply<float>");
    (void)module.get_function("apply<double>");
    const std::string message = refusal([&] { (void)module.get_global("scale"); });
    CHECK_MESSAGE(says(message, "{\"apply<float>\", \"apply<double>\"}"), message);
  }
  SUBCASE("after another instance") {
    CHECK(run<int>(module.get_function("add<1>")) == 1);
    const std::string message = refusal([&] { (void)module.get_function("add<2>"); });
    CHECK_MESSAGE(says(message, "\"counter\""), message);
    CHECK_MESSAGE(says(message, "{\"add<1>\", \"add<2>\"}"), message);
    CHECK(run<int>(module.get_function("add<1>")) == 2);
  }
  SUBCASE("after a plain kernel") {
    CHECK(run<int>(module.get_function("count")) == 1);
    CHECK(says(refusal([&] { (void)module.get_function("add<2>"); }), "\"counter\""));
    CHECK(says(refusal([&] { (void)module.get_function<void(int*)>("add<2>"); }), "\"counter\""));
  }
  SUBCASE("after the address of a variable") {
    CHECK(module.get_global("counter").get<int>() == 0);
    CHECK(says(refusal([&] { (void)module.get_function("add<2>"); }), "\"counter\""));
  }
  SUBCASE("for a static variable of a function, and one of an unnamed namespace") {
    CHECK(run<int>(module.get_function("number<1>")) == 1);
    CHECK(says(refusal([&] { (void)module.get_function("number<2>"); }), "next()::last"));
    CHECK(run<int>(module.get_function("set_hidden")) == 7);
    CHECK(says(refusal([&] { (void)module.get_function("get_hidden<2>"); }), "hidden"));
  }
  SUBCASE("through a copy of the module, and on another image's request") {
    const kiln::Module copy = module;
    CHECK(run<int>(copy.get_function("add<1>")) == 1);
    CHECK(says(refusal([&] { (void)module.get_function("add<2>"); }), "\"counter\""));
  }
}

TEST_CASE("what shares no variable is given in any order") {
  const SourceModule module(source);
  CHECK(module.get_global("counter").get<int>() == 0);
  module.get_global("scale").set(2.0f);
  CHECK(run<int>(module.get_function("alone")) == 5);
  CHECK(run<int>(module.get_function("bare<3>")) == 3);
  CHECK(run<int>(module.get_function("bare<4>")) == 4);
  // Constants that nobody can write may be in several images, and an instance's own static is its own.
  CHECK(run<float>(module.get_function("look<float>")) == 20);
  CHECK(run<double>(module.get_function("look<double>")) == 20);
  const kiln::Function own = module.get_function("own<1>");
  CHECK(run<int>(own) == 1);
  CHECK(run<int>(module.get_function("own<2>")) == 2);
  CHECK(run<int>(own) == 2);
  CHECK(run<int>(module.get_function("count")) == 1);
  CHECK(module.get_global("counter").get<int>() == 1);
  CHECK(run<float>(module.get_function("plain")) == 2);
}

TEST_CASE("instances may read one variable as long as nobody writes it") {
  const SourceModule module(source);
  CHECK(run<int>(module.get_function("look_up<2>"), 1) == 28);
  CHECK(run<int>(module.get_function("look_up<3>"), 2) == 309);
  CHECK(run<int>(module.get_function("limited<2>")) == 12);
  CHECK(run<int>(module.get_function("limited<3>")) == 18);
  CHECK(says(refusal([&] { (void)module.get_function("set_limit"); }), "\"limit\""));
  CHECK(says(refusal([&] { (void)module.get_global("limit"); }), "{\"look_up<2>\""));

  const SourceModule written(source);
  CHECK(run<int>(written.get_function("set_limit")) == 60);
  CHECK(says(refusal([&] { (void)written.get_function("limited<2>"); }), "\"limit\""));
}

TEST_CASE("both ways out keep one variable for all instances") {
  const std::vector<std::string> expressions = {"apply<float>", "apply<double>", "add<1>", "add<2>"};
  const std::string explicit_instances =
      "template __global__ void apply<float>(float*);\ntemplate __global__ void apply<double>(double*);\n"
      "template __global__ void add<1>(int*);\ntemplate __global__ void add<2>(int*);\n";
  for (const bool listed : {true, false}) {
    const SourceModule module(source + (listed ? "" : explicit_instances),
                              listed ? CompileOptions{}.with_name_expressions(expressions) : CompileOptions{});
    module.get_global("scale").set(3.0f);
    CHECK(run<float>(module.get_function("apply<float>"), 2) == 6);
    CHECK(run<double>(module.get_function("apply<double>"), 2) == 6);
    CHECK(run<int>(module.get_function("add<1>")) == 1);
    CHECK(run<int>(module.get_function("add<2>")) == 3);
    CHECK(module.get_global("counter").get<int>() == 3);
  }
}

TEST_CASE("overloaded templates by their types") {
  const SourceModule module(R"(
template <class T> __global__ void over(T* out) { *out = 1; }
template <class T> __global__ void over(T* out, int n) { *out = n; }
namespace deep { template <class T, int n> __global__ void over(T* out, const T* in) { *out = *in + n; } }
)");
  kiln::DeviceBuffer<float> out(1);
  module.get_function<void(float*, int)>("over<float>")({1, 1}, out, 4);
  CHECK(out.to_host().front() == 4);
  module.get_function<void(float*)>("over<float>")({1, 1}, out);
  CHECK(out.to_host().front() == 1);
  CHECK(run<int>(module.get_function("over<int>(int*)"), 8) == 1);
  kiln::DeviceBuffer<int> number(1);
  module.get_function("over< int >(int *, int)")({1, 1}, number, 9);
  CHECK(number.to_host().front() == 9);
  module.get_function<void(int*, const int*)>("deep::over<int, 2>")({1, 1}, number, number);
  CHECK(number.to_host().front() == 11);
  const std::string ambiguous = refusal([&] { (void)module.get_function("over<float>"); });
  CHECK_MESSAGE(says(ambiguous, "get_function(\"over<float>(float*, int)\")"), ambiguous);
  const std::string none = refusal([&] { (void)module.get_function<void(float*, double)>("over<float>"); });
  CHECK_MESSAGE(says(none, "(float*,double)"), none);
}

TEST_CASE("kernels and variables by the names that unnamed namespaces have") {
  const SourceModule module(R"(
namespace unit { namespace { __device__ int x = 3; template <int n> __global__ void times(int* out) { *out = n * x; } } }
namespace { namespace b { __device__ int a = 4; } __global__ void read_a(int* out) { *out = b::a + unit::x; } }
namespace z { template <class T> __device__ T tv = T(5); __global__ void read_tv(float* out) { *out = tv<float>; } }

)",
                            CompileOptions{}.with_name_expressions({"read_a"}));
  CHECK(module.get_global("<unnamed>::b::a").get<int>() == 4);
  CHECK(module.get_global("unit::<unnamed>::x").get<int>() == 3);
  CHECK(module.get_global("(anonymous namespace)::b::a").get<int>() == 4);
  CHECK(module.get_global("unit::x").get<int>() == 3);
  CHECK(module.get_global("&z::tv<float>").size == sizeof(float));
  CHECK(run<int>(module.get_function("<unnamed>::read_a")) == 7);
  CHECK(run<int>(module.get_function("read_a")) == 7);
  CHECK_THROWS_AS((void)module.get_global("z::<unnamed>::tv<float>"), ArgumentError);
}

}  // namespace instances_test
