// Compares NVRTC and nvcc for all macros that a host compiler predefines, and for the names of the C and C++ headers
// for types and limits. Each use of each name is a small source. Those that Kiln does not send to nvcc are joined to
// one text for each compiler, whose initialised data has all their values.
#include <kiln/compile.hpp>

#include "compile_bench.hpp"
#include "real_nvcc.hpp"
#include "worker/nvrtc/host_uses.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace predefined_names_test {

using namespace kiln;
using namespace kiln::test;

namespace {

using Values = std::map<std::string, std::string>;  // by the variable's name: the bytes as PTX lists them

/// The macros that g++ lists: name, with parameters, and value.
std::map<std::string, std::string> host_macros_of(const std::string& dialect, const std::string& options) {
  std::map<std::string, std::string> macros;
  FILE* const pipe =
      popen(("g++ -std=" + dialect + " -dM -E -x c++ " + options + " /dev/null 2>/dev/null").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) text += static_cast<char>(c);
  pclose(pipe);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string directive, name, value;
    words >> directive >> name;
    std::getline(words, value);
    macros[name] = value;
  }
  return macros;
}

/// The dialects to compare; more take longer.
std::vector<std::string> dialects() {
  const char* const list = std::getenv("KILN_TEST_DIALECTS");
  std::istringstream words(list != nullptr ? list : "c++17");
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

bool is_sent_to_nvcc(const std::string& source) { return !host_uses(source).difference({true, true}).empty(); }

std::string word_of(const std::string& macro) { return macro.substr(0, macro.find('(')); }

/// What the use of a value shows: whether it exists, its type's number, its size and the value.
constexpr const char* prelude = R"(
template <class T> struct id { static const int v = 0; };
#define ID(T, n) template <> struct id<T> { static const int v = n; };
ID(char, 1) ID(signed char, 2) ID(unsigned char, 3) ID(short, 4) ID(unsigned short, 5) ID(int, 6) ID(unsigned, 7)
ID(long, 8) ID(unsigned long, 9) ID(long long, 10) ID(unsigned long long, 11) ID(wchar_t, 12) ID(float, 13)
ID(double, 14) ID(long double, 15) ID(bool, 16) ID(char16_t, 17) ID(char32_t, 18)
template <bool whole> struct bits_if {
  template <class T> __host__ __device__ static constexpr unsigned long long of(T v) { return (unsigned long long)v; }
};
template <> struct bits_if<false> {
  template <class T> __host__ __device__ static constexpr unsigned long long of(T) { return 0; }
};
#define IS_WHOLE(...) (id<decltype(__VA_ARGS__)>::v < 13 || id<decltype(__VA_ARGS__)>::v > 15)
#define TYPE(name, ...) extern "C" { __device__ int T_##name[] = {id<__VA_ARGS__>::v, (int)sizeof(__VA_ARGS__)}; }
#define VALUE(name, ...) \
  extern "C" { __device__ int T_##name[] = {id<decltype(__VA_ARGS__)>::v, (int)sizeof(__VA_ARGS__)}; \
               __device__ double D_##name[] = {(double)(__VA_ARGS__), 0}; \
               __device__ unsigned long long U_##name[] = {bits_if<IS_WHOLE(__VA_ARGS__)>::of(__VA_ARGS__), 0}; }
)";

/// The sources that use a macro: a test whether it is defined, its value, or the type that it names.
std::string uses(const std::string& macro, const std::string& value) {
  const std::string name = word_of(macro);
  std::string text = "#ifdef " + name + "\nextern \"C\" { __device__ int I_" + name + "[] = {1, 0}; }\n";
  if (name.size() > 7 && name.substr(name.size() - 7) == "_TYPE__")
    text += "TYPE(" + name + ", " + name + ")\n";
  else if (name != macro)
    text += "VALUE(" + name + ", " + name + "(1))\n";
  else if (value.find_first_of("0123456789") != std::string::npos)
    text += "VALUE(" + name + ", " + name + ")\n";
  return text + "#else\nextern \"C\" { __device__ int I_" + name + "[] = {2, 0}; }\n#endif\n";
}

Values values_of(const CodeObject& code) {
  Values values;
  std::istringstream lines{std::string(code.bytes())};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t brace = line.find("] = {");
    const std::size_t open = line.find('[');
    if (brace == std::string::npos || line.find(" .b8 ") == std::string::npos) continue;
    const std::size_t begin = line.rfind(' ', open) + 1;
    values[line.substr(begin, open - begin)] = line.substr(brace);
  }
  return values;
}

Values values_by(Backend backend, const std::string& source, const CompileOptions& options) {
  const CodeObject code = compile(source, CompileOptions(options).with_backend(backend).with_target(Target::ptx));
  CHECK(code.backend() == backend);
  return values_of(code);
}

