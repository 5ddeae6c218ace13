#include "compile/job_codec.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

using namespace kiln;

namespace {

WorkerJob full_job() {
  WorkerJob made;
  made.job.source = std::string("zero \0 inside", 13);
  made.job.name = "a b/\xc3\xa4.cu";
  made.job.arguments = {"-DX=1", "", "-I/x y"};
  made.job.arch = "sm_90a";
  made.job.code = "sm_90";
  made.job.target = Target::ltoir;
  made.job.headers = {{"a.h", "text"}, {"b.h", ""}};
  made.job.name_expressions = {"scale<float, 4>"};
  made.job.trace_headers = true;
  made.job.keep = true;
  made.nvrtc = "/x/libnvrtc.so";
  made.identity = "build-id:00";
  made.trace_folder = "/tmp/t";
  return made;
}

CompilerOutput full_output() {
  CompilerOutput made;
  made.code = std::string("\0code\xff", 6);
  made.log = "a warning";
  made.lowered_names = {{"k<int>", "_Z1kIiEvv"}};
  made.headers = {{"a.h", "b.h"}};
  made.options = {"-arch=sm_80"};
  made.parameter_kinds = {{"k", {ParameterKind::floating, ParameterKind::integer_or_pointer}}, {"none", {}}};
  return made;
}

template <class E>
std::string encoded(const E& error) {
  return encode_error(std::make_exception_ptr(error));
}

}  // namespace

TEST_CASE("a job arrives as it was") {
  const auto there = decode_job(encode_job(full_job()));
  REQUIRE(there);
  const WorkerJob job = full_job();
  CHECK(there->job.source == job.job.source);
  CHECK(there->job.name == job.job.name);
  CHECK(there->job.arguments == job.job.arguments);
  CHECK(there->job.arch == job.job.arch);
  CHECK(there->job.code == job.job.code);
  CHECK(there->job.target == job.job.target);
  CHECK(there->job.headers == job.job.headers);
  CHECK(there->job.name_expressions == job.job.name_expressions);
  CHECK(there->job.trace_headers);
  CHECK(there->job.keep);
  CHECK(there->nvrtc == job.nvrtc);
  CHECK(there->identity == job.identity);
  CHECK(there->trace_folder == job.trace_folder);
}

TEST_CASE("an output arrives as it was, and no list of headers is no empty one") {
  CompilerOutput output = full_output();
  const auto there = decode_answer(encode_output(output));
  REQUIRE(there);
  CHECK(there->code == output.code);
  CHECK(there->log == output.log);
  CHECK(there->lowered_names == output.lowered_names);
  CHECK(there->headers == output.headers);
  CHECK(there->options == output.options);
  CHECK(there->parameter_kinds == output.parameter_kinds);
  output.headers = std::nullopt;
  CHECK_FALSE(decode_answer(encode_output(output))->headers);
  output.headers.emplace();
  CHECK(decode_answer(encode_output(output))->headers);
}

TEST_CASE("errors keep their class and all they know") {
  try {
    decode_answer(encoded(CompileError("refused", "the log", {"-a", "-b"})));
    FAIL("nothing thrown");
  } catch (const CompileError& error) {
    CHECK(std::string(error.what()) == "refused");
    CHECK(error.log() == "the log");
    CHECK(error.options() == std::vector<std::string>{"-a", "-b"});
  }
  try {
    decode_answer(encoded(ToolkitError("missing", {"here", "there"})));
    FAIL("nothing thrown");
  } catch (const ToolkitError& error) {
    CHECK(std::string(error.what()) == "missing");
    CHECK(error.searched() == std::vector<std::string>{"here", "there"});
  }
  CHECK_THROWS_WITH_AS(decode_answer(encoded(Error("plain"))), "plain", Error);
  CHECK_THROWS_WITH_AS(decode_answer(encoded(std::runtime_error("foreign"))), "foreign", Error);
}

TEST_CASE("bytes cut short anywhere, or with something behind them, are refused") {
  const std::string job = encode_job(full_job());
  const std::string output = encode_output(full_output());
  const std::string error = encoded(CompileError("refused", "the log", {"-a"}));
  for (std::size_t size = 0; size < job.size(); ++size) CHECK_FALSE(decode_job(job.substr(0, size)));
  for (std::size_t size = 0; size < output.size(); ++size) CHECK_FALSE(decode_answer(output.substr(0, size)));
  for (std::size_t size = 0; size < error.size(); ++size) CHECK_FALSE(decode_answer(error.substr(0, size)));
  CHECK_FALSE(decode_job(job + '\0'));
  CHECK_FALSE(decode_answer(output + '\0'));
  CHECK_FALSE(decode_answer(error + '\0'));
  CHECK_FALSE(decode_job(output));
  CHECK_FALSE(decode_answer(job));
}

TEST_CASE("whatever one byte is changed to, nothing but a refusal or a decoded message comes of it") {
  const std::string job = encode_job(full_job());
  const std::string output = encode_output(full_output());
  for (const char change : {'\x01', '\x80', '\xff'}) {
    for (std::size_t i = 0; i < job.size(); ++i) {
      std::string bytes = job;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      if (const auto decoded = decode_job(bytes)) CHECK(decoded->job.target <= Target::optixir);
    }
    for (std::size_t i = 0; i < output.size(); ++i) {
      std::string bytes = output;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      try {
        decode_answer(bytes);
      } catch (const Error&) {
      }
    }
  }
  std::string other_target = encode_job(full_job());
  const std::size_t place = other_target.find("sm_90", other_target.find("sm_90a") + 6) + 5;
  REQUIRE(other_target[place] == static_cast<char>(Target::ltoir));
  other_target[place] = 5;
  CHECK_FALSE(decode_job(other_target));
}
