#include "base/files.hpp"
#include "tune/engine.hpp"

#include "fake_tune_target.hpp"
#include "fault_file_system.hpp"
#include "scratch_folder.hpp"

#include <kiln/log.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune_log_test {

using namespace kiln;
using kiln::test::FakeTuneTarget;

namespace {

/// A space with values of each kind, one run's log file, and what a run of it does.
struct Logged {
  SearchSpace space{{{"A", {1, 2, 4}}, {"TYPE", {"float", "say \"hi\""}}, {"S", {0.5, 1.0}}, {"B", {false, true}}}, {}};
  ValidConfigurations valid{space};
  FakeTuneTarget target{{0, 0, 0, 0}};
  TuneOptions options;
  test::FaultFileSystem files;

  explicit Logged(const std::filesystem::path& file) {
    options.strategy = TuneStrategy::annealing;
    options.compile_threads = 1;
    options.log_file = file;
    target.seconds_of = [](const Configuration& one) { return 1e-5 * (1.0 + one[0] + one[1] / 3.0 + one[2] + one[3]); };
    target.on_load = [](const Configuration& one) {
      if (one == Configuration{1, 1, 1, 1}) throw TuneFailure(TuneStatus::over_limits, "too\nmuch");
    };
  }
  TuneResult run() { return run_tuning(target, valid, options, files); }
};

std::string content(const std::filesystem::path& file) {
  std::string text;
  read_file(FileSystem::real(), file.string(), text);
  return text;
}

void write(const std::filesystem::path& file, std::string_view text) { std::ofstream(file, std::ios::binary) << text; }

bool is_same(const TuneCandidate& a, const TuneCandidate& b) {
  return a.configuration == b.configuration && a.status == b.status && a.error == b.error && a.seconds == b.seconds &&
         a.spread == b.spread && a.value == b.value && a.repetitions == b.repetitions && a.given_up == b.given_up;
}

bool is_same(const TuneResult& a, const TuneResult& b) {
  return std::equal(a.candidates.begin(), a.candidates.end(), b.candidates.begin(), b.candidates.end(),
                    [](const TuneCandidate& one, const TuneCandidate& other) { return is_same(one, other); }) &&
         is_same(*a.best, *b.best);
}

/// Quiet while the test reads broken files; counts what is said.
struct Quiet {
  int messages = 0;
  Quiet() {
    set_log_handler([this](LogLevel, const std::string&) { ++messages; });
  }
  ~Quiet() { set_log_handler({}); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
};

}  // namespace

TEST_CASE("a run that ended goes on where it was, and tries nothing twice") {
  const test::ScratchFolder folder;
  Logged whole(folder.path() / "whole"), first(folder.path() / "log"), second(folder.path() / "log");
  const TuneResult at_once = whole.run();
  CHECK(at_once.candidates.size() == 24);
  CHECK(at_once.resumed == 0);

  first.options.max_variants = 10;
  CHECK(first.run().candidates.size() == 10);
  const TuneResult result = second.run();
  CHECK(result.resumed == 10);
  CHECK(is_same(result, at_once));
  CHECK(second.target.compile_count() == 15);  // the default, too, for the reference
  CHECK(second.target.references == 1);
  CHECK(second.target.times_launched({0, 0, 0, 0}) == 0);
  CHECK(content(folder.path() / "log") == content(folder.path() / "whole"));

  Logged third(folder.path() / "log");
  third.options.reference = [] { return true; };
  CHECK(is_same(third.run(), at_once));
  CHECK(third.target.compile_count() == 0);
}

TEST_CASE("a file cut at any byte loses the line that was cut, and nothing else") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "log";
  Logged whole(file);
  whole.options.max_variants = 4;
  const TuneResult at_once = whole.run();
  const std::string text = content(file);
  for (std::size_t size = 0; size <= text.size(); ++size) {
    write(file, text.substr(0, size));
    const Quiet quiet;
    Logged again(file);
    again.options.max_variants = 4;
    const TuneResult result = again.run();
    CHECK(is_same(result, at_once));
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<long>(size), '\n'));
    const bool has_whole_line = size != text.size() && text[size] == '\n';  // only its end was cut
    CHECK(result.resumed == std::max<std::size_t>(1, lines + (has_whole_line ? 1 : 0)) - 1);
    Logged once_more(file);
    once_more.options.max_variants = 4;
    CHECK(once_more.run().resumed == 4);
  }
}

