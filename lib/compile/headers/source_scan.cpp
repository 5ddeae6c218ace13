#include "compile/headers/source_scan.hpp"

#include "base/source_token.hpp"
#include "base/text_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace kiln {

namespace {

/// The text with lines that end in a backslash joined to the next ones.
std::string spliced(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = splice_size(text, at);
    if (size == 0) out.push_back(text[at]);
    at += std::max<std::size_t>(size, 1);
  }
  return out;
}

bool ends_in_has_include(std::string_view word) {
  constexpr std::string_view wanted = "has_include";
  if (word.size() < wanted.size()) return false;
  word.remove_prefix(word.size() - wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const char lower = word[i] >= 'A' && word[i] <= 'Z' ? static_cast<char>(word[i] - 'A' + 'a') : word[i];
    if (lower != wanted[i]) return false;
  }
  return true;
}

/// The words that may stand before a declaration's type, or end what is before it; empty for the text's beginning.
bool begins_declaration(std::string_view before) {
  constexpr std::string_view words[] = {"", ";", "{", "}", "static", "extern"};
  return std::find(std::begin(words), std::end(words), before) != std::end(words);
}
bool names_type(std::string_view before) {
  constexpr std::string_view words[] = {"struct", "class", "union", "enum", "using", "typename", "define"};
  return std::find(std::begin(words), std::end(words), before) != std::end(words);
}

/// What a text does with the word `texture` or `surface`.
struct ReferenceWord {
  std::string_view word;
  bool declares = false;
  bool is_own = false;
  bool is_used_otherwise = false;

  void read(std::string_view before, bool is_template) {
    declares |= is_template && begins_declaration(before);
    is_own |= names_type(before);
    is_used_otherwise |= !is_template || before == "typedef";
  }
};

/// A header's name in a text, with its quotes or brackets.
struct HeaderMention {
  HeaderName header;
  std::size_t begin;
  std::size_t end;
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<HeaderMention> header_mentions() {
    run();
    return std::move(mentions_);
  }

