#include "compile/headers/leading_lines.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace leading_lines_test {

using namespace kiln;

/// The text's leading lines must be what stands before "@", which is no part of it, and the rest begin in that line.
void check_split(const std::string& marked, std::size_t line) {
  CAPTURE(marked);
  const std::size_t size = marked.find('@');
  REQUIRE(size != std::string::npos);
  const std::string text = std::string(marked).erase(size, 1);
  const LeadingLines found = leading_lines(text);
  CHECK(found.size == size);
  CHECK(found.line == line);
}
void check_none(const std::string& text) { check_split("@" + text, 1); }

TEST_CASE("leading lines end behind the last include before the first token of code") {
  check_split("#include <a.h>\n@__global__ void f() {}\n#include <b.h>\n", 2);
  check_split("// about\n\n#include <a.h>\n  #  include \"b.h\"  // why\n@\n// f\nvoid f();\n", 5);
  check_split("#define N 4\n#include <a.h>\n#undef N\n#include <b.h>\n@#define M 5\nint x;\n", 5);
  check_split("/* a\n b */ #include <a.h>\n@int x;", 3);
  check_split("#pragma once\n#pragma nv_diag_suppress 177\n#include <a.h>\n@", 4);
  check_split("#include MACRO\n@x", 2);
  check_split("#\n# // nothing\n#include <a.h>\n@x", 4);
  check_split("#define P _Pragma(\"unroll\")\n#include <a.h>\n@P", 3);
  check_split("#define S \"don't\"\n#error don't\n#include <a.h>\n@x", 4);
  check_split("\f\v\t #include <a.h>\n@x", 2);
}

TEST_CASE("without an include there are no leading lines") {
  for (const char* text : {"", "\n", "#define N 4\n", "// #include <a.h>\n", "/*\n#include <a.h>\n*/\n", "int x;\n",
                           "#pragma nv_hdrstop\n", "int x;\n#include <a.h>\n"})
    check_none(text);
}

TEST_CASE("leading lines are whole lines") {
  check_none("#include <a.h>");
  check_split("#include <a.h>\n@#include <b.h>", 2);
}

TEST_CASE("an include in a group counts with the end of the outermost group") {
  check_split("#if A\n#include <a.h>\n#elif B\n#else\n#ifdef C\n#include <b.h>\n#endif\n#endif\n@int x;\n", 9);
  check_split("#if __has_include(<a.h>)  // perhaps\n#include <a.h>\n#endif // a\n@#if B\n#endif\nx", 4);
  check_split("#include <a.h>\n@#ifdef A\n#include <b.h>\nint x;\n#endif\n", 2);
  check_split("#include <a.h>\n@#ifndef GUARD\n#include <b.h>\n", 2);
  check_split("#ifndef A\n#error A\n#endif\n#include <a.h>\n@x", 5);
  check_none("#ifndef GUARD\n#define GUARD\n#include <a.h>\nint x;\n#endif\n");
  check_none("#if 0\nit's /* code */\n#endif\n#include <a.h>\n");
}

TEST_CASE("a directive of a group that is not open ends leading lines") {
  for (const char* name : {"endif", "else", "elif 1", "elifdef A", "elifndef A"})
    check_split("#include <a.h>\n@#" + std::string(name) + "\n#include <b.h>\n", 2);
}

TEST_CASE("nv_hdrstop ends leading lines, and is one of them") {
  check_split("#include <a.h>\n#define N\n# pragma  nv_hdrstop // here\n@#include <b.h>\n", 4);
  check_split("#include <a.h>\n@#if A\n#pragma nv_hdrstop\n#endif\n#include <b.h>\n", 2);
  check_split("#include <a.h>\n@#pragma hdrstop\n#include <b.h>\n", 2);  // what NVRTC before 13 calls it
  check_none("#pragma nv_hdrstop\n#include <a.h>\n");
}

TEST_CASE("joined lines count as the compiler counts them") {
  check_split("#define F(x) \\\n  do { \\\n  } while (x)\n#include \\\n  <a.h>\n@int x;\n", 6);
  check_split("#incl\\\nude <a.h>\n@\\\nint x;\n", 3);
  check_split("// \\\nint x;\n#include <a.h>\n@x", 4);
  check_split("/\\\n* a *\\\n/ #include <a.h>\n@x", 4);
  check_split("#define A \\\r\n 1\r\n#include <a.h>\r\n@x", 4);
}

