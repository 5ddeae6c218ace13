#include "base/source_token.hpp"
#include "compile/compiler/compile_message.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace compile_message_test {

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

TEST_CASE("what programs say of themselves, or of what they were given, is an error without a file") {
  const auto said = [](std::string_view log) {
    const auto error = main_error(errors_of(log));
    return error ? error->file + "|" + error->text + "|" + std::to_string(error->ptx_line) : "nothing";
  };
  CHECK(said("ptxas error   : File uses too much\n") == "|ptxas error: File uses too much|0");
  CHECK(said("ptxas info    : 0 bytes\nptxas fatal   : Unresolved") == "|ptxas fatal: Unresolved|0");
  CHECK(said("ptxas application ptx input, line 27; error   : Not a name: 'a'") == "|ptxas error: Not a name: 'a'|27");
  CHECK(said("ptxas /tmp/x y.ptx, line 3; fatal   : Parsing error") == "|ptxas fatal: Parsing error|3");
  CHECK(said("nvcc fatal   : Unsupported gpu architecture 'sm_1'") ==
        "|nvcc fatal: Unsupported gpu architecture 'sm_1'|0");
  CHECK(said("Command-line error: invalid") == "|Command-line error: invalid|0");
  CHECK(said("gcc: fatal error: cannot execute 'cc1plus'") == "|gcc fatal error: cannot execute 'cc1plus'|0");
  CHECK(said("gcc: No such file or directory") == "|gcc: No such file or directory|0");
  CHECK(said("sh: 1: cicc: not found") == "|sh: 1: cicc: not found|0");
  CHECK(said("k.cu(1): Error: Formal parameter space overflowed") == "k.cu|Error: Formal parameter space overflowed|0");
  // Neither warnings, nor lines of a source, nor words within others.
  CHECK(said("ptxas warning : no error: here") == "nothing");
  CHECK(said("k.cu(2): warning #1-D: \"error: x\"") == "nothing");
  CHECK(said("  error: of a source\n  // a: No such file or directory") == "nothing");
  CHECK(said("") == "nothing");
}

TEST_CASE("an error that follows from a name which is not declared gives way to that one") {
  const char* const log =
      "k.cu(1): error: attribute \"__global__\" does not apply here\n"
      "k.cu(1): error: incomplete type \"void\" is not allowed\n"
      "k.cu(1): error: identifier \"half\" is undefined\n  __global__ void k(half* x)\n                    ^\n"
      "k.cu(2): error: identifier \"other\" is undefined\n";
  const auto error = main_error(errors_of(log));
  REQUIRE(error);
  CHECK(error->text == "error: identifier \"half\" is undefined");
  CHECK(error->column == 19);
  CHECK(first_error(log)->text == "error: attribute \"__global__\" does not apply here");
  CHECK(main_error(errors_of("k.cu(1): error: attribute \"x\" does not apply here\nk.cu(2): error: identifier \"y\" is "
                             "undefined"))
            ->line == 1);
}

TEST_CASE("what is missing in a namespace comes before the parameter's name, which follows from it") {
  const auto headline = [](const std::string& cause) {
    return main_error(errors_of("k.cu(1): warning #1835-D: attribute \"__global__\" does not apply here\n"
                                "k.cu(1): error: incomplete type \"void\" is not allowed\n"
                                "k.cu(1): error: " +
                                cause +
                                "\nk.cu(1): error: type name is not allowed\n"
                                "k.cu(1): error: identifier \"z\" is undefined\n"))
        ->text;
  };
  for (const char* cause :
       {"namespace \"std\" has no member \"complex\"", "vec is not a template",
        "namespace \"lib\" has no member class \"A\"", "name followed by \"::\" must be a class or namespace name"})
    CHECK(headline(cause) == "error: " + std::string(cause));
  const std::string message = compile_message(
      {"NVRTC 13.0",
       "k.cu",
       "__global__ void k(std::complex<float>* z) {}",
       nullptr,
       "k.cu(1): error: attribute \"__global__\" does not apply here\n"
       "k.cu(1): error: namespace \"std\" has no member \"complex\"\nk.cu(1): error: identifier \"z\" is undefined\n",
       {}});
  CHECK(message.find("use cuda::std::complex of <cuda/std/complex>") != std::string::npos);
}