  SourceScan run() {
    bool line_start = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        if (in_directive_) before_ = {};
        in_directive_ = false;
        line_start = true;
        ++at_;
      } else if (skip_blank_or_comment()) {
        // a comment before '#' still leaves the line's start
      } else if (line_start && (c == '#' || text_.substr(at_, 2) == "%:")) {
        at_ += c == '#' ? 1 : 2;
        in_directive_ = true;
        directive();
        line_start = false;
      } else {
        line_start = false;
        const std::size_t begin = at_;
        token();
        earlier_ = std::exchange(before_, text_.substr(begin, at_ - begin));
      }
    }
    scan_.declares_texture = texture_.declares && !texture_.is_own;
    scan_.declares_surface = surface_.declares && !surface_.is_own;
    scan_.uses_reference_words = texture_.is_used_otherwise || surface_.is_used_otherwise;
    return std::move(scan_);
  }

 private:
  bool skip_blank_or_comment() {
    const SourceToken next = source_token(text_, at_);
    using Kind = SourceTokenKind;
    if (next.kind != Kind::blank && next.kind != Kind::splice && next.kind != Kind::comment) return false;
    at_ += next.size;
    return true;
  }
  void skip_blanks_and_comments() {
    while (at_ < text_.size() && skip_blank_or_comment()) {
    }
  }

  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_of_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void directive() {
    skip_blanks_and_comments();
    const std::string_view name = word();
    before_ = name;
    if (name == "include" || name == "include_next" || name == "import") {
      skip_blanks_and_comments();
      if (!header_name(scan_.includes)) {
        scan_.macro_include = true;
      } else {
        scan_.includes.back().next = mentions_.back().header.next = name == "include_next";
      }
    } else if (name == "embed") {
      skip_blanks_and_comments();
      if (!header_name(scan_.has_includes)) scan_.macro_include = true;
    }
  }

  bool header_name(std::vector<HeaderName>& names) {
    if (at_ >= text_.size() || (text_[at_] != '<' && text_[at_] != '"')) return false;
    const bool quoted = text_[at_] == '"';
    const std::size_t end = text_.find_first_of(quoted ? "\"\n" : ">\n", at_ + 1);
    if (end == std::string_view::npos || text_[end] == '\n') return false;
    names.push_back({std::string(text_.substr(at_ + 1, end - at_ - 1)), quoted});
    mentions_.push_back({names.back(), at_, end + 1});
    at_ = end + 1;
    return true;
  }

  void token() {
    const SourceToken next = source_token(text_, at_);
    if (next.kind == SourceTokenKind::word)
      identifier();
    else
      at_ += next.size;
  }

  void identifier() {
    const std::size_t begin = at_;
    const std::string_view name = word();
    if (name == texture_.word || name == surface_.word) {
      reference_word(name == texture_.word ? texture_ : surface_, begin);
    } else if (begins_declaration(before_) && is_typedef(name)) {
      const std::size_t end = at_;
      skip_blanks_and_comments();
      if (at_ < text_.size() && is_of_word(text_[at_])) scan_.references.push_back(begin);
      at_ = end;
    }
    if (name == "__TIME__" || name == "__DATE__" || name == "__TIMESTAMP__") {
      scan_.uses_time = true;
    } else if (name == "__FILE__" || name == "__BASE_FILE__" || name == "__builtin_FILE" ||
               contains(name, "source_location")) {
      scan_.uses_own_path = true;
    } else if (ends_in_has_include(name)) {
      has_include();
    }
  }

  bool is_typedef(std::string_view name) const {
    return std::find(typedefs_.begin(), typedefs_.end(), name) != typedefs_.end();
  }

  void reference_word(ReferenceWord& reference, std::size_t begin) {
    const std::size_t end = at_;
    skip_blanks_and_comments();
    const bool is_template = at_ < text_.size() && text_[at_] == '<';
    reference.read(before_, is_template);
    if (is_template && begins_declaration(before_)) scan_.references.push_back(begin);
    if (is_template && before_ == "typedef") note_typedef(reference);
    at_ = end;
  }

  /// What the typedef's last word names is declared as references are.
  void note_typedef(ReferenceWord& reference) {
    std::string_view last;
    while (at_ < text_.size() && text_[at_] != ';') {
      if (skip_blank_or_comment()) continue;
      if (is_of_word(text_[at_]))
        last = word();
      else
        ++at_;
    }
    reference.declares = true;
    typedefs_.push_back(last);
  }

  void has_include() {
    skip_blanks_and_comments();
    if (at_ >= text_.size() || text_[at_] != '(') {
      const bool asks_whether_there_is_one = before_ == "defined" || (before_ == "(" && earlier_ == "defined") ||
                                             (before_.ends_with("def") && in_directive_);
      scan_.macro_has_include |= !asks_whether_there_is_one;  // "#define HI __has_include"
      return;
    }
    ++at_;
    skip_blanks_and_comments();
    if (!header_name(scan_.has_includes)) scan_.macro_has_include = true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view before_;   // the token before this one; empty at the text's beginning and behind a directive
  std::string_view earlier_;  // the one before that
  bool in_directive_ = false;
  ReferenceWord texture_{"texture"};
  ReferenceWord surface_{"surface"};
  std::vector<std::string_view> typedefs_;  // of references
  std::vector<HeaderMention> mentions_;
  SourceScan scan_;
};

bool mentions_files(std::string_view text) {
  return contains(text, "include") || contains(text, "INCLUDE") || contains(text, "import") || contains(text, "embed");
}

bool mentions_place(std::string_view text) {
  return contains(text, "FILE") || contains(text, "assert") || contains(text, "source_location") ||
         contains(text, "##");
}

}  // namespace

SourceScan scan_source(std::string_view text) {
  if (!contains(text, "\\")) return Scanner(text).run();
  const std::string joined = spliced(text);
  return Scanner(joined).run();
}

// Lines are not joined, as the text keeps them: a word that goes on in the next line is not known.
std::string annotate_references(std::string_view text) {
  std::string annotated;
  std::size_t from = 0;
  for (const std::size_t at : Scanner(text).run().references) {
    annotated.append(text.substr(from, at - from)).append("__constant__ ");
    from = at;
  }
  return annotated.append(text.substr(from));
}

std::string replace_header_names(std::string_view text,
                                 const std::function<std::optional<std::string>(const HeaderName&)>& replacement) {
  std::string replaced;
  std::size_t from = 0;
  for (const HeaderMention& mention : Scanner(text).header_mentions()) {
    const auto name = replacement(mention.header);
    if (!name) continue;
    replaced.append(text.substr(from, mention.begin - from)).append(*name);
    from = mention.end;
  }
  return replaced.append(text.substr(from));
}

bool may_include(std::string_view text) {
  if (mentions_files(text)) return true;
  return contains(text, "\\") && mentions_files(spliced(text));
}

bool may_use_own_path(std::string_view text) {
  if (mentions_place(text)) return true;
  return contains(text, "\\") && mentions_place(spliced(text));
}

}  // namespace kiln
