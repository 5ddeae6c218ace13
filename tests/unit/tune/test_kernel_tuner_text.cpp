#include "tune/kernel_tuner_text.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace kernel_tuner_text_test {

using namespace kiln;

namespace {

TunableDefinition definition() {
  TunableDefinition one;
  one.name = "scale<TYPE>";
  one.add({"BLOCK", {32, 64}}, false);
  one.add({"FAST", {false, true}}, false);
  one.add({"SHARE", {0.5, 1.0}}, false);
  one.add({"TYPE", {"float", "say \"hi\""}}, false);
  return one;
}

TuneCandidate candidate(int block, bool is_fast, double share, const char* type, TuneStatus status = TuneStatus::ok) {
  TuneCandidate one;
  one.configuration = {{"BLOCK", block}, {"FAST", is_fast}, {"SHARE", share}, {"TYPE", type}};
  one.status = status;
  if (status == TuneStatus::ok) one.seconds = one.value = block * 0x1p-10;
  return one;
}

std::string text_of(const TunableDefinition& of, const TuneResult& result, const ProblemSize& problem = {4096, 7}) {
  return kernel_tuner_text({of, "A \"device\"", problem, "2026-11-23T21:00:00Z"}, result);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string head = R"({
"schema_version": "1.1.0",
"device_name": "A \"device\"",
"kernel_name": "scale<TYPE>",
"problem_size": [4096,7],
"tune_params_keys": ["BLOCK","FAST","SHARE","TYPE"],
"tune_params": {"BLOCK":[32,64],"FAST":[false,true],"SHARE":[0.5,1.0],"TYPE":["float","say \"hi\""]},
)";

}  // namespace

TEST_CASE("each candidate is an entry under its values as Python writes them, in milliseconds") {
  TuneResult result;
  result.candidates = {candidate(32, false, 1, "float"), candidate(64, true, 0.5, "say \"hi\"")};
  result.compile_seconds = 3;
  result.measure_seconds = 0.5;
  const std::string rest =
      R"("compile_time":1500.0,"benchmark_time":250.0,"verification_time":0,"strategy_time":0,"framework_time":0,)"
      R"("timestamp":"2026-11-23T21:00:00Z"})";
  CHECK(text_of(definition(), result) == head + R"("objective": "time",
"cache": {
"32,False,1.0,float": {"BLOCK":32,"FAST":false,"SHARE":1.0,"TYPE":"float","time":31.25,)" +
                                             rest + R"(,
"64,True,0.5,say \"hi\"": {"BLOCK":64,"FAST":true,"SHARE":0.5,"TYPE":"say \"hi\"","time":62.5,)" +
                                             rest + "}\n}\n");
}

TEST_CASE("a result without candidates is a whole file, too") {
  CHECK(text_of(definition(), {}) == head + "\"objective\": \"time\",\n\"cache\": {}\n}\n");
}

TEST_CASE("one dimension is a number") { CHECK(has(text_of(definition(), {}, 1000), "\"problem_size\": 1000,\n")); }

TEST_CASE("failures have the names of kernel_tuner's") {
  TuneResult result;
  const auto failed = [&](TuneStatus status) {
    result.candidates = {candidate(32, false, 1, "float", status)};
    return text_of(definition(), result);
  };
  CHECK(has(failed(TuneStatus::not_compiled), R"("time":"CompilationFailedConfig")"));
  CHECK(has(failed(TuneStatus::over_limits), R"("time":"InvalidConfig")"));
  for (const TuneStatus status :
       {TuneStatus::launch_refused, TuneStatus::wrong_result, TuneStatus::timed_out, TuneStatus::crashed})
    CHECK(has(failed(status), R"("time":"RuntimeFailedConfig")"));
}

TEST_CASE("an own objective is the file's, and each entry has it") {
  TuneResult result;
  result.candidates = {candidate(32, false, 1, "float"), candidate(64, false, 1, "float", TuneStatus::not_compiled)};
  result.candidates[0].value = 12.5;
  const std::string text = text_of(definition(), result);
  CHECK(has(text, "\"objective\": \"value\",\n"));
  CHECK(has(text, R"("time":31.25,"value":12.5,)"));
  CHECK(has(text, R"("time":"CompilationFailedConfig","value":"CompilationFailedConfig",)"));
}

TEST_CASE("a text may be empty, and what is no UTF-8 leaves valid JSON") {
  TunableDefinition options;
  options.name = "scale";
  options.add({"FAST", {"", "--use_fast_math"}}, true);
  options.add({"SLOW", {"", "\xff"}}, true);
  TuneResult result;
  result.candidates.resize(2);
  result.candidates[0].configuration = {{"FAST", ""}, {"SLOW", ""}};
  result.candidates[1].configuration = {{"FAST", "--use_fast_math"}, {"SLOW", "\xff"}};
  const std::string text = text_of(options, result);
  CHECK(has(text, "\n\",\": {\"FAST\":\"\",\"SLOW\":\"\","));
  CHECK(has(text, "\n\"--use_fast_math,\xef\xbf\xbd\": {"));
}

TEST_CASE("a parameter cannot have the name of a field") {
  for (const char* const name : {"time", "value", "timestamp", "compile_time", "framework_time"}) {
    TunableDefinition one = definition();
    one.add({name, {1}}, false);
    CHECK_THROWS_WITH_AS(text_of(one, {}), doctest::Contains(name), ArgumentError);
  }
}

}  // namespace kernel_tuner_text_test
