#include "base/files.hpp"
#include "tune/wisdom_choice.hpp"
#include "tune/wisdom_files.hpp"
#include "tune/wisdom_line.hpp"

#include "environment_guard.hpp"
#include "fault_file_system.hpp"
#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <kiln/error.hpp>
#include <kiln/log.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace wisdom_test {

using namespace kiln;

namespace {

WisdomRecord record(const std::string& key = "matmul", const ProblemSize& problem = {1024, 1024}, double seconds = 1e-3,
                    const std::string& device = "NVIDIA H200") {
  WisdomRecord one;
  one.key = key;
  one.source = "0123";
  one.device = device;
  one.arch = "sm_90";
  one.driver = 13000;
  one.problem = problem;
  one.configuration = {{"BLOCK", 128}, {"TYPE", "say \"hi\""}, {"FAST", true}, {"SHARE", 0.5}, {"A", -1}};
  one.seconds = one.value = seconds;
  one.spread = seconds / 10;
  one.date = "2026-11-23T21:00:00Z";
  return one;
}

bool is_same(const WisdomRecord& a, const WisdomRecord& b) { return wisdom_line(a) == wisdom_line(b); }

std::string content(const std::filesystem::path& file) {
  std::string text;
  read_file(FileSystem::real(), file.string(), text);
  return text;
}

void write(const std::filesystem::path& file, std::string_view text) { std::ofstream(file, std::ios::binary) << text; }

/// Counts warnings.
class Warnings {
 public:
  Warnings() {
    set_log_handler([this](LogLevel level, const std::string& text) {
      if (level == LogLevel::warn) texts.push_back(text);
    });
  }
  ~Warnings() { set_log_handler({}); }
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;
  std::vector<std::string> texts;
};

double best_seconds(const Wisdom& wisdom, const ProblemSize& problem, const std::string& device = "NVIDIA H200",
                    const std::string& source = "0123") {
  const auto choice = wisdom.best("matmul", device, "sm_90", problem, source);
  return choice ? choice->record.seconds : 0;
}

}  // namespace

TEST_CASE("a record is read as it was written, in the parameters' order and with their kinds") {
  const WisdomLines lines = read_wisdom(wisdom_line(record()));
  REQUIRE(lines.records.size() == 1);
  CHECK(lines.skipped == 0);
  CHECK(is_same(lines.records[0], record()));
  CHECK(lines.records[0].configuration == record().configuration);
}

TEST_CASE("a file cut at every byte gives all lines that are whole, and what is added later is whole, too") {
  const test::ScratchFolder folder;
  const std::string one = wisdom_line(record("k", 1)), all = one + wisdom_line(record("k", 2));
  const std::filesystem::path file = folder.path() / "k.jsonl";
  for (std::size_t size = 0; size <= all.size(); ++size) {
    write(file, all.substr(0, size));
    const Warnings warnings;
    const Wisdom wisdom(folder.path());
    const std::size_t whole = (size >= one.size() - 1 ? 1 : 0) + (size >= all.size() - 1 ? 1 : 0);
    const bool is_cut = size != 0 && size != one.size() - 1 && size != one.size() && size < all.size() - 1;
    CAPTURE(size);
    REQUIRE(wisdom.records("k").size() == whole);
    REQUIRE(warnings.texts.size() == (is_cut ? 1 : 0));
    wisdom.add(record("k", 3));
    REQUIRE(wisdom.records("k").size() == whole + 1);
    REQUIRE(is_same(wisdom.records("k").back(), record("k", 3)));
  }
}

TEST_CASE("lines of a newer version, with other types or none at all are skipped, and said once a file") {
  const test::ScratchFolder folder;
  std::string newer = wisdom_line(record("k"));
  newer.replace(newer.find("\"version\":1"), 11, "\"version\":2");
  write(folder.path() / "k.jsonl", newer + "{}\n[1]\nnull\n\n{\"version\":\"1\"}\n\xff\n" + wisdom_line(record("k")));
  const Warnings warnings;
  const Wisdom wisdom(folder.path());
  CHECK(wisdom.records("k").size() == 1);
  CHECK(wisdom.keys() == std::vector<std::string>{"k"});
  REQUIRE(warnings.texts.size() == 1);
  CHECK(warnings.texts[0].find("6") != std::string::npos);
}