/// The names whose uses differ, and the number of uses.
std::set<std::string> differences(const std::string& source, const CompileOptions& options, std::size_t& uses) {
  const Values nvrtc = values_by(Backend::nvrtc, source, options);
  const Values nvcc = values_by(Backend::nvcc, source, options);
  REQUIRE(!nvcc.empty());
  uses = nvcc.size();
  std::set<std::string> names;
  for (const auto& [name, value] : nvcc)
    if (const auto found = nvrtc.find(name); found == nvrtc.end() || found->second != value)
      names.insert(name.substr(2));
  return names;
}

std::string page() {
  std::ifstream file(std::string(KILN_DOCS) + "/nvrtc-and-nvcc.md");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("each macro that the host compiler predefines is given to NVRTC, or sends its source to nvcc" *
          needs_nvcc()) {
  const Bench bench;
  for (const std::string& dialect : dialects()) {
    std::map<std::string, std::string> macros = host_macros_of(dialect, "");
    REQUIRE(macros.size() > 300);
    for (const char* const name : {"__NVCC__", "__COUNTER__", "__GLIBC__", "__GLIBCXX__", "__EDG__"}) macros[name] = "";
    std::string source = prelude;
    std::size_t sent = 0, equal = 0;
    for (const auto& [macro, value] : macros) {
      const std::string name = word_of(macro);
      if (is_sent_to_nvcc("#ifdef " + name + "\n#endif\n")) {
        CHECK(is_sent_to_nvcc("int x = " + name + ";\n"));
        CHECK(is_sent_to_nvcc("#if defined(" + name + ")\n#endif\n"));
        ++sent;
      } else {
        source += uses(macro, value);
        ++equal;
      }
    }
    std::size_t uses = 0;
    for (const std::string& name :
         differences(source + "__global__ void k() {}\n", bench.options().with_options({"-std=" + dialect}), uses)) {
      CAPTURE(name);
      CHECK(page().find("`" + name + "`") != std::string::npos);  // named
    }
    MESSAGE(dialect << ": " << macros.size() << " macros: " << sent << " sent to nvcc (" << 3 * sent << " sources), "
                    << equal << " compared in " << uses << " uses");
    CHECK(3 * sent + uses >= 300);
    CHECK(uses > 300);
  }
}

TEST_CASE("types and limits of the C and C++ headers are those of the host's" * needs_nvcc()) {
  const Bench bench;
  std::map<std::string, std::string> macros;
  for (const char* const header : {"stdint.h", "limits.h", "float.h"})
    for (const auto& [macro, value] : host_macros_of("c++17", "-D_POSIX_C_SOURCE -include " + std::string(header)))
      if (macro[0] != '_' && macro != "linux" && macro != "unix") macros[macro] = value;
  REQUIRE(macros.size() > 100);
  std::string source =
      "#include <cstdint>\n#include <climits>\n#include <cfloat>\n#include <cinttypes>\n"
      "#include <cstddef>\n#include <limits>\n";
  source += prelude;
  const auto has_value = [](const std::string& macro) {
    return macro.compare(0, 5, "LDBL_") != 0 && macro.compare(0, 8, "PTHREAD_") != 0;  // no constants of device code
  };
  for (const auto& [macro, value] : macros)
    source += uses(macro, macro.find('(') != std::string::npos ? value : has_value(macro) ? "0" : "");
  for (const char* const type :
       {"int8_t",        "uint8_t",       "int16_t",       "uint16_t",      "int32_t",        "uint32_t",
        "int64_t",       "uint64_t",      "intptr_t",      "uintptr_t",     "intmax_t",       "uintmax_t",
        "int_least8_t",  "int_least16_t", "int_least32_t", "int_least64_t", "uint_least64_t", "int_fast8_t",
        "int_fast16_t",  "int_fast32_t",  "int_fast64_t",  "uint_fast8_t",  "uint_fast16_t",  "uint_fast32_t",
        "uint_fast64_t", "size_t",        "ptrdiff_t"}) {
    source += std::string("TYPE(") + type + ", " + type + ")\nTYPE(std_" + type + ", std::" + type + ")\n";
    source += std::string("TYPE(product_") + type + ", decltype(" + type + "(1) * 1))\n";
  }
  for (const char* const type : {"bool", "char", "short", "int", "unsigned", "long", "unsigned long", "long long",
                                 "float", "double", "int64_t", "size_t", "wchar_t"})
    for (const char* const member :
         {"min()", "max()", "lowest()", "epsilon()", "digits", "digits10", "max_digits10", "radix", "is_signed",
          "is_integer", "is_exact", "min_exponent", "max_exponent", "is_modulo"}) {
      std::string name = std::string(type) + "_" + member;
      for (char& c : name)
        if (c == ' ' || c == '(' || c == ')') c = '_';
      source += "VALUE(" + name + ", std::numeric_limits<" + type + ">::" + member + ")\n";
    }
  std::size_t uses = 0;
  for (const std::string& name : differences(source + "__global__ void k() {}\n", bench.options(), uses)) {
    CAPTURE(name);
    CHECK(page().find("`" + name + "`") != std::string::npos);  // named
  }
  MESSAGE(macros.size() << " macros of headers, " << uses << " uses compared");
  CHECK(uses > 500);
}

}  // namespace predefined_names_test