TEST_CASE("a brace without its other one has that one's place") {
  const std::string source = "__global__ void k(float* x)\n{\n  if (x) {\n    x[0] = 1;\n";
  const auto message = [&](const std::string& log) {
    return compile_message({"NVRTC 13.0", "k.cu", source, nullptr, log, {}});
  };
  const std::string both = message(
      "At end of source: error: expected a \"}\"\nk.cu(3): note #3196-D: to match this \"{\"\n    if (x) {\n"
      "           ^\n\nAt end of source: error: expected a \"}\"\n");
  CHECK_MESSAGE(
      both.find("\"k.cu\": k.cu(3): error: expected a \"}\" at the end of the source, to match this \"{\"\n") !=
          std::string::npos,
      both);
  CHECK(both.find(">     3 |   if (x) {") != std::string::npos);
  CHECK(message("At end of source: error: expected a \"}\"\n").find("At end of source error: expected a") !=
        std::string::npos);
}

TEST_CASE("the types that an operator or an overloaded function was given are in the headline") {
  const std::string log =
      "k.cu(1): error: no instance of overloaded function \"f\" matches the argument list\n"
      "            argument types are: (State)\n  o = f(s);\n      ^\n" +
      [] {
        std::string notes;
        for (int i = 1; i < 9; ++i)
          notes += "/cuda/f.h(" + std::to_string(i) + "): note #3326-D: function \"f(State" + std::to_string(i) +
                   " *)\" does not match because argument #1 does not match parameter\n  float f(State)\n        ^\n";
        return notes;
      }() +
      "\nk.cu(2): error: no operator \"*\" matches these operands\n            operand types are: A * B\n  a * b\n"
      "    ^\nk.cu(2): note #3328-D: built-in operator*(<promoted arithmetic>) does not match because argument #1 does "
      "not match parameter\n  a * b\n    ^\n";
  const std::vector<Diagnostic> errors = errors_of(log);
  CHECK(errors.size() == 2);
  CHECK(errors.front().column == 5);
  const std::string message = compile_message({"NVRTC 13.0", "k.cu", "o = f(s);", nullptr, log, {}});
  CHECK_MESSAGE(message.find("matches the argument list: argument types are: (State)\n") != std::string::npos, message);
  CHECK(message.find("\nArgument 1 is to be a pointer: pass an address, such as &x.\n") != std::string::npos);
  CHECK(message.find("State3 *") != std::string::npos);
  CHECK(message.find("State4 *") == std::string::npos);
  CHECK(message.find("built-in operator") == std::string::npos);
  CHECK(message.find("... (6 notes on what does not match: the error's log() has all)\n") != std::string::npos);
}

TEST_CASE("a symbol that ptxas does not know comes before the mismatch that follows from it") {
  const std::string log =
      "ptxas application ptx input, line 26; error   : Arguments mismatch for instruction 'mov'\n"
      "ptxas application ptx input, line 26; error   : Unknown symbol '%landid'\n"
      "ptxas fatal   : Ptx assembly aborted due to errors\n";
  CHECK(main_error(errors_of(log))->text == "ptxas error: Unknown symbol '%landid'");
  CHECK(main_error(errors_of(log.substr(log.find("\n") + 1)))->text == "ptxas error: Unknown symbol '%landid'");
  CHECK(main_error(errors_of("ptxas application ptx input, line 2; error   : Arguments mismatch for instruction 'mov'\n"
                             "ptxas application ptx input, line 9; error   : Unknown symbol 'x'\n"))
            ->ptx_line == 2);
}

