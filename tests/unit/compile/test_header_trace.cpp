#include "compile/header_trace.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace kiln;

TEST_CASE("the headers of a trace, each once") {
  const auto headers = parse_header_trace(
      R"({"traceEvents":[{"args":{"detail":"/a/b.h"},"name":"Processing Header File","ts":1},
          {"name":"Processing Header File","args":{"detail":"c \"d\".h"}},{"args":{"detail":"/a/b.h"},"name":"Processing Header File"},
          {"args":{"detail":"kernel"},"name":"Optimizer"},{"name":"x","args":{"name":"Processing Header File"}}],"beginningOfTime":1})");
  REQUIRE(headers);
  CHECK(*headers == std::vector<std::string>{"/a/b.h", "c \"d\".h"});
}

TEST_CASE("a trace of another form is no list of headers") {
  for (const char* text : {"", "{", "[]", "{}", "{\"traceEvents\":[", "{\"traceEvents\":[]} trailing"})
    CHECK_FALSE(parse_header_trace(text));
  CHECK(parse_header_trace("{\"traceEvents\":[]}")->empty());
}

TEST_CASE("the place for a trace takes what is written to it, and goes away") {
  std::string file;
  {
    const HeaderTrace trace;
    REQUIRE(trace.usable());
    const std::string option = trace.option();
    file = option.substr(option.find('=') + 1) + ".json";
    CHECK_FALSE(trace.headers());  // nothing written: not an empty list
    const auto event = [](const std::string& header) {
      return R"({"args":{"detail":")" + header + R"("},"name":"Processing Header File"})";
    };
    std::ofstream(file) << R"({"traceEvents":[)" << event("x.h") << "]}";
    CHECK_FALSE(trace.headers());  // without the header that every compile reads: one that lists none, as 12.8's
    std::ofstream(file) << R"({"traceEvents":[)" << event(std::string(nvrtc_builtin_header)) << ',' << event("x.h")
                        << "]}";
    REQUIRE(trace.headers());
    CHECK(trace.headers()->back() == "x.h");
  }
  CHECK_FALSE(std::filesystem::exists(std::filesystem::path(file).parent_path()));
}
