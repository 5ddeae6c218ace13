// Complex numbers of cuComplex.h, CuPy's and PyCUDA's headers, against std::complex.
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <complex>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace complex_test {

TEST_CASE("complex: PyCUDA's, CuPy's and the program's own are known in generated kernels without a preamble") {
  using Complex = std::complex<float>;
  for (const std::string type :
       {"pycuda::complex<float>", "complex<float>", "cuda::std::complex<float>", "std::complex<float>"}) {
    CAPTURE(type);
    const kiln::DeviceBuffer<Complex> x(std::vector<Complex>(100, {1, 2})), y(100);
    const kiln::DeviceBuffer<float> z(100);
    const kiln::ElementwiseKernel square("const " + type + "* x, " + type + "* y",
                                         "y[i] = x[i] * x[i] + " + type + "(1, 1)");
    square(x, y);
    CHECK(y.to_host() == std::vector<Complex>(100, {-2, 5}));
    const kiln::ElementwiseKernel real("const " + type + "* x, float* z", "z[i] = x[i].real() + conj(x[i]).imag()");
    real(x, z);
    CHECK(z.to_host() == std::vector<float>(100, -1));
    kiln::ReductionOptions sum;
    sum.neutral = "0";
    sum.reduce_expr = "a + b";
    sum.map_expr = "x[i] * y[i]";
    sum.arguments = "const " + type + "* x, const " + type + "* y";
    for (const std::string& given : {type, std::string()}) {
      sum.type = given;
      CHECK(kiln::ReductionKernel<Complex>(sum)(x, y).get() == Complex(-1200, 100));
    }
  }
  // Functions, too, and in a scan.
  const kiln::DeviceBuffer<Complex> x(std::vector<Complex>(4, {3, 4})), y(4);
  kiln::ElementwiseKernel("const std::complex<float>* x, std::complex<float>* y",
                          "y[i] = std::abs(x[i]) + std::norm(std::conj(x[i]))")(x, y);
  CHECK(y.to_host() == std::vector<Complex>(4, 30));
  kiln::InclusiveScanKernel<Complex>("a + std::complex<float>(1) * b")(x, y);
  CHECK(y.to_host().back() == Complex(12, 16));
}

namespace {

template <class T>
using Numbers = std::vector<std::complex<T>>;

/// An expression of the kernel's complex numbers a and b, and what std::complex makes of it.
template <class T>
struct Expression {
  std::string text;
  std::function<std::complex<T>(std::complex<T>, std::complex<T>)> on_host;
};

/// In all quadrants, large and small; away from where a function has a pole or a cut.
template <class T>
Numbers<T> numbers() {
  return {{T(1), T(2)},      {T(-0.5), T(0.25)}, {T(-1.5), T(-3)},   {T(0.75), T(-1)},
          {T(0.01), T(2.5)}, {T(3), T(0.125)},   {T(-2), T(0.0625)}, {T(0.1), T(0.2)}};
}

template <class T>
std::string type_text() {
  return std::is_same_v<T, float> ? "float" : "double";
}

/// Compares what a kernel gives for each number and the one behind it, with head before the kernel and the class named.
template <class T>
void check(const std::string& head, const std::string& type, const std::vector<Expression<T>>& expressions) {
  const Numbers<T> a = numbers<T>();
  Numbers<T> b(a.begin() + 1, a.end());
  b.push_back(a.front());
  std::string kernel = head + "__global__ void values(const " + type + "* as, const " + type + "* bs, " + type +
                       "* out) {\n  const " + type + " a = as[threadIdx.x], b = bs[threadIdx.x];\n";
  for (std::size_t k = 0; k < expressions.size(); ++k)
    kernel += "  out[" + std::to_string(k * a.size()) + " + threadIdx.x] = " + expressions[k].text + ";\n";
  kiln::SourceModule module(kernel + "}\n");
  kiln::DeviceBuffer<std::complex<T>> as(a), bs(b), out(a.size() * expressions.size());
  module.get_function("values")({1, static_cast<unsigned>(a.size())}, as, bs, out);

  const Numbers<T> device = out.to_host();
  const T tolerance = std::is_same_v<T, float> ? T(4e-6) : T(1e-14);
  for (std::size_t k = 0; k < expressions.size(); ++k)
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::complex<T> given = device[k * a.size() + i], host = expressions[k].on_host(a[i], b[i]);
      CHECK_MESSAGE(std::abs(given - host) <= tolerance * (1 + std::abs(host)), type, " ", expressions[k].text, " of ",
                    a[i], " and ", b[i], ": ", given, ", on the host ", host);
    }
}

/// What both classes have.
template <class T>
std::vector<Expression<T>> of_classes() {
  using C = std::complex<T>;
  return {
      {"a + b", [](C a, C b) { return a + b; }},
      {"a - b", [](C a, C b) { return a - b; }},
      {"a * b", [](C a, C b) { return a * b; }},
      {"a / b", [](C a, C b) { return a / b; }},
      {"-a + 2 * b - b / 4", [](C a, C b) { return -a + T(2) * b - b / T(4); }},
      {"1 / a", [](C a, C) { return T(1) / a; }},
      {"conj(a)", [](C a, C) { return std::conj(a); }},
      {"abs(a)", [](C a, C) { return C(std::abs(a)); }},
      {"arg(a)", [](C a, C) { return C(std::arg(a)); }},
      {"norm(a)", [](C a, C) { return C(std::norm(a)); }},
      {"sqrt(a)", [](C a, C) { return std::sqrt(a); }},
      {"exp(a)", [](C a, C) { return std::exp(a); }},
      {"log(a)", [](C a, C) { return std::log(a); }},
      {"log10(a)", [](C a, C) { return std::log10(a); }},
      {"pow(a, b)", [](C a, C b) { return std::pow(a, b); }},
      {"sin(a)", [](C a, C) { return std::sin(a); }},
      {"cos(a)", [](C a, C) { return std::cos(a); }},
      {"tan(a)", [](C a, C) { return std::tan(a); }},
      {"sinh(a)", [](C a, C) { return std::sinh(a); }},
      {"cosh(a)", [](C a, C) { return std::cosh(a); }},
      {"tanh(a)", [](C a, C) { return std::tanh(a); }},
      {"asin(a)", [](C a, C) { return std::asin(a); }},
      {"acos(a)", [](C a, C) { return std::acos(a); }},
      {"atan(a)", [](C a, C) { return std::atan(a); }},
      {"asinh(a)", [](C a, C) { return std::asinh(a); }},
      {"acosh(a)", [](C a, C) { return std::acosh(a); }},
      {"atanh(a)", [](C a, C) { return std::atanh(a); }},
  };
}

template <class T>
void check_cupy() {
  using C = std::complex<T>;
  std::vector<Expression<T>> expressions = of_classes<T>();
  expressions.push_back({"log1p(a)", [](C a, C) { return std::log(a + T(1)); }});
  expressions.push_back({"log2(a)", [](C a, C) { return std::log(a) / std::log(T(2)); }});
  expressions.push_back({"expm1(a)", [](C a, C) { return std::exp(a) - T(1); }});
  expressions.push_back({"rint(a)", [](C a, C) { return C(std::rint(a.real()), std::rint(a.imag())); }});
  expressions.push_back({"min(a, b)", [](C a, C b) { return a.real() < b.real() ? a : b; }});
  expressions.push_back({"max(a, b)", [](C a, C b) { return a.real() < b.real() ? b : a; }});
  check<T>("#include <cupy/complex.cuh>\n", "complex<" + type_text<T>() + ">", expressions);
}

template <class T>
void check_pycuda() {
  check<T>("#include <pycuda-complex.hpp>\n", "pycuda::complex<" + type_text<T>() + ">", of_classes<T>());
}

/// cuComplex.h's functions of one precision end in f, those of the other do not.
template <class T>
void check_cucomplex(const std::string& head) {
  using C = std::complex<T>;
  const std::string f = std::is_same_v<T, float> ? "f" : "";
  const std::string type = std::is_same_v<T, float> ? "cuFloatComplex" : "cuDoubleComplex";
  check<T>(head, type,
           {{"cuCadd" + f + "(a, b)", [](C a, C b) { return a + b; }},
            {"cuCsub" + f + "(a, b)", [](C a, C b) { return a - b; }},
            {"cuCmul" + f + "(a, b)", [](C a, C b) { return a * b; }},
            {"cuCdiv" + f + "(a, b)", [](C a, C b) { return a / b; }},
            {"cuCfma" + f + "(a, b, cuConj" + f + "(a))", [](C a, C b) { return a * b + std::conj(a); }},
            {"make_" + type + "(cuCabs" + f + "(a), cuCimag" + f + "(b))",
             [](C a, C b) { return C(std::abs(a), b.imag()); }}});
}

}  // namespace

TEST_CASE("CuPy's complex header gives what std::complex gives") {
  check_cupy<float>();
  check_cupy<double>();
}

TEST_CASE("PyCUDA's complex header gives what std::complex gives") {
  check_pycuda<float>();
  check_pycuda<double>();
}

TEST_CASE("cuComplex's functions give what std::complex gives, with and without an #include") {
  for (const char* const head : {"", "#include <cuComplex.h>\n"}) {
    check_cucomplex<float>(head);
    check_cucomplex<double>(head);
  }
}

}  // namespace complex_test
