// What a message says of an error's cause.
#include "compile/compiler/compile_message.hpp"

#include <doctest/doctest.h>

#include <string>

namespace error_cause_test {

using namespace kiln;

bool says(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

#define CHECK_SAYS(text, words) CHECK_MESSAGE(says(text, words), text)
#define CHECK_SILENT(text, words) CHECK_MESSAGE(!says(text, words), text)

TEST_CASE("cause: why an expression is no constant") {
  const std::string source = "constexpr int f(int a) { return 1 / a; }\nint s[f(0)];\n";
  const auto message = [&source](const std::string& before, const std::string& note) {
    const std::string log = before +
                            "k.cu(2): error: expression must have a constant value\n  int s[f(0)];\n        ^\n" +
                            note + "\nk.cu(9): error: another\n  x\n  ^\nk.cu(9): note #9-D: of the other\n";
    return compile_message({"NVRTC 13.0", "k.cu", source, nullptr, log, {}});
  };
  constexpr const char* headline = "error: expression must have a constant value";
  constexpr const char* of_size = "The size of an array is a constant";
  const std::string range = message("", "k.cu(1): note #61-D: integer operation result is out of range\n  x\n  ^\n");
  CHECK_SAYS(range, headline + std::string(": integer operation result is out of range (line 1)\n"));
  CHECK_SILENT(range, of_size);
  CHECK_SAYS(message("", "k.cu(1): note #61-D: integer operation result is out of range\n  1 / a\n    ^\n"),
             ": division by zero, or of the least integer by -1 (line 1)\n");
  const std::string division = "k.cu(1): warning #39-D: division by zero\n  x\n  ^\n\n";
  const std::string zero =
      message(division, "k.cu(1): note #61-D: integer operation result is out of range\n  x\n  ^\n");
  CHECK_SAYS(zero, headline + std::string(": division by zero (line 1)\n"));
  CHECK_SILENT(zero, of_size);
  constexpr const char* variable = "the value of variable \"n\" (declared at line 1) cannot be used as a constant";
  const std::string declared = message(division, "k.cu(2): note #2689-D: " + std::string(variable) + "\n  x\n  ^\n");
  CHECK_SAYS(declared, headline + std::string(": ") + variable + ": division by zero\n");
  CHECK_SILENT(declared, of_size);
  const std::string plain = message("", "k.cu(2): note #2689-D: " + std::string(variable) + "\n  x\n  ^\n");
  CHECK_SAYS(plain, headline + std::string(": ") + variable + "\n");
  CHECK_SAYS(plain, of_size);
  const std::string place = message("", "k.cu(2): note #2692-D: cannot access position 5 in array of 3 elements\n");
  CHECK_SAYS(place, "position 5 in array of 3 elements\n");
  CHECK_SILENT(place, of_size);
  const std::string none = message("", "");
  CHECK_SAYS(none, headline + std::string("\n"));
  CHECK_SAYS(none, of_size);
}

TEST_CASE("cause: the line of the source that led to an error in a header") {
  const std::string source = "#include <cg.h>\n\n\n\nauto tile = tiled<24>(block);\n";
  const auto message = [&source](const std::string& chain) {
    const std::string log =
        "/cuda/cg.h(861): error: static assertion failed with \"Size must be one of 1/2/4/8/16/32\"\n"
        "      static_assert(is_valid<Size>::value, \"at line 3 of k.cu\");\n      ^\n" +
        chain + "\nk.cu(1): error: another\n          detected during instantiation of \"g\" at line 1 of k.cu\n";
    return compile_message({"NVRTC 13.0", "k.cu", source, nullptr, log, {}});
  };
  const std::string several = message(
      "          detected during:\n            instantiation of class \"cg::a<Size> [with Size=24U]\" at line 997\n"
      "            instantiation of class \"cg::b<Size> [with Size=24U]\" at line 12 of /cuda/other.h\n"
      "            instantiation of class \"cg::c<Size> [with Size=24U]\" at line 5 of k.cu\n");
  CHECK_SAYS(several,
             "/cuda/cg.h(861): error: static assertion failed with \"Size must be one of 1/2/4/8/16/32\", used "
             "by line 5 of k.cu\n");
  CHECK_SAYS(several, ">     5 | auto tile = tiled<24>(block);");
  CHECK_SAYS(several, "A tile has a power of two as its size");
  CHECK_SAYS(message("          detected during instantiation of \"T cg::f<T>(T) [with T=int]\" at line 5 of k.cu\n"),
             ", used by line 5 of k.cu\n");
  CHECK_SAYS(message("          detected during instantiation of \"f\" at line 7 of /own/util.h\n"),
             ", used by line 7 of /own/util.h\n");
  CHECK_SILENT(message(""), "used by");
  CHECK_SILENT(message("          detected during instantiation of \"f\" at line 7\n"), "used by");
}

TEST_CASE("cause: an error in the source's own template keeps its line") {
  const std::string text =
      compile_message({"NVRTC 13.0",
                       "k.cu",
                       "template <int n> struct A { static constexpr int v = 1 / n; };\nint v = A<0>::v;\n",
                       nullptr,
                       "k.cu(1): error: division by zero\n  x\n  ^\n          detected during instantiation of \"A\" "
                       "at line 2 of k.cu\n",
                       {}});
  CHECK_SAYS(text, "k.cu(1): error: division by zero\n");
  CHECK_SAYS(text, ">     1 | template");
}

}  // namespace error_cause_test
