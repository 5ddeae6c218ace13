#include "emulator/ptx/initial_value.hpp"

#include "emulator/ptx/constants.hpp"

#include <algorithm>
#include <bit>

namespace kiln::emulator::ptx {

namespace {

class Initialiser {
 public:
  Initialiser(Cursor& at, Variable& variable, std::vector<std::uint64_t> dimensions, Scopes& scopes)
      : at_(at),
        variable_(variable),
        scopes_(scopes),
        dimensions_(std::move(dimensions)),
        width_(size_of(variable.type)),
        most_bytes_((std::uint64_t{1} << 15) + 64 * at.text_size()) {
    strides_.assign(dimensions_.size(), 1);
    for (std::size_t level = dimensions_.size(); level-- > 1;)
      strides_[level - 1] = strides_[level] * dimensions_[level];
  }

  std::uint64_t read() {
    if (at_.take('{')) {
      if (dimensions_.empty()) at_.fatal("Initial value type mismatch");
      list(0, 0);
    } else {
      if (!dimensions_.empty()) at_.fatal("Initial value type mismatch");
      value(0);
    }
    if (dimensions_.empty()) return 1;
    const std::uint64_t first = dimensions_[0] != 0 ? dimensions_[0] : (behind_ + strides_[0] - 1) / strides_[0];
    return first * strides_[0];
  }

 private:
  void list(std::size_t level, std::uint64_t first) {
    const std::uint64_t extent = dimensions_[level] * strides_[level];
    std::uint64_t next = first;
    if (at_.take('}')) return;
    do {
      if (extent != 0 && next - first >= extent) too_many();
      if (level + 1 == dimensions_.size()) {
        value(next);
      } else {
        if (!at_.take('{')) too_many();
        list(level + 1, next);
      }
      next += strides_[level];
    } while (at_.take(','));
    at_.expect('}');
    const bool is_vector = variable_.vector > 1 && level + 1 == dimensions_.size();
    if (is_vector && next - first != extent) at_.fatal("Incorrect number of elements in vector initializer");
    behind_ = std::max(behind_, next);
  }

  [[noreturn]] void too_many() { at_.fatal("Greater number of elements in array initializer"); }

  void value(std::uint64_t element) {
    if (element >= most_bytes_ / width_)
      at_.fail("Initial values of " + in_quotes(variable_.name) + " lie too far apart");
    if (variable_.data.size() < (element + 1) * width_) variable_.data.resize((element + 1) * width_);
    if (starts_name(at_.peek()) && at_.token() != "WARP_SZ") return symbolic(element * width_, -1);
    const Constant given = constant(at_);
    if (at_.peek() == '(') return symbolic(element * width_, byte_of(given));
    store(given, element * width_);
  }

  int byte_of(const Constant& mask) {
    for (int byte = 0; byte < 8; ++byte)
      if (!mask.is_float() && mask.bits == std::uint64_t{0xFF} << (8 * byte)) return byte;
    at_.fail("Invalid mask in initial value");
  }

  void symbolic(std::uint64_t place, int byte) {
    Relocation relocation;
    relocation.offset = place;
    relocation.width = static_cast<std::uint32_t>(width_);
    relocation.byte = byte;
    if (byte >= 0) at_.expect('(');
    std::string_view name = at_.name();
    if (name == "generic") {
      relocation.generic = true;
      at_.expect('(');
      name = at_.name();
      relocation.addend = offset(at_);
      at_.expect(')');
    }
    relocation.symbol = name;
    relocation.addend += offset(at_);
    if (byte >= 0) at_.expect(')');
    const Symbol* const found = scopes_.find(name);
    if (found == nullptr || found->kind == Symbol::Kind::reg)
      at_.fail("Invalid initial value symbol " + in_quotes(name));
    if (byte < 0 && width_ < 4) at_.fatal("Initial value type mismatch");
    variable_.relocations.push_back(relocation);
  }

  void store(const Constant& given, std::uint64_t place) {
    std::uint64_t bits = given.bits;
    if (variable_.type == Type::f64) {
      if (!given.is_float()) at_.fatal("Initial value type mismatch");
      bits = std::bit_cast<std::uint64_t>(given.as_double());
    } else if (variable_.type == Type::f32) {
      if (!given.is_float()) at_.fatal("Initial value type mismatch");
      if (given.type == Type::f64) bits = std::bit_cast<std::uint32_t>(static_cast<float>(given.as_double()));
    }
    for (std::size_t i = 0; i < width_ && i < 8; ++i)
      variable_.data[place + i] = static_cast<std::uint8_t>(bits >> (8 * i));
  }

  Cursor& at_;
  Variable& variable_;
  Scopes& scopes_;
  std::vector<std::uint64_t> dimensions_;
  std::vector<std::uint64_t> strides_;  // elements from one to the next of each dimension
  std::uint64_t width_;
  // Limits the data: nested lists in a short text could ask for any amount of memory.
  std::uint64_t most_bytes_;
  std::uint64_t behind_ = 0;
};

// Named samplers and textures: read and ignored.
void skip_reference_fields(Cursor& at) {
  at.expect('{');
  at.to_closing_brace();
}

}  // namespace

std::uint64_t initial_value(Cursor& at, Variable& variable, std::vector<std::uint64_t> dimensions, Scopes& scopes) {
  if (variable.type >= Type::texref) {
    skip_reference_fields(at);
    return 1;
  }
  if (variable.vector > 1) dimensions.push_back(variable.vector);
  const std::uint64_t elements = Initialiser(at, variable, std::move(dimensions), scopes).read();
  return elements / variable.vector;
}

}  // namespace kiln::emulator::ptx
