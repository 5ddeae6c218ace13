#include "npy_file.hpp"

#include "base/npy_header.hpp"
#include "base/printable_text.hpp"

#include <kiln/error.hpp>

#include <charconv>
#include <cstdint>
#include <cstring>

namespace kiln::tool {

namespace {

/// What stands in the header: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }.
struct NpyHeader {
  std::string descr;
  bool is_fortran = false;
  std::vector<std::size_t> shape;
};

/// Reads the header's text, a dictionary as Python writes it.
class NpyHeaderReader {
 public:
  explicit NpyHeaderReader(std::string_view text) : rest_(text) {}

  NpyHeader read() {
    NpyHeader header;
    int found = 0;
    expect('{');
    while (!take('}')) {
      const std::string key = quoted();
      expect(':');
      read_value(key, header);
      ++found;
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    // Each of the three once: which ones, read_value has looked at.
    if (found != 3 || !has_descr_ || !has_order_ || !has_shape_) fail();
    return header;
  }

 private:
  [[noreturn]] static void fail() {
    throw Error("its header does not say, as NumPy's do, 'descr', 'fortran_order' and 'shape'");
  }

  void read_value(const std::string& key, NpyHeader& header) {
    if (key == "descr") {
      has_descr_ = true;
      if (peek() == '[') throw Error("its elements are records of several fields: save each field by itself");
      header.descr = quoted();
    } else if (key == "fortran_order") {
      has_order_ = true;
      header.is_fortran = take_word("True");
      if (!header.is_fortran && !take_word("False")) fail();
    } else if (key == "shape") {
      has_shape_ = true;
      read_shape(header.shape);
    } else {
      fail();
    }
  }

  void read_shape(std::vector<std::size_t>& shape) {
    shape.clear();
    expect('(');
    while (!take(')')) {
      shape.push_back(number());
      if (shape.size() > most_dimensions) throw Error("it has more than 32 dimensions");
      if (!take(',')) {
        expect(')');
        break;
      }
    }
  }

  char peek() {
    while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_.front()) != std::string_view::npos)
      rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
  }
  bool take(char wanted) {
    if (peek() != wanted || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view wanted) {
    (void)peek();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(wanted.size());
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) fail();
  }
  std::string quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail();
    rest_.remove_prefix(1);
    const std::size_t end = rest_.find(quote);
    if (end == std::string_view::npos) fail();
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }
  std::size_t number() {
    (void)peek();
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) fail();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  std::string_view rest_;
  bool has_descr_ = false, has_order_ = false, has_shape_ = false;
};

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// Takes the header's text off the file; what is left are the elements.
std::string_view take_header(std::string_view& file) {
  if (!file.starts_with(npy_magic) || file.size() < npy_preamble)
    throw Error("it is no file of NumPy's (numpy.save writes them)");
  const auto version = static_cast<unsigned char>(file[6]);
  if (version < 1 || version > 3)
    throw Error("it has version " + std::to_string(version) + " of NumPy's format; 1 to 3 are read");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t begin = 8 + length_bytes;
  const std::size_t length = file.size() < begin ? 0 : little_endian(file.substr(8, length_bytes));
  if (file.size() < begin || file.size() - begin < length) throw Error("it is cut: its header is not complete");
  const std::string_view header = file.substr(begin, length);
  file.remove_prefix(begin + length);
  return header;
}

const ElementType& type_of_descr(const std::string& descr) {
  const char order = descr.empty() ? '\0' : descr.front();
  const ElementType* const type = descr.empty() ? nullptr : element_type_of_numpy(std::string_view(descr).substr(1));
  const std::string what = "its elements are of NumPy's type \"" + printable_word(descr) + "\"";
  if (type == nullptr || (order != '<' && order != '|' && order != '=' && order != '>'))
    throw Error(what + "; known are b1, i1 to i8, u1 to u8, f2, f4, f8, c8 and c16");
  if (order == '>') throw Error(what + ", big endian: save array.astype(array.dtype.newbyteorder('<'))");
  return *type;
}

/// bfloat16 as float: its bytes, below them zeros.
Array widened(const Array& array) {
  Array wide{element_type("float"), array.shape, std::string(2 * array.bytes.size(), '\0')};
  for (std::size_t i = 0; i < array.count(); ++i) std::memcpy(wide.bytes.data() + 4 * i + 2, array.element(i), 2);
  return wide;
}

}  // namespace

std::string array_type_text(const ElementType& type, const std::vector<std::size_t>& shape) {
  std::string text(type.name);
  text += '[';
  for (const std::size_t size : shape) text += std::to_string(size) + "x";
  if (!shape.empty()) text.pop_back();
  return text + ']';
}

bool array_bytes(const ElementType& type, const std::vector<std::size_t>& shape, std::size_t& bytes) {
  bytes = type.size;
  // A zero among them makes it empty, wherever it stands.
  bool fits = true;
  for (const std::size_t size : shape) {
    if (size == 0) {
      bytes = 0;
      return true;
    }
    fits = fits && !__builtin_mul_overflow(bytes, size, &bytes);
  }
  return fits;
}

Array read_npy(std::string_view file) {
  const NpyHeader header = NpyHeaderReader(take_header(file)).read();
  const ElementType& type = type_of_descr(header.descr);
  if (header.is_fortran && header.shape.size() > 1)
    throw Error("its elements lie column by column (Fortran's order): save numpy.ascontiguousarray(array)");
  std::size_t bytes = 0;
  if (!array_bytes(type, header.shape, bytes) || bytes != file.size())
    throw Error("it is damaged: behind its header are " + std::to_string(file.size()) + " bytes, which is not " +
                array_type_text(type, header.shape));
  return {&type, header.shape, std::string(file)};
}

std::string write_npy(const Array& array) {
  if (array.type->kind == ElementType::Kind::bfloat16) return write_npy(widened(array));
  return npy_header(array.type->numpy, array.type->size, array.shape) + array.bytes;
}

}  // namespace kiln::tool
