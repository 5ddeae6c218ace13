#include "compile/headers/source_scan.hpp"

#include <doctest/doctest.h>

namespace source_scan_test {

using namespace kiln;

TEST_CASE("includes are found in every spelling") {
  const SourceScan scan = scan_source(
      "#include <a/b.h>\n"
      "  #  include \"c.h\" // \"not.h\"\n"
      "/* before */ #include /* between */ <d.h>\n"
      "%:include <e.h>\n"
      "#incl\\\nude <f.h>\n"
      "#include_next <g.h>\n"
      "#import \"h.h\"\n");
  const std::vector<HeaderName> expected = {{"a/b.h", false}, {"c.h", true},        {"d.h", false}, {"e.h", false},
                                            {"f.h", false},   {"g.h", false, true}, {"h.h", true}};
  CHECK(scan.includes == expected);
  CHECK_FALSE(scan.macro_include);
}

TEST_CASE("comments and literals hide what they hold") {
  const SourceScan scan = scan_source(
      "// #include <a.h>\n"
      "/*\n#include <b.h>\n*/\n"
      "const char* s = \"\\\"__TIME__ // \"; char q = '\"';\n"
      "const char* r = R\"x(\n#include <c.h>\n __DATE__ )\" )x\";\n"
      "int n = 1'000'000; int m = 2;\n"
      "#include <last.h>\n");
  CHECK(scan.includes == std::vector<HeaderName>{{"last.h", false}});
  CHECK_FALSE(scan.uses_time);
}

TEST_CASE("an include that an #if leaves out counts") {
  CHECK(scan_source("#if 0\n#include <a.h>\n#endif\n").includes.size() == 1);
}

TEST_CASE("an include of a macro, an embed and the clock are noticed") {
  CHECK(scan_source("#include HEADER\n").macro_include);
  CHECK(scan_source("const char d[] = {\n#embed \"x\"\n};").has_includes == std::vector<HeaderName>{{"x", true}});
  CHECK(scan_source("#embed NAME\n").macro_include);
  CHECK(scan_source("auto t = __TIME__;").uses_time);
  CHECK(scan_source("auto t = __DATE__;").uses_time);
  CHECK(scan_source("auto t = __TIMESTAMP__;").uses_time);
  CHECK_FALSE(scan_source("auto t = MY__TIME__X;").uses_time);
}

TEST_CASE("questions for headers are found, through macros of that name too") {
  const SourceScan scan = scan_source(
      "#if defined(__has_include) && __has_include(<a.h>)\n#endif\n"
      "#if LIB_HAS_INCLUDE( \"b.h\" )\n#endif\n#ifdef __has_include\n#endif\n");
  const std::vector<HeaderName> expected = {{"a.h", false}, {"b.h", true}};
  CHECK(scan.has_includes == expected);
  CHECK_FALSE(scan.macro_has_include);
  CHECK(scan_source("#if __has_include(NAME)\n#endif\n").macro_has_include);
  CHECK(scan_source("#define HI __has_include\n").macro_has_include);
  CHECK(scan_source("#if ASK(__has_include)\n#endif\n").macro_has_include);
  for (const char* text : {"#ifdef __has_include\n", "#ifndef __has_include\n", "#elifdef __has_include\n",
                           "#if defined __has_include\n", "#if A && defined( __has_include )\n"}) {
    CAPTURE(text);
    CHECK_FALSE(scan_source(text).macro_has_include);
  }
}

TEST_CASE("any bytes are taken") {
  for (const char* text :
       {"#include", "#include <", "#include \"", "R\"", "R\"(", "'", "\"\\", "/*", "#", "%:", "1'", "__has_include("})
    CHECK_NOTHROW(scan_source(text));
}

TEST_CASE("the quick look never says no to a source that can include") {
  CHECK(may_include("#include <a.h>"));
  CHECK(may_include("#in\\\nclude <a.h>"));
  CHECK(may_include("#if MY_HAS_INCLUDE(<a.h>)\n#endif"));
  CHECK(may_include("#embed \"a\""));
  CHECK_FALSE(may_include("__global__ void k(float* a) { a[0] = 1; }"));
}

}  // namespace source_scan_test