TEST_CASE("lines that are no candidate's are skipped, with one message") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "log";
  Logged first(file);
  first.options.max_variants = 2;
  first.run();
  const std::string text = content(file);
  for (const char* const line :
       {"[]", "7", "{}", R"({"number":99})", R"({"number":-1})", R"({"number":0,"status":"fine"})", R"({"number":"0"})",
        "\xff", R"({"number":0.5,"status":"ok","seconds":1,"spread":0,"value":1,"repetitions":7,"given_up":false})",
        R"({"number":0,"status":"ok","seconds":1,"spread":0,"value":1,"repetitions":1e300,"given_up":false})"}) {
    CAPTURE(line);
    write(file, text + line + "\n");
    const Quiet quiet;
    Logged second(file);
    second.options.max_variants = 2;
    CHECK(second.run().resumed == 2);
    CHECK(quiet.messages == 1);
  }
}

TEST_CASE("the log file of another tuning is refused and left as it is") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "log";
  Logged first(file);
  first.run();
  const std::string text = content(file);
  Logged other(file);
  other.target.is = R"({"key":"another"})";
  CHECK_THROWS_WITH_AS(other.run(), doctest::Contains(file.c_str()), Error);
  CHECK(other.target.compile_count() == 0);
  CHECK(content(file) == text);
  for (const char* const foreign : {"my thesis", "{}\n", "{\"version\":2", "\n\nnotes\n"}) {
    write(file, foreign);
    Logged on_notes(file);
    CHECK_THROWS_AS(on_notes.run(), Error);
    CHECK(content(file) == foreign);
  }
}

TEST_CASE("two runs do not share a log file") {
  const test::ScratchFolder folder;
  Logged outer(folder.path() / "log"), inner(folder.path() / "log");
  outer.options.max_variants = 1;
  outer.options.progress = [&](const TuneProgress&) {
    CHECK_THROWS_WITH_AS(inner.run(), doctest::Contains("in use"), Error);
  };
  outer.run();
  CHECK(inner.run().resumed == 1);
}

TEST_CASE("a full disk ends the run with the file's name; later it goes on") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "log";
  for (int n = 1; n <= 4; ++n) {
    std::filesystem::remove(file);
    Logged full(file);
    full.files.limit_transfers(40);  // a line is written in parts, of which one fails
    full.files.fail_nth("write", 8 * n, ENOSPC);
    CHECK_THROWS_WITH_AS(full.run(), doctest::Contains(file.c_str()), Error);
    const Quiet quiet;
    Logged later(file);
    CHECK(later.run().candidates.size() == 24);
    Logged again(file);
    CHECK(again.run().resumed == 24);
  }
}

TEST_CASE("a log file that cannot be made is an error before anything is compiled") {
  const test::ScratchFolder folder;
  for (const auto& file : {folder.path() / "none" / "log", folder.path()}) {
    Logged one(file);
    CHECK_THROWS_WITH_AS(one.run(), doctest::Contains(file.c_str()), Error);
    CHECK(one.target.compile_count() == 0);
  }
}

TEST_CASE("a candidate that takes the device along is written down, and the next run leaves it out") {
  const test::ScratchFolder folder;
  const auto crashes_at = [](FakeTuneTarget& target, bool at_verify) {
    const auto crash = [](const Configuration& one) {
      if (one == Configuration{2, 1, 0, 1}) throw TuneFailure(TuneStatus::crashed, "illegal address", true);
    };
    (at_verify ? target.on_verify : target.on_time) = crash;
  };
  for (const bool at_verify : {false, true}) {
    const auto file = folder.path() / (at_verify ? "verify" : "time");
    Logged first(file), second(file);
    crashes_at(first.target, at_verify);
    crashes_at(second.target, at_verify);
    CHECK_THROWS_WITH_AS(first.run(), doctest::Contains("illegal address"), DeviceLostError);
    CHECK((at_verify ? first.target.verified : first.target.timed).back() == Configuration{2, 1, 0, 1});
    CHECK(first.target.alive == 0);
    const TuneResult result = second.run();
    CHECK(result.candidates.size() == 24);
    CHECK(result.count(TuneStatus::crashed) == 1);
  }
}

TEST_CASE("a default that took the device along is not launched again, and the next run says so") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "default";
  Logged first(file), second(file), third(file);
  for (Logged* const run : {&first, &second, &third})
    run->target.on_verify = [run](const Configuration& one) {
      if (one == run->target.initial) throw TuneFailure(TuneStatus::crashed, "illegal address", true);
    };
  CHECK_THROWS_AS(first.run(), DeviceLostError);
  CHECK_THROWS_WITH_AS(second.run(), doctest::Contains("another default"), Error);
  CHECK(second.target.references == 0);
  third.options.reference = [] { return true; };
  CHECK(third.run().count(TuneStatus::ok) == 22);
}

}  // namespace tune_log_test
