// Which names generated sources use: reserved ones, the program's own, documented ones, and those of C++ and CUDA. So
// no name or macro that a program may use clashes with one of the kernel's.
#include "base/source_token.hpp"
#include "generate/elementwise_source.hpp"
#include "generate/reduction_source.hpp"
#include "generate/reserved_text.hpp"
#include "generate/scan_source.hpp"

#include <kiln/detail/built_in_kernels.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace generated_names_test {

using namespace kiln;
using detail::Usual;
using Names = std::set<std::string, std::less<>>;

namespace {

const Names language = {"alignas",     "asm",      "auto",      "bool",     "break",    "char",
                        "class",       "const",    "constexpr", "continue", "decltype", "do",
                        "double",      "else",     "enum",      "explicit", "false",    "float",
                        "for",         "if",       "int",       "long",     "operator", "reinterpret_cast",
                        "return",      "short",    "signed",    "sizeof",   "static",   "static_assert",
                        "static_cast", "struct",   "template",  "true",     "typedef",  "typename",
                        "union",       "unsigned", "using",     "void",     "volatile", "while"};
const Names cuda = {
    "__device__", "__host__",      "__global__",    "__shared__",       "__forceinline__", "__launch_bounds__",
    "__trap",     "__syncthreads", "__threadfence", "__shfl_down_sync", "__shfl_up_sync",  "__ballot_sync",
    "__ffs",      "__ldcg",        "atomicInc",     "threadIdx",        "blockIdx",        "blockDim",
    "gridDim",    "uint2",         "uint4"};

/// All words of a source except those in comments, literals and directives; of #undef the names.
Names words_of(std::string_view text, Names* undefined = nullptr) {
  Names words;
  bool is_directive = false, begins_line = true;
  std::string directive;
  for (std::size_t at = 0; at < text.size();) {
    const SourceToken token = source_token(text, at);
    const std::string word(text.substr(at, token.size));
    at += token.size;
    if (token.kind == SourceTokenKind::newline) {
      begins_line = true;
      is_directive = false;
      directive.clear();
    } else if (token.kind != SourceTokenKind::blank && token.kind != SourceTokenKind::comment) {
      if (begins_line && word == "#") is_directive = true;
      begins_line = false;
      if (token.kind != SourceTokenKind::word) continue;
      if (!is_directive)
        words.insert(word);
      else if (directive.empty())
        directive = word;
      else if (directive == "undef" && undefined != nullptr)
        undefined->insert(word);
    }
  }
  return words;
}

/// The words of a source that it may not use.
Names strangers(std::string_view text, const Names& own) {
  Names found;
  for (const std::string& word : words_of(text))
    if (word.find(reserved_prefix) == std::string::npos && !language.count(word) && !cuda.count(word) &&
        !own.count(word))
      found.insert(word);
  return found;
}

Names operator+(Names all, const Names& more) {
  all.insert(more.begin(), more.end());
  return all;
}

const Names none;

ElementwiseSource elementwise() {
  ElementwiseOptions options;
  options.name = "kernel_name";
  options.preamble = "struct PreambleType { float member; };";
  options.loop_prep = "float prepared = 0";
  options.after_loop = "prepared = 1";
  return read_elementwise("float scalar, const PreambleType* first_vector, float* second_vector",
                          "second_vector[i] = scalar + n", options);
}

}  // namespace

TEST_CASE("names of elementwise kernels") {
  const ElementwiseSource source = elementwise();
  REQUIRE(source.arguments.is_staged());
  const Names own = {"kernel_name",   "PreambleType", "member", "scalar", "first_vector",
                     "second_vector", "prepared",     "i",      "n"};
  CHECK(strangers(source.text(), own) == none);
  CHECK(strangers(source.wide_text(), own) == none);
  CHECK(strangers(source.plain_text(), own) == none);
  for (const std::size_t dimensions : {1U, 2U, 4U}) CHECK(strangers(source.strided_text(dimensions), own) == none);
}

TEST_CASE("names of reductions") {
  ReductionOptions options;
  options.neutral = "{0}";
  options.reduce_expr = "PreambleType{a.member + b.member}";
  options.map_expr = "PreambleType{some_vector[i]}";
  options.post_expr = "PreambleType{a.member / 2}";
  options.arguments = "const float* some_vector";
  options.name = "kernel_name";
  options.preamble = "struct PreambleType { float member; };";
  const ReductionSource source = read_reduction(options, "PreambleType", 4);
  const Names own = {"kernel_name", "PreambleType", "member", "some_vector", "i", "n", "a", "b"};
  CHECK(strangers(source.text("unsigned"), own) == none);
  CHECK(strangers(source.text("unsigned long"), own) == none);
  CHECK(strangers(source.plain_text(), own) == none);
  options.neutral = "0";
  options.map_expr = "some_vector[2 * i]";  // the plain kernel
  CHECK(strangers(read_reduction(options, "PreambleType", 4).text("unsigned"), own) == none);
}

