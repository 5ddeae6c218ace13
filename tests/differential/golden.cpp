#include "golden.hpp"

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace differential {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("no golden file " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

// FNV-1a.
std::uint64_t digest(const Words& words, std::size_t first, std::size_t count) {
  std::uint64_t hash = 0xCBF29CE484222325ull;
  for (std::size_t i = first; i < first + count; ++i) hash = (hash ^ words[i]) * 0x100000001B3ull;
  return hash;
}

std::string digests(const Program& program, const Words& words) {
  std::ostringstream text;
  const std::size_t count = words.size() / program.rows;
  for (std::size_t row = 0; row < program.rows; ++row) text << std::hex << digest(words, row * count, count) << '\n';
  return text.str();
}

// Numbers of one sign are ordered as their bits are; both zeros are in the middle.
template <class Bits>
std::uint64_t ordered(Bits bits) {
  const Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  const std::uint64_t size = static_cast<Bits>(bits & ~sign), middle = std::uint64_t{1} << 63;
  return (bits & sign) != 0 ? middle - size : middle + size;
}
template <class Bits>
bool is_nan(Bits bits, unsigned mantissa) {
  const Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  const Bits infinity = static_cast<Bits>(static_cast<Bits>(~sign) >> mantissa << mantissa);
  return static_cast<Bits>(bits & ~sign) > infinity;
}
template <class Bits>
bool within_ulps(Bits a, Bits b, unsigned mantissa, double bound) {
  if (is_nan(a, mantissa) || is_nan(b, mantissa)) return is_nan(a, mantissa) && is_nan(b, mantissa);
  const std::uint64_t x = ordered(a), y = ordered(b);
  return static_cast<double>(x > y ? x - y : y - x) <= bound;
}

template <class Number>
Number number(const Words& words, std::size_t place) {
  Number made;
  std::memcpy(&made, reinterpret_cast<const char*>(words.data()) + place * sizeof made, sizeof made);
  return made;
}

bool close(float expected, float found, const Comparison& comparison) {
  if (std::isnan(expected) || std::isnan(found)) return std::isnan(expected) && std::isnan(found);
  if (expected == found) return true;
  const double scale = comparison.kind == Comparison::Kind::f32_absolute ? 1.0 : std::abs(double{expected});
  return std::abs(double{expected} - double{found}) <= comparison.bound * scale;
}

// The unit of comparison is an element: 2, 4 or 8 bytes.
std::size_t element_size(const Comparison& comparison) {
  if (comparison.kind == Comparison::Kind::f16_ulps) return 2;
  return comparison.kind == Comparison::Kind::f64_ulps ? 8 : 4;
}

bool same(const Comparison& comparison, const Words& expected, const Words& found, std::size_t place) {
  switch (comparison.kind) {
    case Comparison::Kind::exact:
      return expected[place] == found[place];
    case Comparison::Kind::f16_ulps:
      return within_ulps(number<std::uint16_t>(expected, place), number<std::uint16_t>(found, place), 10,
                         comparison.bound);
    case Comparison::Kind::f32_ulps:
      return within_ulps(expected[place], found[place], 23, comparison.bound);
    case Comparison::Kind::f64_ulps:
      return within_ulps(number<std::uint64_t>(expected, place), number<std::uint64_t>(found, place), 52,
                         comparison.bound);
    default:
      return close(number<float>(expected, place), number<float>(found, place), comparison);
  }
}

void describe(std::ostream& text, const Program& program, const Words& expected, const Words& found, std::size_t place,
              std::size_t row_elements) {
  const std::size_t size = element_size(program.comparison);
  const auto hex = [&](const Words& words) {
    text << std::hex << "0x";
    if (size == 8)
      text << number<std::uint64_t>(words, place);
    else if (size == 2)
      text << number<std::uint16_t>(words, place);
    else
      text << words[place];
    text << std::dec;
  };
  text << "  row " << place / row_elements << " item " << place % row_elements << ": expected ";
  hex(expected);
  text << " found ";
  hex(found);
  const Words input = input_of(program);
  const std::size_t item = place % row_elements;
  text << std::hex << " inputs";
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t at = (item + k * row_elements) * size;
    if (at + size > input.size() * 4) break;
    text << " 0x";
    if (size == 8)
      text << number<std::uint64_t>(input, at / 8);
    else if (size == 2)
      text << number<std::uint16_t>(input, at / 2);
    else
      text << input[at / 4];
  }
  text << std::dec << '\n';
}

std::string different_rows(const std::string& expected, const std::string& found) {
  std::istringstream left(expected), right(found);
  std::string rows, a, b;
  for (int row = 0; std::getline(right, b); ++row)
    if (!std::getline(left, a) || a != b) rows += ' ' + std::to_string(row);
  return rows;
}

Words words_of(const std::string& bytes) {
  Words words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

}  // namespace

std::string compare_words(const Program& program, const Words& expected, const Words& found) {
  if (expected.size() != found.size()) return "  another number of words\n";
  const std::size_t size = element_size(program.comparison), count = found.size() * 4 / size;
  const std::size_t row_elements = count / program.rows;
  std::ostringstream text;
  std::size_t differing = 0;
  std::vector<std::size_t> shown(program.rows, 0);
  for (std::size_t place = 0; place < count; ++place) {
    if (same(program.comparison, expected, found, place)) continue;
    ++differing;
    if (shown[std::min(place / row_elements, program.rows - 1)]++ < 3)
      describe(text, program, expected, found, place, row_elements);
  }
  if (differing == 0) return {};
  return text.str() + "  " + std::to_string(differing) + " of " + std::to_string(count) + " differ\n";
}

void write_golden(const fs::path& folder, const Program& program, const Result& result) {
  if (program.comparison.kind == Comparison::Kind::exact)
    write(folder / (program.name + ".digests"), digests(program, result.words));
  else
    write(folder / (program.name + ".words"),
          {reinterpret_cast<const char*>(result.words.data()), result.words.size() * 4});
  if (program.prints) write(folder / (program.name + ".text"), result.printed);
}

bool has_golden(const fs::path& folder, const Program& program) {
  return fs::exists(folder / (program.name + ".digests")) || fs::exists(folder / (program.name + ".words"));
}

std::string difference(const fs::path& folder, const Program& program, const Result& result) {
  std::string text;
  if (program.comparison.kind == Comparison::Kind::exact) {
    const std::string rows = different_rows(read(folder / (program.name + ".digests")), digests(program, result.words));
    if (!rows.empty()) text = "  rows that differ:" + rows + '\n';
  } else {
    text = compare_words(program, words_of(read(folder / (program.name + ".words"))), result.words);
  }
  if (program.prints && read(folder / (program.name + ".text")) != result.printed)
    text += "  printed: " + result.printed;
  return text;
}

}  // namespace differential
