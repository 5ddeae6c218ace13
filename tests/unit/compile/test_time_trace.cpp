// What compilers write about their times, from files of NVRTC 13.0 and nvcc 13.0 that are cut to some lines.
#include "worker/nvrtc/time_table.hpp"
#include "worker/nvrtc/time_trace.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace time_trace_test {

using namespace kiln;
using std::chrono::microseconds;
using std::chrono::milliseconds;

namespace {

constexpr std::string_view nvrtc_table =
    "File name, phase name, metric, unit\n"
    "a, b.cu, CUDA C++ Frontend, 1080, ms\n"
    "a, b.cu, NVVM Optimizer, 26, ms\n"
    "a, b.cu, PTX Translation, 21, ms\n";

/// in.h includes a.h, b.h and c.h, whose times NVRTC ends with its own.
constexpr std::string_view nvrtc_trace = R"json(
{"otherData" : {"inputFiles": ["source_compiled_by_nvrtc"], "numThreads": -1}, "traceEvents" : [ {},
{"args":{"detail":"f(int, \"x{\")"},"dur":78,"name":"Scanning Function Body","ph":"X","pid":0,"tid":0,"ts":8153},
{"args":{"detail":"built.h"},"dur":9656,"name":"Processing Header File","ph":"X","pid":0,"tid":0,"ts":7216},
{"args":{"detail":"c.h"},"dur":29555,"name":"Processing Header File","ph":"X","pid":0,"tid":0,"ts":113200},
{"args":{"detail":"b.h"},"dur":67503,"name":"Processing Header File","ph":"X","pid":0,"tid":0,"ts":75255},
{"args":{"detail":"a.h"},"dur":125811,"name":"Processing Header File","ph":"X","pid":0,"tid":0,"ts":16948},
{"args":{"detail":"in \"\u00e4\u20ac\\\n.h"},"dur":125849,"name":"Processing Header File","ph":"X","pid":0,"ts":16911},
{"args":{"detail":"k.cu"},"dur":160080,"name":"CUDA C++ Front-End","ph":"X","pid":0,"tid":0,"ts":21},
{"dur":2284,"name":"NVVM Optimizer","ph":"X","pid":0,"tid":0,"ts":169769},
{"args":{"detail":""},"dur":10395,"name":"LibNVVM","ph":"X","pid":0,"tid":0,"ts":162776},
{"args":{"name":""},"dur":9484,"name":"Total PTXAS Time","ph":"X","pid":0,"tid":0,"ts":173171}]})json";

/// Of two architectures, whose programs run at the same time.
constexpr std::string_view nvcc_trace = R"json(
{"traceEvents":[{},
{"args":{"detail":"x"},"dur":85114,"name":"gcc (preprocessing 1)","ph":"X","pid":5,"ts":234,"tid":0},
{"args":{"name":"cicc"},"cat":"","name":"process_name","ph":"M","pid":7},
{"args":{"detail":"a.h"},"dur":1000,"name":"Processing Header File","ph":"X","pid":7,"tid":0,"ts":90000},
{"args":{"detail":"a.h"},"dur":2000,"name":"Processing Header File","ph":"X","pid":8,"tid":0,"ts":90500},
{"args":{"detail":"/tmp/x.ii"},"dur":277716,"name":"CUDA C++ Front-End","ph":"X","pid":7,"tid":0,"ts":85012},
{"args":{"name":"/tmp/x.ptx"},"dur":9484,"name":"Total PTXAS Time","ph":"X","pid":8,"tid":0,"ts":373171}]})json";

bool is_empty(const CompilerTimes& times) {
  return !times.front_end && !times.headers && !times.optimizer && !times.ptxas && times.slowest_headers.empty();
}

}  // namespace

TEST_CASE("NVRTC's table has the phases") {
  CompilerTimes times;
  read_time_table(nvrtc_table, times);
  CHECK(times.front_end == milliseconds(1080));
  CHECK(times.optimizer == milliseconds(26));
  CHECK(times.ptxas == milliseconds(21));
  CHECK_FALSE(times.headers.has_value());
}

TEST_CASE("phases that a table has twice are added, and those that it lacks stay empty") {
  CompilerTimes times;
  read_time_table("k.cu, NVVM Optimizer, 2, ms\r\nk.cu, NVVM Optimizer, 3, ms", times);
  CHECK(times.optimizer == milliseconds(5));
  CHECK_FALSE(times.ptxas.has_value());
}

