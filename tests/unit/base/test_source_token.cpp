#include "base/source_token.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace source_token_test {

using namespace kiln;

namespace {

/// The tokens, blanks left out.
std::vector<std::string> tokens(std::string_view text) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size();) {
    const SourceToken token = source_token(text, at);
    if (token.kind != SourceTokenKind::blank) found.emplace_back(text.substr(at, token.size));
    at += token.size;
  }
  return found;
}

SourceToken first(std::string_view text) { return source_token(text, 0); }

}  // namespace

TEST_CASE("words, numbers, literals and marks") {
  using Texts = std::vector<std::string>;
  CHECK(tokens("a1 = 1'000.5f+b;") == Texts{"a1", "=", "1'000.5f", "+", "b", ";"});
  CHECK(tokens(R"(f("a\"b", 'x', '\'');)") == Texts{"f", "(", R"("a\"b")", ",", "'x'", ",", R"('\'')", ")", ";"});
  CHECK(tokens("u8\"x\" LR\"a(\")\")a\"z") == Texts{"u8", "\"x\"", "LR\"a(\")\")a\"", "z"});
}

TEST_CASE("comments, and lines that go on") {
  using Texts = std::vector<std::string>;
  CHECK(tokens("a// b /* c\nd") == Texts{"a", "// b /* c", "\n", "d"});
  CHECK(tokens("// a \\\n b\nc") == Texts{"// a \\\n b", "\n", "c"});
  CHECK(tokens("a/* // \n */b") == Texts{"a", "/* // \n */", "b"});
  CHECK(tokens("a \\ \r\n b") == Texts{"a", "\\ \r\n", "b"});
  CHECK(tokens("\"a\\\nb\"c") == Texts{"\"a\\\nb\"", "c"});
}

TEST_CASE("a comment of blanks is read once") {  // an hour, where each of them looks for the last one
  const std::string comment = "//" + std::string(4'000'000, ' ');
  CHECK(first(comment).size == comment.size());
}

TEST_CASE("what does not end") {
  for (const char* text : {"\"abc", "'", "/* a", "R\"x(abc)y\"", "\"a\\"}) {
    CAPTURE(text);
    CHECK_FALSE(first(text).is_closed);
    CHECK(first(text).size == std::string_view(text).size());
  }
  CHECK(first("\"a\nb\"").size == 2);
  CHECK_FALSE(first("\"a\nb\"").is_closed);
  CHECK(first("R\"no paren").size == 2);  // not the rest of the text
  CHECK(first("// a").is_closed);
}

}  // namespace source_token_test