TEST_CASE("a line with other values than a record can have is skipped, not bent") {
  const std::string line = wisdom_line(record());
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"\"version\":1", "\"version\":0"},
      {"\"version\":1", "\"version\":4294967297"},
      {"\"driver\":13000", "\"driver\":1e300"},
      {"\"driver\":13000", "\"driver\":true"},
      {"[1024,1024]", "[1024.5,1024]"},
      {"[1024,1024]", "[-1,1024]"},
      {"[1024,1024]", "{\"x\":1024,\"y\":1024}"},
      {"{\"BLOCK\":128,\"TYPE\":\"say \\\"hi\\\"\",\"FAST\":true,\"SHARE\":0.5,\"A\":-1}", "[128]"}};
  for (const auto& [from, to] : changes) {
    CAPTURE(to);
    std::string other = line;
    REQUIRE(other.find(from) != std::string::npos);
    other.replace(other.find(from), from.size(), to);
    const WisdomLines lines = read_wisdom(other);
    CHECK(lines.records.empty());
    CHECK(lines.skipped == 1);
  }
}

TEST_CASE("a line that is nested however deeply is skipped") {
  const std::string nested = std::string(100'000, '[') + std::string(100'000, ']');
  std::string line = wisdom_line(record());
  line.replace(line.find("[1024,1024]"), 11, nested);
  CHECK(read_wisdom(line + wisdom_line(record())).skipped == 1);
  CHECK(read_wisdom(line + wisdom_line(record())).records.size() == 1);
}

TEST_CASE("keys of all characters have files of their own, within the folder") {
  const test::ScratchFolder folder;
  const std::filesystem::path inside = folder.path() / "a földer";
  const Wisdom wisdom(inside);
  const std::vector<std::string> keys = {
      "../x", ".lock", "a b", "a/b", "größe", std::string(1000, 'x'), std::string(999, 'x') + "y"};
  for (const std::string& key : keys) wisdom.add(record(key));
  for (const std::string& key : keys) CHECK(wisdom.records(key).size() == 1);
  CHECK(wisdom.keys().size() == keys.size());
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("the exact problem is used, else the nearest of the device, else the nearest of its architecture") {
  const test::ScratchFolder folder;
  const Wisdom wisdom(folder.path());
  CHECK_FALSE(wisdom.best("matmul", "NVIDIA H200", "sm_90", {8, 8}).has_value());
  wisdom.add(record("matmul", {100, 100}, 1, "NVIDIA H100"));
  wisdom.add(record("matmul", {1000, 1000}, 2, "NVIDIA H100"));
  CHECK(best_seconds(wisdom, {200, 200}) == 1);
  CHECK(wisdom.best("matmul", "NVIDIA H200", "sm_90", {200, 200})->match == WisdomMatch::arch);
  wisdom.add(record("matmul", {100000, 100000}, 3));
  CHECK(best_seconds(wisdom, {200, 200}) == 3);
  CHECK(wisdom.best("matmul", "NVIDIA H200", "sm_90", {200, 200})->match == WisdomMatch::device);
  wisdom.add(record("matmul", {400, 100}, 4));
  wisdom.add(record("matmul", {200, 200}, 9));
  CHECK(best_seconds(wisdom, {200, 200}) == 9);
  CHECK(wisdom.best("matmul", "NVIDIA H200", "sm_90", {200, 200})->match == WisdomMatch::exact);
  CHECK(best_seconds(wisdom, {401, 99}) == 4);
  CHECK(best_seconds(wisdom, 200) == 0);  // of other dimensions nothing is known
  CHECK_FALSE(wisdom.best("matmul", "NVIDIA A100", "sm_80", {200, 200}).has_value());
}

TEST_CASE("of equally near records the same source comes first, then the better value of the last objective") {
  const test::ScratchFolder folder;
  const Wisdom wisdom(folder.path());
  wisdom.add(record("matmul", 8, 3));
  wisdom.add(record("matmul", 8, 2));
  wisdom.add(record("matmul", 8, 4));
  CHECK(best_seconds(wisdom, 8) == 2);
  WisdomRecord other = record("matmul", 8, 1);
  other.source = "4567";
  wisdom.add(other);
  CHECK(best_seconds(wisdom, 8) == 2);
  CHECK(best_seconds(wisdom, 8, "NVIDIA H200", "4567") == 1);
  WisdomRecord flops = record("matmul", 8, 5);
  flops.objective = "own";
  flops.is_largest_best = true;
  flops.date = "2027-01-01T00:00:00Z";
  flops.value = 10;
  wisdom.add(flops);
  flops.seconds = 6;
  flops.value = 20;
  wisdom.add(flops);
  CHECK(best_seconds(wisdom, 8) == 6);
}

TEST_CASE("a file is read again only when it has changed") {
  const test::ScratchFolder folder;
  WisdomFiles files(folder.path().string());
  files.append(record("k"));
  for (int i = 0; i < 3; ++i) CHECK(files.records("k").size() == 1);
  CHECK(files.reads() == 1);
  WisdomFiles(folder.path().string()).append(record("k"));
  CHECK(files.records("k").size() == 2);
  CHECK(files.reads() == 2);
  CHECK(files.records("none").empty());
  CHECK(files.reads() == 2);
}

TEST_CASE("many threads and processes append at once, and each line is whole") {
  const test::ScratchFolder folder;
  constexpr int writers = 4, lines = 50;
  const auto append = [&](int writer) {
    const Wisdom wisdom(folder.path());
    for (int i = 0; i < lines; ++i) wisdom.add(record("k", {writer + 1, i + 1}));
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < writers; ++i)
    threads.emplace_back([&, i] {
      if (i % 2 == 0) return append(i);
      CHECK(test::in_child([&] { return append(i), 0; }) == 0);
    });
  for (std::thread& thread : threads) thread.join();
  const Warnings warnings;
  CHECK(Wisdom(folder.path()).records("k").size() == writers * lines);
  CHECK(warnings.texts.empty());
}

TEST_CASE("a full disk is an error that names the file, and the next line begins anew") {
  const test::ScratchFolder folder;
  test::FaultFileSystem faults;
  WisdomFiles files(folder.path().string(), faults);
  files.append(record("k"));
  faults.limit_transfers(10);
  faults.fail_nth("write", 2, ENOSPC);  // ten bytes of the line are there then
  CHECK_THROWS_WITH_AS(files.append(record("k")), doctest::Contains("k.jsonl"), Error);
  faults.limit_transfers(0);
  files.append(record("k"));
  const Warnings warnings;
  CHECK(files.records("k").size() == 2);
  CHECK(warnings.texts.size() == 1);
}

TEST_CASE("a folder that cannot be written is an error, and reading it gives nothing") {
  const test::ScratchFolder folder;
  write(folder.path() / "file", "");
  const Wisdom wisdom(folder.path() / "file" / "folder");
  CHECK(wisdom.records("k").empty());
  CHECK(wisdom.keys().empty());
  CHECK_THROWS_WITH_AS(wisdom.add(record("k")), doctest::Contains("KILN_WISDOM_DIR"), Error);
  CHECK_THROWS_AS(wisdom.add(WisdomRecord()), ArgumentError);
}

TEST_CASE("merging adds what is new, and pruning leaves the best of each kind") {
  const test::ScratchFolder folder;
  const Wisdom here(folder.path() / "a"), there(folder.path() / "b");
  here.add(record("k", 8, 2));
  there.add(record("k", 8, 2));
  there.add(record("k", 8, 1));
  there.add(record("other"));
  CHECK(here.merge(there) == 2);
  CHECK(here.merge(there) == 0);
  CHECK(here.merge(Wisdom::from_text(there.text())) == 0);
  CHECK(here.prune() == 1);
  REQUIRE(here.records("k").size() == 1);
  CHECK(here.records("k")[0].seconds == 1);
  CHECK(here.keys() == std::vector<std::string>{"k", "other"});
  CHECK(here.prune() == 0);
}

TEST_CASE("wisdom in a program's text is read and grows in memory") {
  const Wisdom wisdom = Wisdom::from_text(wisdom_line(record("k", 8, 2)));
  CHECK(wisdom.folders().empty());
  const Wisdom copy = wisdom;
  copy.add(record("k", 8, 1));
  CHECK(wisdom.records("k").size() == 2);
  CHECK(wisdom.prune() == 1);
  CHECK(wisdom.records("k")[0].seconds == 1);
}

TEST_CASE("the environment names a folder that is written, and others that are read") {
  const test::ScratchFolder folder;
  const std::string mine = (folder.path() / "mine").string(), ours = (folder.path() / "ours").string();
  Wisdom(ours).add(record("k", 8, 1));
  test::EnvironmentGuard environment;
  environment.set("KILN_WISDOM_DIR", mine + ":" + ours);
  const Wisdom wisdom;
  wisdom.add(record("k", 8, 2));
  CHECK(wisdom.records("k").size() == 2);
  CHECK(wisdom.records("k")[0].seconds == 2);
  CHECK(content(folder.path() / "ours" / "k.jsonl") == wisdom_line(record("k", 8, 1)));
  environment.set("KILN_WISDOM_DIR", "");
  environment.set("XDG_DATA_HOME", mine);
  environment.set("XDG_DATA_DIRS", ours);
  const std::vector<std::filesystem::path> expected = {mine + "/kiln/wisdom", ours + "/kiln/wisdom"};
  CHECK(Wisdom().folders() == expected);
}

}  // namespace wisdom_test
