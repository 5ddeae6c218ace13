// Generated sources as the real compiler sees them: what they mean, and the places that its errors name.
#include "message_of.hpp"
#include "template/source_parts.hpp"

#include <kiln/compile.hpp>
#include <kiln/render_template.hpp>
#include <kiln/substitute.hpp>
#include <kiln/type_name.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <limits>
#include <vector>

using namespace kiln;
using kiln::test::contains;
using kiln::test::message_of;

namespace physics {

template <class T, int n>
struct Particle {};

}  // namespace physics

namespace {

CompileOptions options() { return CompileOptions{}.with_arch("sm_90").with_cache(false).with_name("k.cu"); }

std::string failure(const std::string& source) {
  return message_of<CompileError>([&] { compile(source, options()); });
}

}  // namespace

TEST_CASE("literals and types are CUDA C++") {
  const std::string source = substitute(R"(
template <class A, class B> struct Same { static constexpr bool value = false; };
template <class A> struct Same<A, A> { static constexpr bool value = true; };
#define IS(type, literal) static_assert(Same<type, decltype(literal)>::value, "")
IS(int, $int); IS(long, $long); IS(long, $least); IS(unsigned long, $most); IS(bool, $bool);
IS(float, $float); IS(float, $tiny); IS(double, $double);
static_assert($least < 0 && $most > 0 && $float == 0.1f && $tiny > 0 && $double == 1e+300, "");
constexpr int table[][2] = {$table};
static_assert(table[1][0] == 3, "");
__global__ void k($type x) {}
)",
                                        {{"int", -5},
                                         {"long", 1LL << 40},
                                         {"least", std::numeric_limits<long>::min()},
                                         {"most", ~std::size_t{0}},
                                         {"bool", true},
                                         {"float", 0.1F},
                                         {"tiny", 1e-45F},
                                         {"double", 1e300},
                                         {"table", std::vector<std::vector<int>>{{1, 2}, {3, 4}}},
                                         {"type", type_name<const double* const>()}});
  CHECK(compile(source, options()).kernels().size() == 1);
}

TEST_CASE("type names in name expressions") {
  const std::string source = R"(
#include <cuda/std/complex>
namespace physics { template <class T, int n> struct Particle {}; }
template <class T> __global__ void k(T* x) {})";
  std::vector<std::string> names;
  for (const std::string& type : {type_name<float>(), type_name<const unsigned char*>(),
                                  type_name<std::complex<float>>(), type_name<physics::Particle<double, 3>>(),
                                  type_name<physics::Particle<std::complex<double>, 1>>(), type_name<void (*)(int)>()})
    names.push_back("k<" + type + ">");
  const CodeObject code = compile(source, options().with_name_expressions(names));
  CHECK(code.kernels().size() == names.size());
  for (const std::string& name : names) CHECK_FALSE(code.lowered_name(name).empty());
}

TEST_CASE("an error in a loop names the template's line, and shows the round that is wrong") {
  const std::string text =
      "__global__ void k(float* x) {\n"
      "#define LONG \\\n"
      "  1\n"
      "  {@# names @}\n"
      "  x[0] = 1;\n"
      "  x[1] = {@ . @};\n"
      "  {@/ names @}\n"
      "  x[2] = 3;\n"
      "}\n"
      "behind;\n";
  CHECK_NOTHROW(
      compile(render_template(text.substr(0, text.find("behind")), {{"names", std::vector<int>(3)}}), options()));
  const std::string in_loop = failure(render_template(text, {{"names", TemplateList{1, "two", 3}}}));
  CHECK(contains(in_loop, "k.cu(6): error: identifier \"two\" is undefined"));
  CHECK(contains(in_loop, ">     6 |   x[1] = two;"));
  CHECK(contains(failure(render_template(text, {{"names", std::vector<int>(3)}})), ">    10 | behind;"));
}

TEST_CASE("an error behind a group that is left out, and behind a macro with several lines of arguments") {
  const std::string text =
      "#if LEFT_OUT\n"
      "{@# names @}\n"
      "int {@ . @};\n"
      "{@/ names @}\n"
      "#endif\n"
      "#define SUM(a, b, c) ((a) + (b) + (c))\n"
      "constexpr int sum = SUM(\n"
      "  {@# three @}\n"
      "  {@ . @}{@^ loop.last @},{@/ loop.last @}\n"
      "  {@/ three @}\n"
      ");\n"
      "static_assert(sum == 6, \"\");\n"
      "wrong;\n";
  const TemplateObject data = {{"names", TemplateList{"a", "b"}}, {"three", std::vector<int>{1, 2, 3}}};
  const std::string error = failure(render_template(text, data));
  CHECK(contains(error, "k.cu(13): error"));
  CHECK(contains(error, ">    13 | wrong;"));
}

TEST_CASE("functions may call each other, and errors name the part") {
  SourceParts parts("__global__ void k(float* x) {\n  *x = even(*x);\n}\n$end", "main.cu");
  parts.add_to_preamble("struct Pair { float a; };");
  parts.add_function({"float", "even", "float x", "return x > 0 ? odd(x - 1) : 1;"});
  parts.add_function({"float", "odd", "float x", "Pair p{even(x - 1)};\n// comment\nreturn p.a;\n"});
  parts.add_function({"T", "generic", "T x", "return x;", "template <class T> __device__"});
  parts.substitute({{"end", ""}});
  CHECK(compile(parts.source(), options()).kernels().size() == 1);

  SourceParts with_body = parts;
  with_body.add_function({"void", "f", "", "int a;\nint b = c;"});
  const std::string body = failure(with_body.source());
  CHECK(contains(body, "function f(2): error: identifier \"c\" is undefined"));
  CHECK(contains(body, "      1 | int a;\n>     2 | int b = c;\n"));

  SourceParts with_head = parts;
  with_head.add_function({"Unknown", "f", "", ""});
  CHECK(contains(failure(with_head.source()), "head of function f(1): error"));

  SourceParts with_preamble = parts;
  with_preamble.add_to_preamble("\nint x = y;");
  CHECK(contains(failure(with_preamble.source()), "preamble 2(2): error"));

  parts.substitute({{"end", CodeBlock{"int ok;\nint z = wrong;"}}});
  CHECK(contains(failure(parts.source()), "main.cu(4): error: identifier \"wrong\""));
  CHECK(contains(failure(parts.source()), ">     4 | int z = wrong;"));
}