TEST_CASE("lines are numbered from 1, around the one that is marked") {
  const auto numbered = [](std::string_view text, int line) {
    return numbered_lines(text, "k", {"k", line, {}}).shown;
  };
  const std::string text = numbered("l1\nl2\nl3\nl4\nl5\nl6", 2);
  CHECK(text == "      1 | l1\n>     2 | l2\n      3 | l3\n      4 | l4\n      5 | l5\n");
  CHECK(numbered("only", 1) == ">     1 | only\n");
  CHECK(numbered("only", 40).empty());
}

TEST_CASE("lines are those of the part that #line names") {
  const std::string source =
      "first\n#line 1 \"function \\\"f\\\"\"\na\nb\n  # 7\nc\n#line 10 \"k\"\nd\n#line 11 \"function \\\"f\\\"\"\ne";
  CHECK(numbered_lines(source, "k", {"k", 10, {}}).shown == ">    10 | d\n");
  CHECK(numbered_lines(source, "k", {"k", 1, {}}).shown == ">     1 | first\n");
  CHECK(numbered_lines(source, "k", {"function \"f\"", 2, {}}).shown == "      1 | a\n>     2 | b\n");
  CHECK(numbered_lines(source, "k", {"function \"f\"", 7, {}}).shown == ">     7 | c\n");
  CHECK(numbered_lines(source, "k", {"function \"f\"", 10, {}}).shown.empty());
  CHECK(numbered_lines(source, "k", {"other", 1, {}}).shown.empty());
  // The end that a generator writes behind a text, on the line of that.
  const std::string end =
      "a\n#line 1 \"op\"\nx = y *\n#line 1 \"op\"" + std::string(not_shown_mark) + "\n;}\n#line 1 \"k\"\nb\n";
  CHECK(numbered_lines(end, "k", {"op", 1, "error: expected a \";\""}).shown == ">     1 | x = y *\n");
}

TEST_CASE("of lines with one number, the one that has what the error quotes") {
  const std::string loop = "#line 3\nf(a);\n#line 3\nf(bc);\n#line 3\nf(c);\nend";
  const auto marked = [&](const std::string& text) {
    const std::string lines = numbered_lines(loop, "k", {"k", 3, text}).shown;
    const std::size_t at = lines.find("> ");
    return lines.substr(at, lines.find('\n', at) - at);
  };
  CHECK(marked("error: identifier \"bc\" is undefined") == ">     3 | f(bc);");
  CHECK(marked("error: identifier \"x\" is undefined") == ">     3 | f(a);");
  CHECK(marked("error: expected a \";\"") == ">     3 | f(a);");
  CHECK(marked("error: nothing is quoted") == ">     3 | f(a);");
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

TEST_CASE("a macro of the options that a header's line has: where to define it instead") {
  const std::map<std::string, std::string> headers = {{"lib.h", "template <class T> struct A {};\nint TT;"}};
  const auto message = [&](const std::string& log, const std::vector<std::string>& options) {
    return compile_message({"NVRTC 13.0", "k.cu", "int T;", &headers, log, options});
  };
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"-DT=float"}, {"-D", "T=float"}, {"--define-macro=T=float"}}) {
    const std::string text = message("lib.h(1): error: expected an identifier", options);
    CHECK(text.find("The macro T of the options") != std::string::npos);
    CHECK(text.find("late_defines") != std::string::npos);
    CHECK(text.find("preamble") != std::string::npos);
  }
  CHECK(message("own_header_of_nvrtc.h(3): error: bad\n  template <class T>\n                  ^\n", {"-DT=float"})
            .find("The macro T") != std::string::npos);
  CHECK(message("k.cu(1): error: bad", {"-DT=float"}).find("The macro") == std::string::npos);
  CHECK(message("lib.h(1): error: bad", {"-DU=float"}).find("The macro") == std::string::npos);
}

