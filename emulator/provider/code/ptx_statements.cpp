#include "emulator/provider/code/ptx_statements.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kiln::emulator {
namespace {

struct Token {
  enum class Kind { word, string, punctuation, end };
  Kind kind = Kind::end;
  std::size_t begin = 0, end = 0;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Words are identifiers, numbers and directives with their dot.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  Token next() {
    skip_blank();
    Token token{Token::Kind::end, at_, at_};
    if (at_ == text_.size()) return token;
    const char first = text_[at_++];
    if (first == '"') {
      token.kind = Token::Kind::string;
      while (at_ < text_.size() && text_[at_++] != '"') at_ += text_[at_ - 1] == '\\' && at_ < text_.size() ? 1 : 0;
    } else if (is_letter(first) || is_digit(first) || first == '.') {
      token.kind = Token::Kind::word;
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    } else {
      token.kind = Token::Kind::punctuation;
    }
    token.end = at_;
    return token;
  }
  std::string_view text(const Token& token) const { return text_.substr(token.begin, token.end - token.begin); }
  /// The next character after blanks and comments; zero at the end.
  char peek() {
    skip_blank();
    return at_ == text_.size() ? '\0' : text_[at_];
  }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  std::size_t position() const { return at_; }

 private:
  void skip_blank() {
    while (at_ < text_.size()) {
      if (text_[at_] == ' ' || (text_[at_] >= '\t' && text_[at_] <= '\r'))
        ++at_;
      else if (text_.substr(at_, 2) == "//")
        skip_line();
      else if (text_.substr(at_, 2) == "/*")
        at_ = text_.find("*/", at_ + 2) == std::string_view::npos ? text_.size() : text_.find("*/", at_ + 2) + 2;
      else
        return;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Directives of one line, without a semicolon.
constexpr std::pair<std::string_view, PtxStatement::Kind> line_directives[] = {
    {".version", PtxStatement::Kind::version},
    {".target", PtxStatement::Kind::target},
    {".address_size", PtxStatement::Kind::address_size},
    {".file", PtxStatement::Kind::file},
};

// Reads the words before the name, and the name.
class StatementReader {
 public:
  StatementReader(Tokens& tokens, PtxStatement& statement) : tokens_(tokens), statement_(statement) {}

  void read(Token token) {
    bool first = true;
    for (; token.kind != Token::Kind::end; token = tokens_.next(), first = false) {
      const std::string_view text = tokens_.text(token);
      if (token.kind == Token::Kind::word && depth_ == 0) take_word(text);
      if (first && ends_with_line(text)) return;
      if (token.kind == Token::Kind::punctuation && ends_at(text.front())) return;
    }
  }

 private:
  bool ends_with_line(std::string_view text) {
    const auto directive = std::find_if(std::begin(line_directives), std::end(line_directives),
                                        [&](const auto& row) { return row.first == text; });
    if (directive == std::end(line_directives)) return false;
    statement_.kind = directive->second;
    tokens_.skip_line();
    return true;
  }

  void take_word(std::string_view text) {
    using Kind = PtxStatement::Kind;
    if (text == ".extern") statement_.is_extern = true;
    if (text == ".weak" || text == ".common") statement_.is_weak = true;
    if (text == ".visible" || text == ".entry") statement_.is_visible = true;  // kernels are always visible
    if (text == ".section") statement_.kind = Kind::section;
    if (text == ".func" || text == ".entry") statement_.kind = Kind::function_head;
    if (text == ".global" || text == ".const" || text == ".shared" || text == ".tex") statement_.kind = Kind::variable;
    if (is_letter(text.front()) && statement_.name.empty()) statement_.name = text;
  }

  bool ends_at(char mark) {
    if (mark == '(' || mark == '{' || mark == '[') ++depth_;
    if (mark == ')' || mark == '}' || mark == ']') --depth_;
    if (depth_ != 0) return false;
    if (mark == ';') return true;
    if (mark != '}' || statement_.kind == PtxStatement::Kind::variable) return false;  // the end of an initial value
    if (statement_.kind == PtxStatement::Kind::function_head) statement_.kind = PtxStatement::Kind::function;
    return true;
  }

  Tokens& tokens_;
  PtxStatement& statement_;
  int depth_ = 0;
};

}  // namespace

std::vector<PtxStatement> statements_of(std::string_view ptx) {
  std::vector<PtxStatement> statements;
  Tokens tokens(ptx);
  for (;;) {
    const std::size_t begin = tokens.position();
    const Token first = tokens.next();
    PtxStatement statement;
    if (first.kind == Token::Kind::end) {
      statement.text = ptx.substr(begin);  // trailing comments, such as Kiln's copy of the source
      statements.push_back(statement);
      return statements;
    }
    StatementReader(tokens, statement).read(first);
    statement.text = ptx.substr(begin, tokens.position() - begin);
    statements.push_back(statement);
  }
}

std::string renamed(std::string_view ptx, const std::map<std::string_view, std::string>& names) {
  std::string out;
  std::size_t done = 0;
  Tokens tokens(ptx);
  for (Token token = tokens.next(); token.kind != Token::Kind::end; token = tokens.next()) {
    if (token.kind != Token::Kind::word) continue;
    const auto found = names.find(tokens.text(token));
    if (found == names.end()) continue;
    out.append(ptx.substr(done, token.begin - done)).append(found->second);
    done = token.end;
  }
  return out.append(ptx.substr(done));
}

}  // namespace kiln::emulator