TEST_CASE("lines that are none of a table are left out") {
  for (const char* text : {"", "\n\n", ",,,", "k.cu, NVVM Optimizer", "k.cu, NVVM Optimizer, x, ms",
                           "k.cu, NVVM Optimizer, -3, ms", "k.cu, NVVM Optimizer, 3, s", "NVVM Optimizer, 3, ms",
                           "k.cu, NVVM Optimizer, 99999999999999999999999, ms", "k.cu, NVVM Optimizer, 3 4, ms"}) {
    CAPTURE(text);
    CompilerTimes times;
    read_time_table(text, times);
    CHECK(is_empty(times));
  }
}

TEST_CASE("a trace has the phases, and the headers that the source itself includes") {
  const CompilerTimes times = read_time_trace(nvrtc_trace);
  CHECK(times.front_end == microseconds(160080));
  CHECK(times.optimizer == microseconds(10395));
  CHECK(times.ptxas == microseconds(9484));
  CHECK(times.headers == microseconds(125849 + 9656));
  REQUIRE(times.slowest_headers.size() == 2);
  CHECK(times.slowest_headers[0].name == "in \"\xc3\xa4\xe2\x82\xac\\\n.h");
  CHECK(times.slowest_headers[0].time == microseconds(125849));
  CHECK(times.slowest_headers[1].name == "built.h");
}

TEST_CASE("nvcc's trace counts its preprocessor to the front end, and each program's headers") {
  const CompilerTimes times = read_time_trace(nvcc_trace);
  CHECK(times.front_end == microseconds(85114 + 277716));
  CHECK_FALSE(times.optimizer.has_value());
  CHECK(times.ptxas == microseconds(9484));
  REQUIRE(times.slowest_headers.size() == 1);
  CHECK(times.slowest_headers[0].time == microseconds(3000));
}

TEST_CASE("of many headers the slowest ten are named, and all are counted") {
  std::string text = R"({"traceEvents":[)";
  for (int i = 0; i < 12; ++i)
    text += R"({"args":{"detail":"h)" + std::to_string(i) + R"("},"dur":)" + std::to_string(i + 1) +
            R"(,"name":"Processing Header File","pid":0,"ts":)" + std::to_string(100 * i) + "},";
  const CompilerTimes times = read_time_trace(text);
  REQUIRE(times.slowest_headers.size() == 10);
  CHECK(times.slowest_headers.front().name == "h11");
  CHECK(times.headers == microseconds(12 * 13 / 2));
}

TEST_CASE("text that is no trace tells nothing") {
  for (const char* text : {"", "x", "{}", "[]", "}}}}{{{{", "\"", "\"\\", "\"\\u", "{\"traceEvents\":[{\"dur\":-",
                           R"([{"dur":1,"name":"LibNVVM","ts":1}])", R"({"a":{"b":{"dur":1,"name":"LibNVVM","ts":1}}})",
                           R"({"a":[{"dur":-1,"name":"LibNVVM","ts":1}]})",
                           R"({"a":[{"dur":99999999999999999999,"name":"LibNVVM","ts":1}]})",
                           R"({"a":[{"dur":9000000000000000000,"name":"LibNVVM","ts":1}]})"}) {
    CAPTURE(text);
    CHECK(is_empty(read_time_trace(text)));
  }
  CHECK(is_empty(read_time_trace(std::string(100000, '{'))));
  CHECK(is_empty(read_time_trace(std::string(100000, '[') + std::string("\0\xff", 2))));
}

TEST_CASE("a trace that ends early, or has other bytes, does no harm") {
  for (const std::string_view whole : {nvrtc_trace, nvcc_trace})
    for (std::size_t size = 0; size < whole.size(); ++size) {
      read_time_trace(whole.substr(0, size));
      for (const char c : {'"', '{', '}', '\\', '9', '\0'}) {
        std::string other(whole);
        other[size] = c;
        const CompilerTimes times = read_time_trace(other);
        CHECK(times.slowest_headers.size() <= 10);
        CHECK(times.headers.value_or(microseconds()) >= microseconds());
      }
    }
}

}  // namespace time_trace_test
