#include "compile/nvvm/nvvm_ir.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace kiln {

namespace {

// The bitstream's format and these numbers: LLVM's "Bitcode File Format".
enum AbbreviationId : unsigned { end_block = 0, enter_subblock = 1, define_abbrev = 2, unabbrev_record = 3 };
constexpr unsigned info_block = 0;
constexpr unsigned module_block = 8;
constexpr unsigned identification_block = 13;
constexpr unsigned set_block_id = 1;  // in the info block
constexpr unsigned identification_text = 1;
constexpr unsigned module_triple = 2;
constexpr unsigned module_layout = 3;

struct Malformed : std::runtime_error {
  Malformed() : std::runtime_error("malformed bitcode") {}
};

class Bits {
 public:
  explicit Bits(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const noexcept { return at_ + 32 > bytes_.size() * 8; }
  std::uint64_t fixed(unsigned width) {
    if (width > 64 || at_ + width > bytes_.size() * 8) throw Malformed();
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i, ++at_)
      value |= static_cast<std::uint64_t>((static_cast<unsigned char>(bytes_[at_ / 8]) >> (at_ % 8)) & 1U) << i;
    return value;
  }
  std::uint64_t variable(unsigned width) {
    if (width < 2 || width > 32) throw Malformed();
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += width - 1) {
      const std::uint64_t piece = fixed(width);
      const std::uint64_t more = std::uint64_t{1} << (width - 1);
      value |= (piece & (more - 1)) << shift;
      if ((piece & more) == 0) return value;
    }
    throw Malformed();
  }
  void align() { at_ = (at_ + 31) / 32 * 32; }
  void skip_bytes(std::uint64_t count) {
    if (count > bytes_.size() - std::min(bytes_.size(), at_ / 8)) throw Malformed();
    at_ += count * 8;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

struct Operand {
  enum Kind : unsigned { literal = 0, fixed = 1, variable = 2, array = 3, char6 = 4, blob = 5 } kind = literal;
  std::uint64_t value = 0;  // the literal, or the width
};
using Abbreviation = std::vector<Operand>;
using Record = std::vector<std::uint64_t>;  // the code first

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bits_(bytes) {}

  void run() {
    bits_.fixed(32);  // the magic number
    while (!bits_.at_end() && !facts_.is_whole) {
      if (bits_.fixed(2) != enter_subblock) throw Malformed();
      enter();
    }
  }
  const IrFacts& facts() const noexcept { return facts_; }

 private:
  void enter() {
    const auto id = static_cast<unsigned>(bits_.variable(8));
    const auto width = static_cast<unsigned>(bits_.variable(4));
    bits_.align();
    const std::uint64_t words = bits_.fixed(32);
    constexpr int most = 4;  // a module is not nested, but for in a damaged file
    if (depth_ < most && (id == info_block || id == module_block || id == identification_block)) {
      ++depth_;
      read_block(id, width);
      --depth_;
    } else {
      bits_.skip_bytes(words * 4);
    }
  }

  void read_block(unsigned id, unsigned width) {
    std::vector<Abbreviation> abbreviations = of_block_[id];
    for (;;) {
      const auto what = static_cast<unsigned>(bits_.fixed(width));
      if (what == end_block) break;
      if (what == enter_subblock)
        enter();
      else if (what == define_abbrev)
        (id == info_block ? of_block_[described_] : abbreviations).push_back(read_abbreviation());
      else
        note(id, what == unabbrev_record ? read_plain() : read_abbreviated(abbreviations, what - 4));
    }
    bits_.align();
    if (id == module_block) facts_.is_whole = true;
  }

  Abbreviation read_abbreviation() {
    Abbreviation all;
    for (std::uint64_t count = bits_.variable(5); count != 0; --count) {
      Operand operand;
      if (bits_.fixed(1) == 1) {
        operand.value = bits_.variable(8);
      } else {
        operand.kind = static_cast<Operand::Kind>(bits_.fixed(3));
        if (operand.kind == Operand::literal || operand.kind > Operand::blob) throw Malformed();
        if (operand.kind == Operand::fixed || operand.kind == Operand::variable) operand.value = bits_.variable(5);
        if (operand.value > 64) throw Malformed();
      }
      all.push_back(operand);
    }
    return all;
  }

  Record read_plain() {
    Record record{bits_.variable(6)};
    for (std::uint64_t count = bits_.variable(6); count != 0; --count) record.push_back(bits_.variable(6));
    return record;
  }

  /// Takes no bits, so that a damaged file could ask for any number of them.
  static bool is_empty(const Operand& operand) {
    return operand.value == 0 ? operand.kind != Operand::char6 : operand.kind == Operand::literal;
  }

  std::uint64_t read_scalar(const Operand& operand) {
    constexpr std::string_view six = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    switch (operand.kind) {
      case Operand::literal:
        return operand.value;
      case Operand::fixed:
        return bits_.fixed(static_cast<unsigned>(operand.value));
      case Operand::variable:
        return operand.value == 0 ? 0 : bits_.variable(static_cast<unsigned>(operand.value));
      case Operand::char6:
        return static_cast<unsigned char>(six[bits_.fixed(6)]);
      default:
        throw Malformed();
    }
  }

  Record read_abbreviated(const std::vector<Abbreviation>& abbreviations, std::size_t index) {
    if (index >= abbreviations.size()) throw Malformed();
    const Abbreviation& shape = abbreviations[index];
    Record record;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i].kind == Operand::array) {
        if (i + 1 >= shape.size() || is_empty(shape[i + 1])) throw Malformed();
        for (std::uint64_t count = bits_.variable(6); count != 0; --count) record.push_back(read_scalar(shape[i + 1]));
        break;
      }
      if (shape[i].kind == Operand::blob) {
        const std::uint64_t size = bits_.variable(6);
        bits_.align();
        bits_.skip_bytes(size);
        bits_.align();
        break;
      }
      record.push_back(read_scalar(shape[i]));
    }
    if (record.empty()) throw Malformed();
    return record;
  }

  void note(unsigned id, const Record& record) {
    const auto text = [&] { return std::string(record.begin() + 1, record.end()); };
    if (id == info_block && record[0] == set_block_id && record.size() > 1)
      described_ = static_cast<unsigned>(record[1]);
    else if (id == identification_block && record[0] == identification_text)
      facts_.producer = text();
    else if (id == module_block && record[0] == module_triple)
      facts_.triple = text();
    else if (id == module_block && record[0] == module_layout)
      facts_.layout = text();
  }

  Bits bits_;
  IrFacts facts_ = {.is_bitcode = true};
  std::map<unsigned, std::vector<Abbreviation>> of_block_;
  unsigned described_ = 0;
  int depth_ = 0;
};

/// What the wrapper holds, where there is one: its fields are 32 bits each, the offset and the size the third and
/// fourth.
std::string_view unwrapped(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.substr(0, 4) != "\xDE\xC0\x17\x0B"sv || bytes.size() < 20) return bytes;
  Bits fields(bytes);
  std::array<std::uint64_t, 4> values{};
  for (std::uint64_t& value : values) value = fields.fixed(32);
  return values[2] <= bytes.size() ? bytes.substr(values[2], values[3]) : std::string_view();
}

}  // namespace

IrFacts read_bitcode(std::string_view bitcode) {
  Reader reader(unwrapped(bitcode));
  try {
    reader.run();
  } catch (const Malformed&) {
    // The facts so far.
  }
  return reader.facts();
}

}  // namespace kiln
