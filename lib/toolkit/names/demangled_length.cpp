#include "toolkit/names/demangled_length.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace kiln {
namespace {

constexpr std::size_t longest_symbol = 32 * 1024;
constexpr std::uint64_t length_limit = 128 * 1024;  // names of CUB's and Thrust's kernels have up to 20,000
constexpr std::uint64_t too_long = length_limit + 1;

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return std::min(a + b, too_long); }
std::uint64_t product(std::uint64_t a, std::uint64_t b) { return std::min(a * b, too_long); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_one_of(char c, std::string_view set) { return c != '\0' && set.find(c) != std::string_view::npos; }

// The demangled length of a piece of a symbol.
struct Amount {
  std::uint64_t bytes = 0;      // of the symbol, with all that it refers to written out
  std::uint64_t arguments = 0;  // references to template arguments among that
};

Amount largest(const Amount& a, const Amount& b) {
  return {std::max(a.bytes, b.bytes), std::max(a.arguments, b.arguments)};
}

// Reads a symbol by the grammar of the Itanium ABI and numbers its parts, as far as kernels need it: expressions,
// conversion operators and the like are not known to it. Each function takes what it is named for; false stops all.
class SymbolReader {
 public:
  explicit SymbolReader(std::string_view symbol) : text_(symbol), at_(2) {}

  /// Not less than what the C++ library does for the symbol; nothing where the symbol is not understood.
  std::optional<std::uint64_t> length_bound() {
    const bool understood = encoding() && at_ == text_.size();
    if (is_too_long_) return too_long;
    if (!understood) return std::nullopt;
    // A reference to an argument may stand for all arguments of the longest list. Those may refer to arguments in turn
    // where a function within a function is named: to the outer one's.
    std::uint64_t argument = arguments_.bytes;
    for (std::size_t i = 0; i < scopes_ && argument < too_long; ++i)
      argument = sum(arguments_.bytes, product(arguments_.arguments, argument));
    std::uint64_t total = sum(so_far_.bytes, product(so_far_.arguments, argument));
    for (std::size_t i = 0; i < repeated_packs_ && total < too_long; ++i) total = product(total, longest_pack_);
    return total;
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  bool add(const Amount& more) {
    so_far_ = {so_far_.bytes + more.bytes, so_far_.arguments + more.arguments};
    is_too_long_ = is_too_long_ || so_far_.bytes > length_limit;
    return !is_too_long_;
  }

  bool take(std::size_t count) {
    if (count == 0 || count > text_.size() - at_) return false;
    at_ += count;
    return add({count, 0});
  }
  bool accept(char c) { return peek() == c && take(1); }

  void take_digits() {
    while (is_digit(peek())) (void)take(1);
  }

  /// All since `start` is a part now, which may be referred to.
  bool keep(const Amount& start) {
    parts_.push_back(since(start));
    return true;
  }

  Amount since(const Amount& start) const { return {so_far_.bytes - start.bytes, so_far_.arguments - start.arguments}; }

  bool source_name() {
    std::size_t size = 0;
    for (; is_digit(peek()) && size <= text_.size(); ++at_) size = size * 10 + static_cast<std::size_t>(peek() - '0');
    return take(size);
  }

  // Digits and capitals, and an underscore.
  bool number(std::size_t& value) {
    value = 0;
    for (; is_digit(peek()) || is_capital(peek()); ++at_) {
      value = value * 36 + static_cast<std::size_t>(is_digit(peek()) ? peek() - '0' : peek() - 'A' + 10) + 1;
      if (value > longest_symbol) return false;
    }
    return accept('_');
  }

  bool reference_to_part() {
    std::size_t index = 0;
    if (!accept('S') || !number(index)) return false;
    // Compilers and libraries differ in whether an unnamed type counts.
    Amount part;
    const std::size_t first = index - std::min(index, unnamed_);
    for (std::size_t i = first; i <= index + unnamed_ && i < parts_.size(); ++i) part = largest(part, parts_[i]);
    return first < parts_.size() && add(part);
  }

  bool reference_to_argument() {
    std::size_t index = 0;
    return accept('T') && number(index) && add({0, 1});
  }

  /// One level down. The C++ library goes down as deep, and needs up to 1 KB of stack for each.
  bool enter() {
    is_too_long_ = is_too_long_ || ++depth_ > deepest;
    return !is_too_long_;
  }

  bool encoding() {
    if (!enter() || !name()) return false;
    while (at_ < text_.size() && peek() != 'E')
      if (!type()) return false;
    --depth_;
    return true;
  }

  bool name() {
    const Amount start = so_far_;
    if (peek() == 'N') return nested_name();
    if (peek() == 'Z') return local_name();
    const bool is_part = peek() == 'S' && peek(1) != 't';
    if (is_part ? !standard_or_part() : !((peek() != 'S' || take(2)) && unqualified_name())) return false;
    if (peek() != 'I') return true;
    return (is_part || keep(start)) && template_arguments();
  }

  // "St" is std, "Sa" and others are classes of it, "Ss" that of strings with all its arguments.
  bool standard_or_part() {
    constexpr std::uint64_t longest_class = 64;
    if (is_lower(peek(1))) return is_one_of(peek(1), "tabsiod") && take(2) && add({longest_class, 0});
    return reference_to_part();
  }

  bool nested_name() {
    if (!accept('N')) return false;
    while (is_one_of(peek(), "rVKRO")) (void)take(1);
    const Amount start = so_far_;
    while (peek() != 'E') {
      const char first = peek();
      const bool known = first == 'S'   ? standard_or_part()
                         : first == 'I' ? template_arguments()
                         : first == 'T' ? reference_to_argument()
                                        : unqualified_name();
      if (!known) return false;
      if (first != 'S' && peek() != 'E') (void)keep(start);
    }
    return accept('E');
  }

  bool local_name() {
    ++scopes_;
    return accept('Z') && encoding() && accept('E') && (accept('s') || name()) && discriminator();
  }

  // Which of several entities of one name in a function: "_3", "__12_". Often none.
  bool discriminator() {
    if (peek() != '_') return !is_too_long_;
    if (peek(1) != '_') return take(1) && is_digit(peek()) && take(1);
    if (!take(2)) return false;
    take_digits();
    return accept('_');
  }

  bool unqualified_name() {
    if (peek() == 'L' && is_digit(peek(1))) (void)take(1);  // of its own file
    const bool known = is_digit(peek())   ? source_name()
                       : is_lower(peek()) ? operator_name()
                       : peek() == 'C'    ? is_one_of(peek(1), "123") && take(2)
                                          : unnamed_type();
    while (known && peek() == 'B')
      if (!take(1) || !source_name()) return false;
    return known;
  }

  // "cv" has a type after it, "li" a name, "on" another operator.
  bool operator_name() {
    const std::string_view code = text_.substr(at_, 2);
    return code != "cv" && code != "li" && code != "on" && take(2);
  }

  // A lambda with its parameters, or a class without a name.
  bool unnamed_type() {
    const Amount start = so_far_;
    ++unnamed_;
    if (peek() != 'U' || !is_one_of(peek(1), "lt")) return false;
    const bool is_lambda = peek(1) == 'l';
    if (!take(2)) return false;
    while (is_lambda && peek() != 'E')
      if (!type()) return false;
    if (is_lambda && !accept('E')) return false;
    take_digits();
    return accept('_') && keep(start);
  }

  bool template_arguments() {
    const Amount start = so_far_;
    if (!enter() || !take(1)) return false;
    std::uint64_t count = 0;
    for (; peek() != 'E'; ++count) {
      const char first = peek();
      if (!(first == 'L' ? literal() : first == 'I' || first == 'J' ? template_arguments() : type())) return false;
    }
    --depth_;
    longest_pack_ = std::max(longest_pack_, count);
    arguments_ = largest(arguments_, since(start));
    return accept('E');
  }

  // "Li5E", "LN3cub4LoadE0E"
  bool literal() {
    if (!accept('L') || !type()) return false;
    while (is_digit(peek()) || is_lower(peek())) (void)take(1);
    return accept('E');
  }

  bool type() {
    if (!enter()) return false;
    const Amount start = so_far_;
    bool is_part = true;
    if (!type_itself(is_part)) return false;
    --depth_;
    return !is_part || keep(start);
  }

  bool type_itself(bool& is_part) {
    const char c = peek();
    if (is_one_of(c, "rVK")) {
      while (is_one_of(peek(), "rVK")) (void)take(1);
      return type();
    }
    if (is_digit(c) || c == 'N' || c == 'Z') return name();
    if (is_lower(c)) return is_part = false, is_one_of(c, "abcdefghijlmnostvwxyz") && take(1);
    if (is_one_of(c, "PROCG")) return take(1) && type();
    switch (c) {
      case 'F':
        return function_type();
      case 'A':
        return array_type();
      case 'M':
        return take(1) && type() && type();
      case 'D':
        return type_of_two_letters(is_part);
      case 'S':
        return type_by_part(is_part);
      case 'T': {
        const Amount start = so_far_;
        if (!reference_to_argument()) return false;
        return peek() != 'I' || (keep(start) && template_arguments());
      }
      default:
        return false;
    }
  }

  bool function_type() {
    if (!accept('F')) return false;
    if (peek() == 'Y') (void)take(1);
    while (peek() != 'E' && !(is_one_of(peek(), "RO") && peek(1) == 'E'))
      if (!type()) return false;
    return (peek() == 'E' || take(1)) && accept('E');
  }

  bool array_type() {
    if (!accept('A')) return false;
    take_digits();
    return accept('_') && type();
  }

  bool type_of_two_letters(bool& is_part) {
    if (peek(1) == 'p') {
      const std::size_t inner = at_ + 2;
      if (!take(2) || !type()) return false;
      // "DpT_" is the pack itself; anything else, "DpT_IiE" too, is written once for each of the pack's elements.
      repeated_packs_ += text_[inner] == 'T' && text_[at_ - 1] == '_' ? 0 : 1;
      return true;
    }
    is_part = false;
    return is_one_of(peek(1), "defhinsu") && take(2);
  }

  bool type_by_part(bool& is_part) {
    if (is_lower(peek(1))) {
      is_part = peek(1) == 't' || peek(2) == 'I';
      return name();
    }
    if (!reference_to_part()) return false;
    is_part = peek() == 'I';
    return !is_part || template_arguments();
  }

  static constexpr int deepest = 256;

  std::string_view text_;
  std::size_t at_;
  int depth_ = 0;
  bool is_too_long_ = false;
  std::size_t scopes_ = 0;
  std::size_t unnamed_ = 0;
  std::size_t repeated_packs_ = 0;
  std::uint64_t longest_pack_ = 1;
  Amount arguments_;  // the most of any list of template arguments
  Amount so_far_;
  std::vector<Amount> parts_;
};

// For what SymbolReader does not know: whether little can come of it, whatever is a reference and what is a letter.
bool has_few_references(std::string_view symbol) {
  constexpr std::size_t most_bytes = 2048;
  constexpr std::size_t most_references = 8;
  std::size_t references = 0;
  std::size_t packs = 0;
  for (std::size_t at = 0; at + 1 < symbol.size(); ++at) {
    const std::string_view code = symbol.substr(at, 2);
    packs += code == "Dp" || code == "sp" ? 1 : 0;
    if (symbol[at] != 'S' && symbol[at] != 'T') continue;
    std::size_t end = at + 1;
    while (end < symbol.size() && (is_digit(symbol[end]) || is_capital(symbol[end]))) ++end;
    references += end < symbol.size() && symbol[end] == '_' ? 1 : 0;
  }
  return symbol.size() <= most_bytes && references <= most_references && packs <= 1;
}

bool is_symbol_character(char c) {
  return is_digit(c) || is_capital(c) || is_lower(c) || is_one_of(c, "_$.") || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

bool is_readable_symbol(std::string_view symbol) {
  if (symbol.substr(0, 2) != "_Z") return false;
  if (symbol.size() > longest_symbol || !std::all_of(symbol.begin(), symbol.end(), is_symbol_character)) return false;
  if (const auto length = SymbolReader(symbol).length_bound()) return *length <= length_limit;
  return has_few_references(symbol);
}

}  // namespace kiln
