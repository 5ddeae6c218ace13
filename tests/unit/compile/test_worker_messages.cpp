// Jobs and answers as bytes: they arrive as they were, and damaged ones are refused.
#include "compile/jobs/wire_values.hpp"
#include "compile/worker/worker_answer.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>

namespace worker_messages_test {

using namespace kiln;

namespace {

CompilerJob full_compiler_job() {
  CompilerJob job;
  job.source = std::string("zero \0 inside", 13);
  job.name = "a b/\xc3\xa4.cu";
  job.arguments = {"-DX=1", "", "-I/x y"};
  job.users_arguments = {"-DX=1"};
  job.arch = "sm_90a";
  job.target = Target::ltoir;
  job.headers = {{"a.h", "text"}, {"b.h", ""}};
  job.name_expressions = {"scale<float, 4>"};
  job.keep = true;
  job.timing = true;
  return job;
}

MakeCodeJob full_job() {
  MakeCodeJob made;
  made.keep = true;
  Request& request = made.request;
  request.compiler = {Backend::nvcc, "nvcc:00", "/x/nvcc", true};
  request.job = full_compiler_job();
  request.explicit_arch = Arch{90, "a", false};
  request.context.device_arch = "sm_90";
  request.context.loads_cubin = false;
  request.search.dirs = {"/x y"};
  request.search.roots = {{"/x y", "/toolkit"}, false};
  request.search.source_root = -1;
  request.search.memory = {{"a.h", "text"}};
  request.search.stand_ins = {"vector"};
  request.may_include = true;
  request.option_files = {{{-1, "/x/file"}, {1, 2, -3, 4, 5, 6, 7}, digest_of("file"), true}};
  request.refusal.add(Counter::refused_no_worker, "because");
  return made;
}

MadeCode full_code() {
  MadeCode made;
  made.code = std::make_shared<CodeData>();
  made.code->target = Target::ptx;
  made.code->own(std::string("\0code\xff", 6));
  made.code->arch = "compute_90";
  made.code->log = "a warning";
  made.code->lowered_names = {{"k<int>", "_Z1kIiEvv"}};
  made.code->parameter_kinds = {{"k", {ParameterKind::floating, ParameterKind::integer_or_pointer}}, {"none", {}}};
  CompilerTimes& times = made.times.emplace();
  times.front_end = std::chrono::microseconds(1);
  times.headers = std::chrono::microseconds(2);
  times.optimizer = std::chrono::microseconds(3);
  times.slowest_headers = {{"a.h", std::chrono::microseconds(4)}};
  times.precompiled_header = true;
  times.measuring = std::chrono::microseconds(5);
  made.headers.dependencies.folders = {
      {{1, "include"}, {1, 2, 3, 4, 5, 6, 7}, {{"a.h", digest_of("a")}, {"b.h", {}}}, false}};
  made.headers.dependencies.absent = {{0, "a.h"}};
  made.headers.dependencies.absolute_paths = {{0, "/x y"}};
  return made;
}

template <class Value>
std::string encoded(const Value& value) {
  WireWriter out;
  out(value);
  return out.take();
}

/// Whether the bytes are one such value; what is read of others must do no harm.
template <class Value>
bool decodes(std::string_view bytes) {
  Value value;
  WireReader in(bytes);
  in(value);
  return in.is_whole();
}

template <class Value>
Value there_and_back(const Value& value) {
  const std::string bytes = encoded(value);
  Value made;
  WireReader in(bytes);
  in(made);
  CHECK(in.is_whole());
  CHECK(encoded(made) == bytes);
  return made;
}

template <class Value>
void check_damaged(const std::string& bytes) {
  REQUIRE(decodes<Value>(bytes));
  for (std::size_t size = 0; size < bytes.size(); ++size) CHECK_FALSE(decodes<Value>(bytes.substr(0, size)));
  CHECK_FALSE(decodes<Value>(bytes + '\0'));
  for (const char change : {'\x01', '\x80', '\xff'})
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      std::string other = bytes;
      other[i] = static_cast<char>(other[i] ^ change);
      decodes<Value>(other);
    }
}

template <class E>
E thrown_there(const E& error) {
  std::string result;
  try {
    decode_answer(encode_failure(std::make_exception_ptr(error)), result);
  } catch (const E& arrived) {
    CHECK(std::string(arrived.what()) == error.what());
    return arrived;
  }
  FAIL("nothing thrown");
  return error;
}

}  // namespace

TEST_CASE("a request arrives as it was, but for its key, its stop and what they are made of") {
  const MakeCodeJob job = full_job();
  const MakeCodeJob there = there_and_back(job);
  CHECK(there.keep);
  CHECK(there.request.compiler.nvcc == "/x/nvcc");
  CHECK(there.request.job.source == job.request.job.source);
  CHECK(there.request.job.headers == job.request.job.headers);
  CHECK(there.request.job.target == Target::ltoir);
  CHECK(there.request.explicit_arch->text() == "compute_90a");
  CHECK_FALSE(there.request.context.loads_cubin);
  CHECK(there.request.search.roots.paths == job.request.search.roots.paths);
  CHECK(there.request.search.source_root == -1);
  CHECK(there.request.search.stand_ins == job.request.search.stand_ins);
  CHECK(there.request.option_files.at(0).status.mtime_ns == -3);
  CHECK(there.request.option_files.at(0).digest == digest_of("file"));
  CHECK(there.request.refusal.counter == Counter::refused_no_worker);
}