TEST_CASE("ends of lines and a byte order mark of Windows") {
  check_split("#include <a.h>\r\n\r\n#include <b.h>\r\n@\r\nint x;\r\n", 4);
  check_split("\xEF\xBB\xBF#include <a.h>\n@int x;\n", 2);
  check_none("\xEF\xBB\xBFint x;\n#include <a.h>\n");
  // A carriage return by itself ends no line, here as for NVRTC.
  check_none("// \r#include <a.h>\n");
}

TEST_CASE("leading lines end before what compilers do not read alike") {
  // A backslash with a blank behind it joins lines for the host compiler alone.
  check_split("#include <a.h>\n@// \\ \n#include <b.h>\n", 2);
  check_split("#include <a.h>\n@#define N 1 \\\t\r\nint x;\n#include <b.h>\n", 2);
  check_split("#include <a.h>\n@// ?\?/\n#include <b.h>\n", 2);
  check_split("#include <a.h>\n@%:include <b.h>\n", 2);
  for (const char* line : {"#import <b.h>", "#include_next <b.h>", "#embed <b.h>", "#ident \"b\"", "# 1 \"b.cu\"",
                           "#\"b\"", "#assert b", "import b;", "module b;", "_Pragma(\"once\")", "\\ x"})
    check_split("#include <a.h>\n@" + std::string(line) + "\n#include <c.h>\n", 2);
}

TEST_CASE("leading lines end before a directive whose end another line may hold") {
  for (const char* text :
       {"#include <b.h> /* on\nand on */\n", "#define R R\"(\n)\"\n", "#define R u8R\"x(a)x\"\n", "#include <b/*c.h>\n",
        "#define S \"/*\"\n", "#error don't /*\n*/\n", "#if A /*/\n#endif\n", "#include <it's.h> /* that's\n */\n"})
    check_split("#include <a.h>\n@" + std::string(text) + "#include <d.h>\n", 2);
  check_split("#include <a.h> /* one */ /* line */\n#error \"AN ERROR\"\n#include <b.h>\n@x", 4);
  check_split("#include <a.h>\n@/* no end\n#include <b.h>\n", 2);
}

TEST_CASE("what follows an include in its line is its line's") {
  check_split("#include <a.h> int x;\n@int y;\n", 2);  // compilers warn of it
}

TEST_CASE("the rest has the number that #line gives it") {
  check_split("#line 10 \"a.cu\"\n#include <a.h>\n\n#include <b.h>\n@x", 13);
  check_split("#define A \\\n\n#line 7 // as there\n#include \\\n<a.h>\n@x", 9);
  check_split("#include <a.h>\n#line 100\n#include <b.h>\n@x", 101);
  check_split("#include <a.h>\n@#line 100\nx", 2);
  for (const char* line : {"#line N", "#line", "#line 5 a", "#line 5 \"a\" 1", "#line 5x", "#line \"a\"",
                           "#line 99999999999999999999", "#if A\n#line 5\n#endif"})
    check_split("#include <a.h>\n@" + std::string(line) + "\n#include <b.h>\n", 2);
}

TEST_CASE("any byte that is no blank ends leading lines") {
  for (int byte = 0; byte < 256; ++byte) {
    const auto c = static_cast<char>(byte);
    if (std::string(" \t\v\f\r\n#").find(c) != std::string::npos) continue;
    check_split("#include <a.h>\n@" + std::string(1, c) + "x\n#include <b.h>\n", 2);
  }
}

TEST_CASE("leading lines that belong to one place or moment are told") {
  const auto reason = [](const char* lines) { return what_binds_leading_lines(lines); };
  CHECK(reason("#define N 4\n#include <a.h>\n").empty());
  CHECK(reason("// __COUNTER__ warning\n#include <message.h>\n#include \"__FILE__\"\n").empty());
  CHECK(reason("#define MY__LINE__ __LINE__x\n").empty());
  CHECK(reason("#pragma unroll\n#define warning message\n").empty());
  for (const char* macro : {"__COUNTER__", "__LINE__", "__FILE__", "__FILE_NAME__", "__TIME__", "__DATE__",
                            "__TIMESTAMP__", "__BASE_FILE__", "__INCLUDE_LEVEL__"})
    CHECK(reason(("#include <a.h>\n#if F(" + std::string(macro) + ")\n#endif\n").c_str()) == macro);
  CHECK(reason("#define A __COU\\\nNTER__\n") == "__COUNTER__");
  CHECK(reason(" # warning a\n") == "# warning");
  CHECK(reason("#line 5\n") == "# line");
  CHECK(reason("#pragma message(\"a\")\n") == "pragma message");
  CHECK(reason("#pragma /**/ nv_no_pch\n") == "pragma nv_no_pch");
}

}  // namespace leading_lines_test