TEST_CASE("a header that is not there: where headers are looked for") {
  for (const char* log : {"k.cu(1): catastrophic error: cannot open source file \"util.h\"",
                          "k.cu:1:10: fatal error: util.h: No such file or directory"}) {
    const std::string message = compile_message({"NVRTC 13.0", "k.cu", "#include \"util.h\"", nullptr, log, {}});
    CHECK_MESSAGE(message.find("\nHeaders are found in the folders of include_dirs (-I)") != std::string::npos,
                  message);
  }
  const std::string other = compile_message({"NVRTC 13.0", "k.cu", "text", nullptr, "k.cu(1): error: bad", {}});
  CHECK(other.find("include_dirs") == std::string::npos);
}

TEST_CASE("a source that wants a function of another one is sent to the linker") {
  const auto message_for = [](const char* log) {
    return compile_message({"NVRTC 13.0", "k.cu", "source text", nullptr, log, {}});
  };
  CHECK(message_for("ptxas fatal   : Unresolved extern function '_Z1ff'").find("DynamicModule") != std::string::npos);
  CHECK(message_for("ptxas fatal   : Unresolved extern variable 'v'").find("DynamicModule") != std::string::npos);
  CHECK(message_for("ptxas fatal   : Memory allocation failure").find("DynamicModule") == std::string::npos);
}

TEST_CASE("the message shows the line of the part of a source that the diagnostic names") {
  const FailedCompile failed{
      "NVRTC 13.0", "k.cu", "a\n#line 1 \"function f\"\nb\nc", nullptr, "function f(2): error: bad", {}};
  CHECK(compile_message(failed).find("function f(2): error: bad\n      1 | b\n>     2 | c\n") != std::string::npos);
}

TEST_CASE("that NVRTC takes no functions of the host is no headline beside another error") {
  const std::string host = "error: A function without execution space annotations is not allowed in JIT mode\n";
  const auto headline = [](const std::string& log) {
    const auto error = main_error(errors_of(log), "k.cu");
    return error ? error->file + "(" + std::to_string(error->line) + ")" : "nothing";
  };
  CHECK(headline("k.cu(1): " + host + "k.cu(1): error: expected a \";\"\nk.cu(2): " + host) == "k.cu(1)");
  CHECK(headline("k.cu(1): " + host + "k.cu(3): error: expected a \";\"\n") == "k.cu(3)");
  CHECK(headline("/cuda/cufft.h(154): " + host + "/cuda/cufft.h(160): " + host + "k.cu(4): error: x\n") == "k.cu(4)");
  CHECK(headline("/cuda/cufft.h(154): " + host + "a.h(2): error: x\nk.cu(4): error: x\n") == "k.cu(4)");
  CHECK(headline("/cuda/cufft.h(154): " + host + "a.h(2): error: x\n") == "a.h(2)");
  CHECK(headline("/cuda/cufft.h(154): " + host + "k.cu(2): " + host) == "k.cu(2)");
  CHECK(headline("/cuda/cufft.h(154): " + host) == "/cuda/cufft.h(154)");
  CHECK(headline("a.h(1): error: x\nk.cu(2): error: y\n") == "a.h(1)");
}

TEST_CASE("an error that only follows gives way to another of its line, where no name is missing") {
  const auto error =
      main_error(errors_of("k.cu(1): error: attribute \"__global__\" does not apply here\n"
                           "k.cu(1): error: incomplete type \"void\" is not allowed\n"
                           "k.cu(1): error: expected an expression\n  void k(%s* o)\n         ^\n"));
  REQUIRE(error);
  CHECK(error->text == "error: expected an expression");
}

