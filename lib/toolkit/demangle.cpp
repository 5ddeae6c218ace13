#include "toolkit/kernel_name.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace kiln {
namespace {

// A symbol of a few hundred bytes can stand for a name of any length, because it may refer to its own parts, whose
// references are then written out again. The C++ library writes all of it, so a symbol is looked over first. Symbols of
// CUB and Thrust are of 100 to 10,000 bytes and weigh up to 100,000.
constexpr std::size_t longest_symbol = 32 * 1024;
constexpr std::uint64_t weight_limit = 4 * 1024 * 1024;

bool is_symbol_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::uint64_t too_heavy = weight_limit + 1;
std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return std::min(a + b, too_heavy); }
std::uint64_t product(std::uint64_t a, std::uint64_t b) { return std::min(a * b, too_heavy); }

// Not less than the parts of the name that a symbol stands for, with all that it refers to written out. It is read byte
// by byte and not parsed: what only looks like a reference counts as one.
class Weight {
 public:
  explicit Weight(std::string_view symbol) : symbol_(symbol) {}

  std::uint64_t run() {
    for (at_ = 0; at_ < symbol_.size() && so_far_.bytes <= weight_limit; ++at_) {
      so_far_.bytes = sum(so_far_.bytes, 1);
      std::uint64_t number = 0;
      if (symbol_[at_] == 'S' && read_number(at_ + 1, number)) refer_to_part(number);
      if (symbol_[at_] == 'T' && read_number(at_ + 1, number)) so_far_.arguments = sum(so_far_.arguments, 1);
    }
    // An argument may be all of a template's arguments; where a function within a function is named, with those of the
    // outer one for each of the inner one's.
    std::uint64_t weight = so_far_.bytes;
    const auto scopes = std::count(symbol_.begin(), symbol_.end(), 'Z');
    for (std::ptrdiff_t i = 0; i < scopes && weight < too_heavy; ++i)
      weight = sum(weight, product(weight, so_far_.arguments));
    // What holds a pack is written for each of the pack's elements, of which each takes a byte.
    for (std::size_t i = repeated_packs(); i > 0 && weight < too_heavy; --i) weight = product(weight, symbol_.size());
    return weight;
  }

 private:
  struct Amount {
    std::uint64_t bytes = 0;
    std::uint64_t arguments = 0;  // references to template arguments
  };

  // The number of a part or an argument: digits and capitals, and an underscore. Nothing for anything else.
  bool read_number(std::size_t at, std::uint64_t& number) const {
    number = 0;
    for (; at < symbol_.size(); ++at) {
      const char c = symbol_[at];
      if (c == '_') return true;
      const bool digit = c >= '0' && c <= '9';
      if (!digit && !(c >= 'A' && c <= 'Z')) return false;
      number = number * 36 + static_cast<std::uint64_t>(digit ? c - '0' : c - 'A' + 10) + 1;
      if (number > longest_symbol) return false;  // there are no such parts
    }
    return false;
  }

  // A part is complete when it, or a later one, is referred to for the first time: it weighs no more than all that is
  // before that.
  void refer_to_part(std::uint64_t number) {
    if (number >= parts_.size()) parts_.resize(static_cast<std::size_t>(number) + 1, so_far_);
    const Amount& part = parts_[static_cast<std::size_t>(number)];
    so_far_ = {sum(so_far_.bytes, part.bytes), sum(so_far_.arguments, part.arguments)};
  }

  bool has(std::string_view text) const { return symbol_.find(text) != std::string_view::npos; }

  // Expansions of more than a pack itself ("DpT_"), in types and, where there may be any, in expressions.
  std::size_t repeated_packs() const {
    const bool expressions = has("X") || has("DT") || has("Dt") || has("DO") || has("A");
    std::size_t count = 0;
    for (std::size_t at = 0; at + 1 < symbol_.size(); ++at) {
      const std::string_view code = symbol_.substr(at, 2);
      std::uint64_t number = 0;
      if (code != "Dp" && !(code == "sp" && expressions)) continue;
      count += at + 2 < symbol_.size() && symbol_[at + 2] == 'T' && read_number(at + 3, number) ? 0 : 1;
    }
    return count;
  }

  std::string_view symbol_;
  std::size_t at_ = 0;
  Amount so_far_;
  std::vector<Amount> parts_;
};

bool is_mangled(std::string_view symbol) {
  return symbol.substr(0, 2) == "_Z" && symbol.size() <= longest_symbol &&
         std::all_of(symbol.begin(), symbol.end(), is_symbol_character);
}

}  // namespace

std::string demangle(const std::string& symbol) {
  if (!is_mangled(symbol) || Weight(symbol).run() > weight_limit) return symbol;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text ? std::string(text.get()) : symbol;
}

}  // namespace kiln