TEST_CASE("names of scans") {
  ScanOptions options;
  options.name = "kernel_name";
  const std::string neutral = "0";
  const Names own = {"kernel_name", "a", "b"};
  CHECK(strangers(read_scan("a + b", nullptr, options, "float", 4).text, own) == none);
  CHECK(strangers(read_scan("a + b", &neutral, options, "float", 4).text, own) == none);
}

TEST_CASE("the usual kernels undefine what their texts are named by, but for functions of CUDA's") {
  const Names called = {"abs",
                        "acos",
                        "asin",
                        "atan",
                        "ceil",
                        "cos",
                        "cosh",
                        "exp",
                        "fabs",
                        "floor",
                        "fmod",
                        "frexp",
                        "ldexp",
                        "log",
                        "log10",
                        "modf",
                        "sin",
                        "sinh",
                        "sqrt",
                        "tan",
                        "tanh",
                        "sqrtf",
                        "logf",
                        "lgamma",
                        "sincospif",
                        "sincospi",
                        "inline",
                        "__int_as_float",
                        "__longlong_as_double"};
  const auto check = [&](const std::string& text) {
    Names undefined;
    (void)words_of(text, &undefined);
    CHECK(strangers(text, undefined + called) == none);
  };
  for (const std::string type : {"float", "double"}) {
    CAPTURE(type);
    for (int k = 0; k <= static_cast<int>(Usual::uniform); ++k) {
      const auto what = static_cast<Usual>(k);
      const detail::UsualTypes types = {type, type, type, type};
      CAPTURE(k);
      switch (what) {
        case Usual::all:
        case Usual::any:
        case Usual::argmax:
        case Usual::argmin:
        case Usual::count_nonzero:
        case Usual::dot:
        case Usual::max:
        case Usual::min:
        case Usual::norm:
        case Usual::sum: {
          detail::UsualTypes two = {type, type};  // a norm of three is one of complex numbers
          const ReductionOptions options = detail::usual_reduction_options(what, two);
          check(read_reduction(options, options.type.empty() ? type : options.type, 4).text("unsigned"));
          break;
        }
        case Usual::cumsum: {
          const ScanOptions options = detail::usual_scan_options(what, types);
          check(read_scan("a + b", nullptr, options, type, 4).text);
          break;
        }
        default: {
          const detail::UsualElementwise usual = detail::usual_texts(what, types);
          check(read_elementwise(usual.arguments, usual.operation, usual.options).text());
        }
      }
    }
  }
}

TEST_CASE("names of vectors are distinguished, whatever their ends") {
  const ElementwiseSource source = read_elementwise(
      "const float* x, const float* x_before, const float* of_x, float* y", "y[i] = x[i] + x_before[i] + of_x[i]", {});
  const std::string text = source.text();
  for (const char* name : {"x", "x_before", "of_x", "y"})
    CHECK(text.find("const auto& " + std::string(name) + " = __kiln_here_of_" + name + ";") != std::string::npos);
}

TEST_CASE("std::complex in a program's texts is the device's") {
  const auto has = [](const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
  };
  ElementwiseOptions options;
  options.preamble = "__device__ std::complex<float> turned(std::complex<float> z) { return std::conj(z); }";
  const std::string elementwise =
      read_elementwise("const std :: complex<float>* x, ::std::complex<float>* y, cuda::std::complex<float> a",
                       "y[i] = a * std::exp(x[i]) + std::max(1.f, 2.f)  /* std::abs */; p = \"std::abs\"", options)
          .text();
  CHECK(has(elementwise, "const cuda::std :: complex<float>* x"));
  CHECK(has(elementwise, "::cuda::std::complex<float>* y"));
  CHECK_FALSE(has(elementwise, "cuda::cuda::"));
  CHECK(has(elementwise, "cuda::std::exp(x[i]) + std::max(1.f, 2.f)  /* std::abs */; p = \"std::abs\""));
  CHECK(
      has(elementwise, "cuda::std::complex<float> turned(cuda::std::complex<float> z) { return cuda::std::conj(z); }"));
  CHECK(has(elementwise, "#include <cuda/std/complex>"));
  // Without such a type nothing is another.
  const std::string plain = read_elementwise("float* x", "x[i] = std::abs(x[i])", {}).text();
  CHECK(has(plain, "x[i] = std::abs(x[i])"));
  CHECK_FALSE(has(plain, "cuda::std"));

  ReductionOptions sum;
  sum.neutral = "std::complex<double>(0)";
  sum.reduce_expr = "a + b";
  sum.map_expr = "std::conj(x[i])";
  sum.arguments = "const std::complex<double>* x";
  const std::string reduction = read_reduction(sum, "std::complex<double>", 16).text("unsigned");
  CHECK(has(reduction, "const cuda::std::complex<double>* x"));
  CHECK(has(reduction, "cuda::std::conj(x[i])"));
  CHECK_FALSE(has(reduction, " std::complex"));
  const std::string neutral = "std::complex<float>(0)";
  const std::string scan =
      read_scan("a + std::complex<float>(1) * b", &neutral, {}, "cuda::std::complex<float>", 8).text;
  CHECK(has(scan, "a + cuda::std::complex<float>(1) * b"));
  CHECK_FALSE(has(scan, " std::complex"));
}

