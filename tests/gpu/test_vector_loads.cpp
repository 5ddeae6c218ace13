// That generated kernels read and write 16 bytes at a time, as their PTX says, and those for vectors that begin
// anywhere do not: such an access there would be a fault.
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cstddef>
#include <iterator>
#include <regex>
#include <string>

namespace vector_loads_test {

namespace {

struct Accesses {
  std::ptrdiff_t loads = 0, stores = 0;
};

std::ptrdiff_t count(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), expression), std::sregex_iterator());
}

/// The PTX of one kernel, whose name may be mangled.
std::string body_of(const std::string& ptx, const std::string& kernel) {
  const std::string entry = ".entry ";
  for (std::size_t at = ptx.find(entry); at != std::string::npos; at = ptx.find(entry, at + 1)) {
    const std::string text = ptx.substr(at, ptx.find(entry, at + 1) - at);
    const std::string name = text.substr(entry.size(), text.find('(') - entry.size());
    if (name == kernel || name.rfind("_Z" + std::to_string(kernel.size()) + kernel, 0) == 0) return text;
  }
  FAIL("no kernel ", kernel);
  return {};
}

/// Those of 16 bytes in global memory, but for volatile ones.
Accesses accesses(const std::string& ptx, const std::string& kernel) {
  const std::string body = body_of(ptx, kernel);
  CHECK(count(body, R"(\b(ld|st)\.global)") > 0);
  return {count(body, R"(\bld\.global(\.nc)?\.v(4\.[a-z]32|2\.[a-z]64)\b)"),
          count(body, R"(\bst\.global\.v(4\.[a-z]32|2\.[a-z]64)\b)")};
}

template <class Kernel>
std::string ptx_of(const Kernel& kernel, const std::string& arch) {
  return std::string(kiln::compile(kernel.source(), {.arch = arch, .target = kiln::Target::ptx}).ptx());
}

/// In kernel NAME for all of `loads` vectors, perhaps of several turns of its loop, and of `stores` vectors; in
/// NAME__kiln_plain for none.
template <class Kernel>
void check_two_kernels(const Kernel& kernel, const std::string& name, std::ptrdiff_t loads, std::ptrdiff_t stores) {
  for (const std::string arch : {"sm_80", "sm_90"}) {
    CAPTURE(arch);
    const std::string ptx = ptx_of(kernel, arch);
    const Accesses fast = accesses(ptx, name), plain = accesses(ptx, name + "__kiln_plain");
    CHECK(fast.loads >= loads);
    CHECK(fast.loads % loads == 0);
    CHECK(fast.stores == stores);
    CHECK(plain.loads == 0);
    CHECK(plain.stores == 0);
  }
}

template <class Kernel>
void check_one_kernel(const Kernel& kernel, const std::string& name) {
  for (const std::string arch : {"sm_80", "sm_90"}) {
    CAPTURE(arch);
    const Accesses found = accesses(ptx_of(kernel, arch), name);
    CHECK(found.loads > 0);
    CHECK(found.stores > 0);
  }
}

}  // namespace

TEST_CASE("words of 16 bytes: axpy of floats, doubles and halves") {
  for (const std::string type : {"float", "double", "__half"}) {
    CAPTURE(type);
    const kiln::ElementwiseKernel axpy(type + " a, const " + type + "* x, " + type + "* y", "y[i] = a * x[i] + y[i]",
                                       {.name = "axpy"});
    check_two_kernels(axpy, "axpy", 2, 1);
  }
}

TEST_CASE("words of 16 bytes: vectors that are not const, and one that is written alone") {
  const kiln::ElementwiseKernel exponential("float* x, float* y", "y[i] = expf(x[i])", {.name = "exponential"});
  check_two_kernels(exponential, "exponential", 1, 1);
}

TEST_CASE("words of 16 bytes: dot, and min and max at once") {
  for (const std::string type : {"float", "double"}) {
    CAPTURE(type);
    const kiln::ReductionKernel<double> dot({.neutral = "0",
                                             .reduce_expr = "a + b",
                                             .map_expr = "x[i] * y[i]",
                                             .arguments = "const " + type + "* x, const " + type + "* y",
                                             .name = "dot"});
    check_two_kernels(dot, "dot", 2, 0);
  }
  struct MinMax {
    float least, most;
  };
  const kiln::ReductionKernel<MinMax> range({.neutral = "{INFINITY, -INFINITY}",
                                             .reduce_expr = "MinMax{fminf(a.least, b.least), fmaxf(a.most, b.most)}",
                                             .map_expr = "MinMax{x[i], x[i]}",
                                             .arguments = "const float* x",
                                             .type = "MinMax",
                                             .name = "range",
                                             .preamble = "struct MinMax { float least, most; };"});
  check_two_kernels(range, "range", 1, 0);
}

TEST_CASE("words of 16 bytes: scans") {
  check_one_kernel(kiln::InclusiveScanKernel<float>("a + b", {.name = "sums"}), "sums");
  check_one_kernel(kiln::InclusiveScanKernel<double>("a + b", {.name = "sums"}), "sums");
  check_one_kernel(kiln::ExclusiveScanKernel<float>("a + b", "0", {.name = "sums"}), "sums");
}

}  // namespace vector_loads_test