TEST_CASE("a message shows the first errors of a log, and how many there are more") {
  std::string log;
  for (int i = 1; i <= 300; ++i) {
    const std::string name = "n" + std::to_string(i);
    log += "k.cu(" + std::to_string(i) + "): error: identifier \"" + name + "\" is undefined\n  " + name + "\n  ^\n\n";
  }
  const std::string message = compile_message({"NVRTC 13.0", "k.cu", "text", nullptr, log, {}});
  CHECK(message.find("\"n5\" is undefined") != std::string::npos);
  CHECK(message.find("\"n6\" is undefined") == std::string::npos);
  CHECK(message.find("... (295 more errors: the error's log() has all)\n") != std::string::npos);
  CHECK(std::count(message.begin(), message.end(), '\n') < 30);
}

TEST_CASE("a message leaves out of a log what NVRTC says of functions of the host, beside other errors") {
  const std::string host = "cufft.h(1): error: A function is not allowed in JIT mode\n  int f();\n  ^\n\n";
  const auto shown = [](const std::string& log) {
    return compile_message({"NVRTC 13.0", "k.cu", "text", nullptr, log, {}});
  };
  const std::string both = shown(host + host + "k.cu(2): error: expected a \";\"\n");
  CHECK(both.find("cufft.h") == std::string::npos);
  CHECK(both.find("k.cu(2): error: expected a \";\"\n... (2 more errors") != std::string::npos);
  CHECK(shown(host).find("int f();") != std::string::npos);
}

TEST_CASE("a block of many lines is shown whole, and logs without errors are not cut at so few lines") {
  std::string context;
  for (int i = 0; i < 40; ++i) context += "    instantiation " + std::to_string(i) + "\n";
  const std::string message =
      compile_message({"NVRTC 13.0", "k.cu", "", nullptr, "k.cu(1): error: x\n" + context + "k.cu(2): error: y\n", {}});
  CHECK(message.find("instantiation 39\n... (1 more error:") != std::string::npos);
  CHECK(bounded_log(context, "log").find("instantiation 39") != std::string::npos);
}

TEST_CASE("the place in a line that is longer than compilers count columns") {
  // Columns have 16 bits: the mark stands 65536 columns before its place.
  const std::string before(70000, ' ');
  const std::string log_line = "  " + before + "wrong;" + std::string(5000, 'x');
  const std::string mark = std::string(2 + 70000 - 65536, ' ') + "^";
  const auto shown = [&](const std::string& error) {
    const std::string log = "k.cu(1): error: " + error + "\n" + log_line + "\n" + mark + "\n";
    return compile_message({"NVRTC 13.0", "k.cu", log_line.substr(2), nullptr, log, {}});
  };
  const std::string named = shown("identifier \"wrong\" is undefined");
  const std::size_t log_at = named.find("log:");
  CHECK(named.substr(0, log_at).find("wrong;xxx") != std::string::npos);
  CHECK(named.substr(log_at).find("wrong;xxx") != std::string::npos);
  // What does not name it may be at any of the places.
  const std::string unnamed = shown("expected a declaration");
  CHECK(unnamed.substr(0, unnamed.find("log:")).find("wrong;xxx") != std::string::npos);
  CHECK(marked_places(std::string(200000, 'x'), 10, "error: bad") ==
        std::vector<std::size_t>{10, 65546, 131082, 196618});
}

TEST_CASE("the place in a line that nvcc shows after its preprocessor") {
  std::string source, shown;  // each declaration of the source is longer in the log
  for (int i = 0; i < 40; ++i) {
    source += "__shared__ int s; ";
    shown += "__attribute__((shared)) int s; ";
  }
  const std::string mark = std::string(2 + shown.size(), ' ') + "^";
  const std::string end = "wrong(1); " + std::string(1000, 'c');
  const std::string log = "k.cu(1): error: bad\n  " + shown + end + "\n" + mark + "\n";
  const auto lines = numbered_lines(source + end, "k.cu", errors_of(log).front());
  CHECK(lines.place == source.size());
  CHECK(lines.shown.find("wrong(1)") != std::string::npos);
}

}  // namespace compile_message_test