TEST_CASE("a macro that is named like the kernel, its index or its values is refused by that name") {
  const auto fault = [](auto make) -> std::string {
    try {
      make();
      return {};
    } catch (const ArgumentError& error) {
      return error.what();
    }
  };
  const auto elementwise = [&](const std::string& preamble, const std::vector<std::string>& options) {
    ElementwiseOptions all;
    all.name = "squares";
    all.preamble = preamble;
    all.options = options;
    return fault([&] { (void)read_elementwise("float* x", "x[i] = 1", all); });
  };
  for (const std::string name : {"i", "n", "squares"}) {
    const std::string of_preamble = elementwise("#define " + name + " 3\n", {});
    CHECK(of_preamble.find('"' + name + '"') != std::string::npos);
    CHECK(of_preamble.find("preamble") != std::string::npos);
    const std::string of_options = elementwise("", {"-D" + name + "=3"});
    CHECK(of_options.find('"' + name + '"') != std::string::npos);
    CHECK(of_options.find("options") != std::string::npos);
    CHECK(elementwise("#define " + name + " 3\nint k = " + name + ";\n#undef " + name, {}).empty());
  }
  CHECK_FALSE(elementwise("#define squares(x) 3", {}).empty());
  CHECK(elementwise("#define i(x) 3\n#define in 4\n// #define n 3", {"-Dnn=3"}).empty());
  for (const std::string name : {"a", "b", "i", "n", "reduce_kernel"}) {
    ReductionOptions options;
    options.neutral = "0";
    options.reduce_expr = "a + b";
    options.preamble = "#define " + name + " 3";
    CHECK(fault([&] { (void)read_reduction(options, "float", 4); }).find('"' + name + '"') != std::string::npos);
  }
  for (const std::string name : {"a", "b"}) {
    ScanOptions options;
    options.preamble = "#define " + name + " 3";
    CHECK(fault([&] { (void)read_scan("a + b", nullptr, options, "float", 4); }).find('"' + name + '"') !=
          std::string::npos);
  }
}

TEST_CASE("a program's text with a reserved name is refused by that name") {
  const auto fault = [](auto make) -> std::string {
    try {
      make();
      return {};
    } catch (const ArgumentError& error) {
      return error.what();
    }
  };
  const auto has = [](const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; };
  const std::string bad = "my__kiln_x";
  ElementwiseOptions name, preamble, loop_prep, after_loop, defines, late, option;
  name.name = bad;
  preamble.preamble = "#define " + bad + " 3";
  loop_prep.loop_prep = "int " + bad;
  after_loop.after_loop = bad + " = 1";
  defines.compile.defines = {{bad, "3"}};
  late.compile.late_defines = {{bad, "3"}};
  option.options = {"-D" + bad + "=3"};
  for (const ElementwiseOptions& options : {name, preamble, loop_prep, after_loop, defines, late, option}) {
    const std::string text = fault([&] { (void)read_elementwise("float* x", "x[i] = 1", options); });
    CHECK(has(text, '"' + bad + '"'));
    CHECK(has(text, "ElementwiseKernel"));
  }
  CHECK(has(fault([&] { (void)read_elementwise("float* " + bad, "", {}); }), '"' + bad + '"'));
  CHECK(has(fault([&] { (void)read_elementwise("float* x", bad + " = 1", {}); }), "operation"));
  for (std::string ReductionOptions::*part : {&ReductionOptions::neutral, &ReductionOptions::reduce_expr,
                                              &ReductionOptions::map_expr, &ReductionOptions::post_expr}) {
    ReductionOptions options;
    options.neutral = "0";
    options.reduce_expr = "a + b";
    options.*part = bad;
    CHECK(has(fault([&] { (void)read_reduction(options, "float", 4); }), '"' + bad + '"'));
  }
  CHECK(has(fault([&] { (void)read_scan(bad, nullptr, {}, "float", 4); }), "scan_expr"));
  CHECK(has(fault([&] { (void)read_scan("a + b", &bad, {}, "float", 4); }), "neutral"));
  CHECK(has(fault([&] { (void)read_scan("a + b", nullptr, {}, bad, 4); }), "type"));
  // A single underscore is the program's.
  CHECK_NOTHROW((void)read_elementwise("float* kiln_x, float* start, float* stop, float* step",
                                       "kiln_x[i] = start[i] + stop[i] + step[i]", {}));
}

}  // namespace generated_names_test
