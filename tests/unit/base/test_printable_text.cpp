#include "base/printable_text.hpp"

#include "base/json_value.hpp"
#include "base/log.hpp"
#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <string>

namespace printable_text_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const std::string red = "\x1b[31mred\x1b[0m";

}  // namespace

TEST_CASE("what controls a terminal is replaced, and all else stays") {
  CHECK(printable_text("") == "");
  CHECK(printable_text("plain\n\ttext, \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\n") ==
        "plain\n\ttext, \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\n");
  CHECK(printable_text(red) == "?[31mred?[0m");
  CHECK(printable_text(std::string("a\0b\a\b\v\f\x7f", 8)) == "a?b?????");
  CHECK(printable_text("a\r\nb\rc\r") == "a\nb?c?");  // a line's end of Windows is one
  CHECK(printable_text("\xc2\x9b"
                       "31m") == "?31m");  // the second set, as UTF-8 writes it
  CHECK(printable_text("\x9b"
                       "31m \xe4") == "?31m \xe4");  // and as Latin-1 does
  CHECK(printable_text("\xe2\x80\xae"
                       "gnp.exe") == "?gnp.exe");  // what follows would be read from the right
}

TEST_CASE("a word within a message is one line, and is cut between characters") {
  CHECK(printable_word("a\nkiln: all is well\t!") == "a?kiln: all is well !");
  CHECK(printable_word(std::string(200, 'x')) == std::string(200, 'x'));
  CHECK(printable_word(std::string(3'000'000, 'x')) == std::string(200, 'x') + "...");
  CHECK(printable_word("a\xe2\x82\xac"
                       "b",
                       3) == "a...");
  CHECK(printable_word("a\xe2\x82\xac"
                       "b",
                       4) == "a\xe2\x82\xac...");
  CHECK(printable_word(std::string(10, '\x80'), 5).size() <= 8);
  CHECK(printable_line(std::string(3000, 'x') + "\n") == std::string(3000, 'x') + "?");
}

TEST_CASE("JSON keeps its meaning") {
  const std::string text = "\x7f \xc2\x9b \xe2\x80\xae \xc3\xa4";
  const std::string json = "{\n \"a\": \"" + text + "\"\n}";
  const std::string printable = printable_json(json);
  CHECK(printable_text(printable) == printable);
  CHECK(printable.find("\\u009b") != std::string::npos);
  CHECK(json_get<std::string>(parsed_json(printable), "a") == text);
}

TEST_CASE("no error and no line of the log has a control character, from any part of Kiln") {
  CHECK(std::string(Error("the file " + red).what()) == "the file ?[31mred?[0m");
  CHECK(std::string(CompileError("of " + red, red, {}).what()) == "of ?[31mred?[0m");
  CHECK(CompileError("of " + red, red, {}).log() == red);  // "the compiler's own text, unchanged"
  const ScratchFolder folder;
  const int status = in_child([&] {
    const int file = ::open((folder / "log").c_str(), O_WRONLY | O_CREAT, 0600);
    if (::dup2(file, STDERR_FILENO) < 0) return 1;
    log_message(LogLevel::warn, "the key " + red);
    return 0;
  });
  CHECK(status == 0);
  CHECK(folder.read("log") == "kiln: warning: the key ?[31mred?[0m\n");
}

}  // namespace printable_text_test
