#include "toolkit/image/ptx_address.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <unordered_set>

namespace kiln {
namespace {

using Addresses = std::unordered_set<std::string_view>;

constexpr std::array<std::string_view, 8> arithmetic = {"mov.", "cvta.", "cvt.",  "add.",
                                                        "sub.", "mad.",  "selp.", "and."};

bool is_load(std::string_view opcode) { return opcode.starts_with("ld.") || opcode.starts_with("ldu."); }

bool is_arithmetic(std::string_view opcode) {
  return std::any_of(arithmetic.begin(), arithmetic.end(),
                     [&](std::string_view begin) { return opcode.starts_with(begin); });
}

/// Behind labels and the predicate that guards the instruction.
std::size_t opcode_place(const PtxStatement& words) {
  const auto begins = [](std::string_view word) { return word.front() != '$' && word.front() != '%'; };
  return static_cast<std::size_t>(std::find_if(words.begin(), words.end(), begins) - words.begin());
}

/// Adds registers that the statements give an address; false where one is used otherwise than to load.
bool follow(const std::vector<PtxStatement>& body, Addresses& addresses) {
  std::string_view last_opcode;
  for (const PtxStatement& words : body) {
    const std::size_t place = opcode_place(words);
    // Braces of vectors end statements: "ld.v2.f32", "%f1, %f2", ", [%rd1]".
    const bool is_rest = place == words.size() || words[place] == ",";
    if (!is_rest) last_opcode = words[place];
    const bool has_address =
        std::any_of(words.begin(), words.end(), [&](std::string_view word) { return addresses.count(word) != 0; });
    if (!has_address || (is_load(last_opcode) && (!is_rest || words.front() == ","))) continue;
    if (is_rest) return false;
    if (last_opcode.starts_with("setp.")) continue;
    const bool has_result = place + 2 < words.size() && words[place + 1].front() == '%' && words[place + 2] == ",";
    if (!is_arithmetic(last_opcode) || !has_result) return false;
    addresses.insert(words[place + 1]);
  }
  return true;
}

}  // namespace

bool only_reads(const std::vector<PtxStatement>& body, std::string_view variable) {
  Addresses addresses = {variable};
  for (std::size_t before = 0; before != addresses.size();) {
    before = addresses.size();
    if (!follow(body, addresses)) return false;
  }
  return true;
}

}  // namespace kiln
