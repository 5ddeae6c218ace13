#include "compile/compile_message.hpp"

#include <doctest/doctest.h>

using namespace kiln;

TEST_CASE("the first error of a log is found, past warnings") {
  const auto error = first_error(
      "a b.cu(2): warning #177-D: variable was declared but never referenced\n"
      "a b.cu(7): error: identifier \"x\" is undefined\n"
      "a b.cu(9): error: later\n");
  REQUIRE(error);
  CHECK(error->file == "a b.cu");
  CHECK(error->line == 7);
  CHECK(error->text == "error: identifier \"x\" is undefined");
  CHECK(first_error("k.cu(1): catastrophic error: could not open source file \"q.h\"")->line == 1);
  CHECK(first_error("k.cu(12): error #20: numbered")->line == 12);
  const auto fatal = first_error("In file included from a.h:2:\nb c:d.h:3:10: fatal error: q.h: No such file");
  REQUIRE(fatal);
  CHECK(fatal->file == "b c:d.h");
  CHECK(fatal->line == 3);
  CHECK(fatal->text == "fatal error: q.h: No such file");
  CHECK(first_error("k.cu:7: error: #error x")->line == 7);
  CHECK_FALSE(first_error("gcc: error: nowhere: error: nothing"));
  CHECK_FALSE(first_error("no diagnostics here (3): really"));
  CHECK_FALSE(first_error(""));
}

TEST_CASE("lines are numbered from 1, around the one that is marked") {
  const std::string text = numbered_lines("l1\nl2\nl3\nl4\nl5\nl6", 2);
  CHECK(text == "      1 | l1\n>     2 | l2\n      3 | l3\n      4 | l4\n      5 | l5\n");
  CHECK(numbered_lines("only", 1) == ">     1 | only\n");
  CHECK(numbered_lines("only", 40).empty());
}

TEST_CASE("the message shows the place in the file that the diagnostic names") {
  const std::map<std::string, std::string> headers = {{"util.h", "first\nsecond bad\nthird"}};
  const FailedCompile failed{
      "NVRTC 13.0", "k.cu", "source text", &headers, "util.h(2): error: bad", {"-DA=b c", "-arch=sm_90"}};
  const std::string message = compile_message(failed);
  CHECK(message.find("NVRTC 13.0 could not compile \"k.cu\": util.h(2): error: bad") == 0);
  CHECK(message.find(">     2 | second bad") != std::string::npos);
  CHECK(message.find("options: \"-DA=b c\" -arch=sm_90") != std::string::npos);
}
