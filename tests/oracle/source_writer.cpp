#include "source_writer.hpp"

namespace kiln::oracle {

std::string SourceWriter::value(const std::string& expression) {
  const std::string id = number();
  const std::string text = expression.empty() ? id : expression;
  return "#ifndef D" + id + "\n#define D" + id + "\n__device__ int v" + id + " = " + text + ";\n#elif !defined E" + id +
         "\n#define E" + id + "\n__device__ int w" + id + " = " + text + ";\n#endif\n";
}

std::string SourceWriter::common_name() {
  return random_.pick(std::vector<std::string>{"a.h", "b.h", "c.h", "d/a.h", "d/b.h"});
}

std::string SourceWriter::name() {
  const std::vector<std::string> rare = {
      "./a.h",       "../off/a.h",      "../two/b.h",    "d/../b.h",
      "..//src/a.h", "d/../../off/b.h", "$ROOT/off/a.h", "$ROOT/two/c.h",
      "m.h",         "d/m.h",           "../one/d/b.h",  backend_ == Backend::nvcc ? "x.h" : "stdint.h"};
  return random_.chance(75) ? common_name() : random_.pick(rare);
}

std::string SourceWriter::spelled(const std::string& header) {
  return random_.chance(50) ? "<" + header + ">" : "\"" + header + "\"";
}

std::string SourceWriter::plain_include() {
  if (knows_has_include_next_ && random_.chance(10)) {
    const std::string header = spelled(name());
    return "#if __has_include_next(" + header + ")\n" + value() + "#endif\n";
  }
  if (random_.chance(10)) return "#include_next " + spelled(common_name()) + "\n";
  const std::vector<std::string> ways = {"#include ",  "#include ",     "#include",      "# include ",
                                         "%:include ", "#inc\\\nlude ", "#include /**/ "};
  // NVRTC has no #import.
  const std::string way = backend_ == Backend::nvcc && random_.chance(10) ? "#import " : random_.pick(ways);
  return way + spelled(random_.chance(90) ? common_name() : name()) + "\n";
}

std::string SourceWriter::question() {
  const std::string header = spelled(name());
  if (random_.chance(20)) {
    const std::vector<std::string> aliases = {
        "#ifdef ASK\n#if ASK(" + header + ")\n" + value() + "#endif\n#endif\n",
        "#define HI __has_include\n#if HI(" + header + ")\n" + value() + "#endif\n#undef HI\n",
        "#define CAT(a, b) a##b\n#if CAT(__has_, include)(" + header + ")\n" + value() + "#endif\n#undef CAT\n"};
    return random_.pick(aliases);
  }
  const std::vector<std::string> ways = {"__has_include(" + header + ")",
                                         "__has_include(" + header + ")",
                                         "__has_include ( " + header + " )",
                                         "defined(__has_include) && __has_include(" + header + ")",
                                         "__has_\\\ninclude(/* */" + header + ")",
                                         "!__has_include(" + header + ") || __has_include(" + spelled(name()) + ")",
                                         "__has_include(" + spelled(name()) + ") && __has_include(" + header + ")",
                                         "Q1",
                                         "Q2"};
  std::string text;
  if (random_.chance(15)) text = "#ifndef Q1\n#define Q1 __has_include(" + header + ")\n#endif\n";
  if (random_.chance(15)) text += "#ifndef Q2\n#define Q2 __has_include(\"" + name() + "\")\n#endif\n";
  return text + "#if " + random_.pick(ways) + "\n" + value() + "#else\n" + value() + "#endif\n";
}

std::string SourceWriter::asked_include() {
  const std::string header = spelled(name());
  return "#if __has_include(" + header + ")\n#include " + header + "\n#else\n" + value() + "#endif\n";
}

std::string SourceWriter::computed_include() {
  const std::string header = random_.chance(85) ? common_name() : name();
  const std::vector<std::string> ways = {
      "#undef N\n#define N <" + header + ">\n#include N\n",
      "#undef N\n#define N \"" + header + "\"\n#include N\n",
      "#undef S\n#undef T\n#define S(x) #x\n#define T(x) S(x)\n#include T(" + header + ")\n",
      "#undef A\n#define A(x) <x>\n#include A(" + header + ")\n",
      "#ifndef LATER\n#define LATER \"" + header + "\"\n#endif\n",
      "#ifdef LATER\n#include LATER\n#endif\n",
      "#ifdef GIVEN\n#include GIVEN\n#endif\n"};
  return random_.pick(ways);
}

std::string SourceWriter::macro() {
  const std::string m = "M" + std::to_string(random_.below(4));
  const std::vector<std::string> ways = {"#undef " + m + "\n#define " + m + " " + number() + "\n", "#undef " + m + "\n",
                                         "#ifdef " + m + "\n" + value(m) + "#else\n" + value() + "#endif\n",
                                         "#ifdef " + m + "\n" + plain_include() + "#endif\n",
                                         "#ifndef " + m + "\n" + asked_include() + "#endif\n"};
  return random_.pick(ways);
}

std::string SourceWriter::place() {
  const std::string id = number();
  const std::vector<std::string> ways = {
      value("sizeof(__FILE__)"), value("__LINE__"),
      "#ifndef F" + id + "\n#define F" + id + "\n__device__ char f" + id + "[] = __FILE__;\n#endif\n",
      "#define GLUE(a, b) a##b\n" + value("sizeof(GLUE(__FI, LE__))") + "#undef GLUE\n"};
  return random_.pick(ways);
}

/// What a reader of the text may stumble over, so that it misses what comes next.
std::string SourceWriter::decoy() {
  const std::vector<std::string> ways = {"// a comment \\\n#include <none.h>\n",
                                         "/* #include <none.h> // */\n",
                                         "#define RAW" + number() + " R\"x(\n#include <none.h>\n)x\"\n",
                                         "#define RAW" + number() + " \"R\\\"(\"\n",
                                         "#define APOSTROPHE" + number() + " 1'000'000\n",
                                         "#if 0\nit's not a literal /* \n*/\n#endif\n",
                                         "#if 0\n\"neither is this\n#endif\n",
                                         "#define QUOTE" + number() + " '\"'\n",
                                         "#define SLASHES" + number() + " \"/*\"\n",
                                         "#define uR" + number() + " /\\\n* #endif */\n",
                                         "#define NOTRAW" + number() + " XR\"(\"\n"};
  return random_.pick(ways);
}

std::string SourceWriter::late() {
  return "#ifdef LATE_VALUE\n" + value("LATE_VALUE") + "#else\n" + value() +
         "#endif\n#ifdef LATE_HEADER\n#include LATE_HEADER\n#endif\n";
}

std::string SourceWriter::piece(bool tells_place) {
  const std::size_t kind = random_.below(100);
  std::string before = random_.chance(6) ? decoy() : std::string();
  if (kind < 25) return before + value();
  if (kind < 45) return before + asked_include();
  if (kind < 55) return before + plain_include();
  if (kind < 72) return before + question();
  if (kind < 82) return before + computed_include();
  if (kind < 94) return before + macro();
  return before + (tells_place ? place() : value("__LINE__"));
}

Text SourceWriter::header() {
  Text text;
  const std::size_t more = random_.below(3);
  // What includes something has a guard of one kind or the other.
  const std::size_t guard = random_.below(more == 0 ? 100 : 80);
  const std::string id = number();
  if (guard < 30) {
    text.push_back(random_.chance(80) ? "#pragma once\n" : "_Pragma(\"once\")\n");
  } else if (guard < 80) {
    text.push_back("#ifndef G" + id + "\n#define G" + id + "\n");
  }
  text.push_back(value());
  for (std::size_t i = 0; i < more; ++i) text.push_back(piece());
  if (guard >= 30 && guard < 80) text.push_back("#endif\n");
  return text;
}

Text SourceWriter::source(bool tells_place) {
  Text text = {random_.chance(50) ? "#include <a.h>\n" : "#include \"a.h\"\n", asked_include()};
  for (std::size_t more = random_.below(4); more > 0; --more) text.push_back(piece(tells_place));
  if (random_.chance(40)) text.push_back(late());
  text.push_back("__global__ void k() {}\n");
  return text;
}

Text SourceWriter::edited(const Text& text) {
  Text changed = text;
  std::string& piece = changed[random_.below(changed.size())];
  const std::size_t at = piece.find(" = 1");
  if (at == piece.npos) {
    changed = header();
  } else {
    piece.replace(at + 3, 5, number());
  }
  return changed;
}

std::vector<std::string> SourceWriter::options() {
  std::vector<std::string> options;
  if (random_.chance(20)) options.emplace_back("-DGIVEN=" + spelled(common_name()));
  if (random_.chance(20)) options.emplace_back("-DM0=12345");
  if (random_.chance(30)) options.emplace_back("-DASK=__has_include");
  if (random_.chance(12))
    options.emplace_back(std::string("--pre-include=") + (random_.chance(50) ? "$ROOT/one/" : "") + common_name());
  return options;
}

}  // namespace kiln::oracle
