#include "worker/dependencies/read_record.hpp"

#include "worker/dependencies/file_recording.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace read_record_test {

using namespace kiln;

namespace {

class Area {
 public:
  /// With room for so many bytes of questions.
  explicit Area(std::size_t room) : words_((sizeof(RecordArea) + room) / sizeof(std::uint64_t)) {
    area().capacity = room;
  }

  RecordArea& area() { return *reinterpret_cast<RecordArea*>(words_.data()); }
  std::size_t size() const { return words_.size() * sizeof(std::uint64_t); }
  ReadRecord read() { return read_record(area(), size()); }

  RecordedQuestion* add(const std::string& path, FileQuestion::Answer answer, bool opened = false,
                        Asker asker = Asker::nvrtc) {
    RecordedQuestion* question = area().reserve(path.size());
    if (question == nullptr) return nullptr;
    std::memcpy(path_of(question), path.c_str(), path.size() + 1);
    question->answer = static_cast<std::uint8_t>(answer);
    question->is_opened = opened ? 1 : 0;
    question->asker = asker;
    question->is_whole = 1;
    return question;
  }

 private:
  std::vector<std::uint64_t> words_;
};

using Answer = FileQuestion::Answer;

}  // namespace

TEST_CASE("a program that does not export the recording calls records nothing, and says so") {
  FileRecording recording;
  const FileRecord record = recording.take();
  CHECK(record.questions.empty());
  CHECK(record.gap == "this program does not record which files a compiler asks for; kiln-worker does");
}

TEST_CASE("questions come once, in order, with what any asker did") {
  Area area(4096);
  area.add("/a", Answer::absent, false, Asker::other);
  area.add("/b", Answer::file, false, Asker::nvidia);
  area.add("/a", Answer::absent, false, Asker::host_compiler);
  area.add("/b", Answer::file, true, Asker::host_compiler);
  area.add("/b", Answer::absent, false, Asker::other);
  const ReadRecord read = area.read();
  CHECK(read.record.gap.empty());
  const std::vector<FileQuestion> expected = {
      {"/a", Answer::absent, false, true}, {"/b", Answer::file, true, true}, {"/b", Answer::absent, false, false}};
  CHECK(read.record.questions == expected);
  CHECK(read.read_by_host_compiler.size() == 1);
  CHECK(read.read_by_host_compiler.count("/b") == 1);
}

TEST_CASE("a file that was found and could not be opened is unreadable, and that alone") {
  Area area(4096);
  area.add("/a", Answer::file);
  area.add("/a", Answer::unreadable);
  area.add("/a", Answer::file);
  area.add("/b", Answer::file, true);
  area.add("/b", Answer::unreadable);
  const std::vector<FileQuestion> expected = {{"/a", Answer::unreadable, false, true},
                                              {"/b", Answer::file, true, true},
                                              {"/b", Answer::unreadable, false, true}};
  CHECK(area.read().record.questions == expected);
}

TEST_CASE("a file is the one that was seen first, and another one is noticed") {
  Area area(4096);
  const auto met = [&](const std::string& path, std::uint64_t inode, std::uint8_t content) {
    RecordedQuestion* question = area.add(path, Answer::file, true);
    question->has_state = question->has_content = 1;
    question->state[1] = inode;
    question->content[0] = content;
    question->time_ns = static_cast<std::int64_t>(inode);
  };
  met("/same", 1, 1);
  met("/same", 1, 1);
  area.add("/same", Answer::file);
  met("/another", 1, 1);
  met("/another", 2, 1);
  met("/edited", 1, 1);
  met("/edited", 1, 2);
  RecordedQuestion* glance = area.add("/", Answer::file);
  glance->is_glance = glance->has_state = 1;
  glance->state[1] = 9;
  area.add("/gone", Answer::file)->is_glance = 1;
  const FileRecord record = area.read().record;
  REQUIRE(record.questions.size() == 3);
  CHECK(record.questions[0].seen == SeenState{{0, 1, 0, 0, 0}, 1});
  CHECK(record.questions[0].content->bytes[0] == 1);
  CHECK_FALSE(record.questions[0].differs);
  CHECK(record.questions[1].differs);
  CHECK(record.questions[1].seen->state[1] == 1);
  CHECK(record.questions[2].differs);
  CHECK(record.seen == std::unordered_map<std::string, SeenState>{{"/", {{0, 9, 0, 0, 0}, 0}}});
}

TEST_CASE("what is asked of the system is no question about files, but a descriptor may be a source") {
  Area area(4096);
  for (const char* path : {"/dev/urandom", "/dev/null", "/proc/self/exe", "/proc/meminfo"})
    area.add(path, Answer::other, true);
  area.add("/proc/self/fd/3", Answer::other, true);
  const std::vector<FileQuestion> expected = {{"/proc/self/fd/3", Answer::other, true, true}};
  CHECK(area.read().record.questions == expected);
}

TEST_CASE("the clock counts where a compiler read it") {
  Area area(4096);
  area.add("", Answer::file, false, Asker::other)->is_clock = 1;
  CHECK(!area.read().record.asked_time);
  area.add("", Answer::file, false, Asker::host_compiler)->is_clock = 1;
  CHECK(area.read().record.asked_time);
  CHECK(area.read().record.questions.empty());
}

TEST_CASE("a record that is full, or that a program left in its middle, has a gap") {
  Area full(256);
  while (full.add("/some/path", Answer::absent) != nullptr) {
  }
  CHECK(full.read().record.gap.find("more files") != std::string::npos);
  Area cut(4096);
  cut.add("/a", Answer::absent)->is_whole = 0;
  CHECK(cut.read().record.gap.find("ended while it wrote") != std::string::npos);
  Area odd(4096);
  odd.area().lose(record_has_odd_error);
  CHECK(odd.read().record.gap.find("too many open files") != std::string::npos);
}

TEST_CASE("any bytes are read within their bounds") {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    Area area(512);
    area.add("/path", Answer::file);
    area.add("/other/path", Answer::absent);
    auto* bytes = reinterpret_cast<unsigned char*>(&area.area());
    for (int change = 0; change < 4; ++change) bytes[random() % area.size()] = static_cast<unsigned char>(random());
    CHECK(area.read().record.questions.size() <= area.size() / sizeof(RecordedQuestion));
  }
}

}  // namespace read_record_test
