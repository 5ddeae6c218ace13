// Names that kiln::instance() makes, instantiated by the compiler and run: the values and their types arrive.
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <climits>
#include <string>
#include <vector>

namespace instance_names_test {

enum class Mode { slow, fast };
enum class Large : unsigned long { most = ULONG_MAX };
struct Operation {
  virtual ~Operation() = default;
};
template <class T>
struct Twice : Operation {};

namespace {

using kiln::instance;
using kiln::type;

const char* const source = R"(
namespace instance_names_test {
enum class Mode { slow, fast };
enum class Large : unsigned long { most = ~0ul };
template <class T> struct Twice { static __device__ T apply(T x) { return x + x; } };
}
template <class T, int n> struct Pair { static const int count = n; };
__device__ int table = 7;
template <class A, class B> struct Same { static const bool value = false; };
template <class A> struct Same<A, A> { static const bool value = true; };

template <auto v, class T> __global__ void show(long long* out) {
  out[0] = static_cast<long long>(v);
  out[1] = Same<T, decltype(v)>::value || Same<const T, decltype(v)>::value;
}
template <class T, int n, bool add, instance_names_test::Mode mode> __global__ void scale(T* out) {
  *out = T(n) + (add ? T(0.5) : T(0)) + T(100 * int(mode));
}
template <class P> __global__ void count(int* out) { *out = P::count; }
template <int* p> __global__ void follow(int* out) { *out = p == nullptr ? -1 : *p; }
template <class Op> __global__ void apply(float* out) { *out = Op::apply(*out); }
)";

template <class T>
T run(const kiln::SourceModule& module, const std::string& name, T value = {}) {
  kiln::DeviceBuffer<T> out(std::vector<T>{value});
  module.get_function(name)({1, 1}, out);
  return out.to_host().front();
}

/// Whether the kernel has this very value, of this type.
template <class T>
bool arrives(const kiln::SourceModule& module, T value) {
  const std::string name = instance("show", value, type<T>);
  CAPTURE(name);
  kiln::DeviceBuffer<long long> out(2);
  module.get_function(name)({1, 1}, out);
  return out.to_host() == std::vector<long long>{static_cast<long long>(value), 1};
}

}  // namespace

TEST_CASE("values of every type arrive in the kernel as that type") {
  const kiln::SourceModule module(source);
  CHECK(arrives(module, -4));
  CHECK(arrives(module, INT_MIN));
  CHECK(arrives(module, 4000000000u));
  CHECK(arrives(module, LONG_MIN));
  CHECK(arrives(module, ULLONG_MAX));
  CHECK(arrives(module, LLONG_MIN));
  CHECK(arrives(module, true));
  CHECK(arrives(module, 'a'));
  CHECK(arrives(module, short{-2}));
  CHECK(arrives(module, static_cast<unsigned char>(255)));
  CHECK(arrives(module, Mode::fast));
  CHECK(arrives(module, Large::most));
}

TEST_CASE("types, nested instances, addresses of the source and dynamic types name instances") {
  const std::string scale = instance("scale", type<float>, 4, true, Mode::fast);
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_name_expressions({scale}));
  CHECK(module.get_function(scale).name() == module.code().lowered_name(scale));
  CHECK(run<float>(module, scale) == 104.5f);
  CHECK(run<double>(module, instance("scale", type<double>, -4, false, Mode::slow)) == -4);
  CHECK(run<int>(module, instance("count", instance("Pair", type<const float*>, 3))) == 3);
  CHECK(run<int>(module, instance("follow", "&table")) == 7);
  CHECK(run<int>(module, instance("follow", nullptr)) == -1);
  const Twice<float> twice;
  const Operation& operation = twice;
  CHECK(run<float>(module, instance("apply", kiln::instance_of(operation)), 4.0f) == 8);
}

}  // namespace instance_names_test