TEST_CASE("code arrives as it was, with what it depends on") {
  const MadeCode made = full_code();
  const MadeCode there = there_and_back(made);
  CHECK(there.code->bytes == made.code->bytes);
  CHECK(there.code->bytes.data()[there.code->bytes.size()] == '\0');  // as the driver wants it behind PTX
  CHECK(there.code->target == Target::ptx);
  CHECK(there.code->lowered_names == made.code->lowered_names);
  CHECK(there.code->parameter_kinds == made.code->parameter_kinds);
  CHECK(there.headers.dependencies.folders.at(0).headers.at(0).digest == digest_of("a"));
}

TEST_CASE("that nvcc is needed arrives with the reason and NVRTC's refusal") {
  const MadeCode needed{
      nullptr, {}, NvccNeeded{"no <vector>", CompileError("refused", "the log", {"-a"}), false, true}};
  const MadeCode there = there_and_back(needed);
  REQUIRE(there.nvcc_needed.has_value());
  CHECK(there.code == nullptr);
  CHECK(there.nvcc_needed->reason == "no <vector>");
  CHECK(there.nvcc_needed->refusal->what() == std::string("refused"));
  CHECK(there.nvcc_needed->refusal->log() == "the log");
  CHECK(there.nvcc_needed->refusal->options() == std::vector<std::string>{"-a"});
}

TEST_CASE("a link's inputs arrive as they were, those of compiled code with its architecture") {
  LinkTask task;
  task.order.name = "linked";
  task.order.arch = "sm_90";
  task.options.ftz = false;
  task.options.ptxas_options = {"-v"};
  LinkInput ptx{InputType::ptx, "a"};
  ptx.data = "ptx text";
  LinkInput compiled{InputType::cubin, "b"};
  auto code = std::make_shared<CodeData>();
  code->own(
      std::string("\x7f"
                  "ELF"));
  code->arch = "sm_90a";
  compiled.code = code;
  LinkInput library{InputType::library, "cudadevrt"};
  library.path = "/x/libcudadevrt.a";
  for (const LinkInput& input : {ptx, compiled, library})
    task.order.inputs.push_back(std::make_shared<LinkInput>(input));
  const LinkTask there = there_and_back(task);
  REQUIRE(there.order.inputs.size() == 3);
  CHECK(there.order.inputs[0]->bytes() == "ptx text");
  CHECK(there.order.inputs[1]->bytes() == code->bytes);
  CHECK(there.order.inputs[1]->code->arch == "sm_90a");
  CHECK(there.order.inputs[2]->path == library.path);
  CHECK(there.options.ftz == std::optional(false));
  LinkResult result;
  result.outcome.failure = "at the second";
  result.failed_input = 2;
  CHECK(there_and_back(result).failed_input == 2);
}

TEST_CASE("errors keep their class and all they know") {
  const auto refused = thrown_there(CompileError("refused", "the log", {"-a", "-b"}));
  CHECK(refused.log() == "the log");
  CHECK(refused.options() == std::vector<std::string>{"-a", "-b"});
  CHECK(thrown_there(ToolkitError("missing", {"here", "there"})).searched().back() == "there");
  const auto argument = thrown_there(ArgumentError("senseless", "k", 3, "this", "that"));
  CHECK(argument.kernel() == "k");
  CHECK(argument.index() == 3);
  CHECK(argument.expected() == "this");
  CHECK(argument.given() == "that");
  thrown_there(Error("plain"));
  std::string result;
  CHECK_THROWS_AS(decode_answer(encode_failure(std::make_exception_ptr(WorkerUnfit{})), result), WorkerUnfit);
  CHECK_THROWS_WITH_AS(decode_answer(encode_failure(std::make_exception_ptr(std::runtime_error("foreign"))), result),
                       "foreign", Error);
}

TEST_CASE(
    "bytes cut short anywhere, changed or with something behind them do no harm, and are refused where they show") {
  check_damaged<MakeCodeJob>(encoded(full_job()));
  check_damaged<MadeCode>(encoded(full_code()));
  check_damaged<MadeCode>(encoded(MadeCode{nullptr, {}, NvccNeeded{"why", CompileError("refused", "log", {"-a"})}}));
  std::string result;
  const std::string answer = encode_result(std::string("text"));
  CHECK(decode_answer(answer, result));
  CHECK(result == "text");
  CHECK_FALSE(decode_answer("", result));
  CHECK_FALSE(decode_answer(answer.substr(0, answer.size() - 1), result));
  CHECK_FALSE(decode_answer("x" + answer.substr(1), result));
  const std::string failure = encode_failure(std::make_exception_ptr(Error("plain")));
  for (std::size_t size = 0; size < failure.size(); ++size) CHECK_FALSE(decode_answer(failure.substr(0, size), result));
}

TEST_CASE("a number beyond an enumeration's last is no value of it") {
  std::string bytes = encoded(Target::optixir);
  CHECK(decodes<Target>(bytes));
  ++bytes[0];
  CHECK_FALSE(decodes<Target>(bytes));
}

}  // namespace worker_messages_test
