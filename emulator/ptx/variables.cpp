#include "emulator/ptx/variables.hpp"

#include "emulator/ptx/constants.hpp"
#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/module.hpp"
#include "emulator/ptx/scopes.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

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

// Initial values of variables: "= 5", "= {1, {2, 3}}", "= generic(x) + 4", "= {0xFF(x), 0xFF00(x)}".

/// Reads an initial value after the "=" into data and relocations. The first of the array's `dimensions` may be 0 (not
/// given). Returns the number of elements.
std::uint64_t initial_value(Cursor& at, Variable& variable, std::vector<std::uint64_t> dimensions, Scopes& scopes) {
  if (variable.type >= Type::texref) {
    skip_reference_fields(at);
    return 1;
  }
  if (variable.vector > 1) dimensions.push_back(variable.vector);
  const std::uint64_t elements = Initialiser(at, variable, std::move(dimensions), scopes).read();
  return elements / variable.vector;
}

// More than any device has, and small enough that no sum of a few overflows.
constexpr std::uint64_t largest_variable = std::uint64_t{1} << 40;
constexpr std::size_t most_dimensions = 100;

std::uint32_t alignment(Cursor& at) {
  const std::uint64_t given = count(at);
  if (!std::has_single_bit(given) || given > (1u << 20)) at.fail("Alignment must be a power of two");
  return static_cast<std::uint32_t>(given);
}

void attributes(Cursor& at, Variable& kind) {
  at.expect('(');
  do {
    if (at.dotted() == "managed") kind.managed = true;
    if (at.take('(')) {  // .unified(a, b)
      do constant(at);
      while (at.take(','));
      at.expect(')');
    }
  } while (at.take(','));
  at.expect(')');
}

// Attributes of what a pointer parameter points to. They are skipped: the alignment is not the parameter's own.
void pointed_to(Cursor& at, Variable& kind) {
  kind.is_pointer = true;
  while (at.peek() == '.') {
    const std::string_view word = at.dotted();
    if (word == "align")
      alignment(at);
    else if (space_named(word) == Space::none)
      at.syntax_error();
  }
}

// "[4][8]". A size that is left out ("[]", only allowed first) is 0.
std::vector<std::uint64_t> dimensions(Cursor& at, std::uint64_t element) {
  std::vector<std::uint64_t> all;
  std::uint64_t bytes = element;
  while (at.take('[')) {
    if (all.size() == most_dimensions) at.fail("Too many array dimensions");
    if (at.take(']')) {
      if (!all.empty()) at.fail("Array dimension expected");
      all.push_back(0);
      continue;
    }
    const std::uint64_t extent = count(at);
    at.expect(']');
    if (extent == 0 && !all.empty()) at.fail("Array dimension expected");
    if (extent != 0 && bytes > largest_variable / extent) at.fail("Array is too large");
    bytes *= extent;
    all.push_back(extent);
  }
  return all;
}

void set_type(Cursor& at, Variable& kind, std::string_view word) {
  if (word == "v2" || word == "v4") {
    kind.vector = static_cast<std::uint32_t>(word[1] - '0');
    return;
  }
  kind.type = type_named(word);
  if (kind.type == Type::none) at.syntax_error(word);
  const bool is_packed = word.find('x') != word.npos && kind.type != Type::f16x2 && kind.type < Type::texref;
  if (is_packed || word.starts_with("bf") || word.starts_with("tf") || word.starts_with("e"))
    at.fail("Type ." + std::string(word) + " may only be used as an instruction type");
}

void check_type(const Cursor& at, const Variable& kind) {
  const bool is_reference = kind.type >= Type::texref;
  if (kind.type == Type::pred && kind.space != Space::reg) at.fail("Predicates can be in registers only");
  if (is_reference && (kind.space == Space::reg || kind.space == Space::shared || kind.space == Space::local))
    at.fail("Texture/surface variable must be at module or entry scope");
  if (kind.vector == 1) {
    if (kind.type == Type::f16x2 && kind.space == Space::param) at.fail("Type .f16x2 is not for parameters");
    return;
  }
  if (kind.space == Space::param) at.fail("Vectors cannot be allocated in .param state space");
  if (kind.type == Type::pred || is_reference) at.fail("Vector type only allowed over basic types");
  if (size_of(kind.type) * kind.vector > 16) at.fail("Vector type too large, exceeds 128 bit limit");
}

}  // namespace

Space space_named(std::string_view spelling) {
  if (spelling == "param") return Space::param;
  if (spelling == "reg") return Space::reg;
  if (spelling == "shared") return Space::shared;
  if (spelling == "local") return Space::local;
  if (spelling == "global") return Space::global;
  if (spelling == "const") return Space::constant;
  if (spelling == "tex") return Space::tex;
  return Space::none;
}

Variable declared_kind(Cursor& at, Space space, Linkage linkage) {
  Variable kind;
  kind.space = space;
  kind.linkage = linkage;
  if (space == Space::constant && at.take('[')) {  // the bank number of old texts
    count(at);
    at.expect(']');
  }
  while (at.peek() == '.') {
    const std::string_view word = at.dotted();
    if (word == "align")
      kind.alignment = alignment(at);
    else if (word == "attribute")
      attributes(at, kind);
    else if (word == "ptr")
      pointed_to(at, kind);
    else
      set_type(at, kind, word);
  }
  if (kind.type == Type::none) at.syntax_error();
  check_type(at, kind);
  if (kind.alignment == 0) kind.alignment = static_cast<std::uint32_t>(size_of(kind.type)) * kind.vector;
  return kind;
}

Variable declared_variable(Cursor& at, const Variable& kind, Scopes& scopes) {
  Variable variable = kind;
  variable.line = at.line();
  // In a prototype a parameter is "_".
  const bool may_be_nameless = kind.space == Space::param || kind.space == Space::reg;
  variable.name = may_be_nameless && at.peek() == '_' && at.token() == "_" ? at.word() : at.name();
  variable.line = at.line();
  const std::uint64_t element = size_of(kind.type) * kind.vector;
  const std::vector<std::uint64_t> extents = dimensions(at, element);
  variable.is_array = !extents.empty();
  std::uint64_t elements = 1;
  for (const std::uint64_t extent : extents) elements *= extent;
  if (at.take('=')) elements = initial_value(at, variable, extents, scopes);
  if (elements > largest_variable / element) at.fail("Array is too large");
  variable.size = elements * element;
  return variable;
}

std::vector<Variable> parameters(Cursor& at, Scopes& scopes) {
  std::vector<Variable> all;
  if (!at.take('(')) return all;
  while (!at.take(')')) {
    if (!all.empty()) at.expect(',');
    const Space space = space_named(at.dotted());
    if (space != Space::param && space != Space::reg) at.syntax_error();
    all.push_back(declared_variable(at, declared_kind(at, space, Linkage::internal), scopes));
  }
  return all;
}

}  // namespace kiln::emulator::ptx
