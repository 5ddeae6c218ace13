#include "compile/nvvm/nvvm_ir.hpp"

#include "base/text_parts.hpp"

#include <algorithm>
#include <charconv>

namespace kiln {

namespace {

bool is_of_ir_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$';
}

/// What stands in the first quotes behind `key`, in a row that begins with it.
std::optional<std::string> quoted_after_key(std::string_view row, std::string_view key) {
  if (!row.starts_with(key)) return std::nullopt;
  const std::size_t open = row.find('"', key.size());
  const std::size_t close = open == std::string_view::npos ? open : row.find('"', open + 1);
  if (close == std::string_view::npos) return std::nullopt;
  return std::string(row.substr(open + 1, close - open - 1));
}

/// The row without its comment and with every quoted text emptied, so that what is left is IR alone.
std::string bare(std::string_view row) {
  std::string text;
  bool quoted = false;
  for (const char c : row) {
    if (c == '"') quoted = !quoted;
    if (c == ';' && !quoted) break;
    if (!quoted || c == '"') text.push_back(c);
  }
  return text;
}

bool has_type_ptr(std::string_view row) {
  for (std::size_t at = row.find("ptr"); at != std::string_view::npos; at = row.find("ptr", at + 1)) {
    const char before = at == 0 ? ' ' : row[at - 1];
    const char behind = at + 3 == row.size() ? ' ' : row[at + 3];
    // Not part of a name: %ptr, @ptr, !ptr, "ptr:" (a label).
    if (!is_of_ir_word(before) && before != '%' && before != '@' && before != '!' && before != '-' &&
        !is_of_ir_word(behind) && behind != ':' && behind != '-')
      return true;
  }
  return false;
}

/// The numbers behind each "i32 ".
std::vector<int> numbers(std::string_view row) {
  constexpr std::string_view type = "i32 ";
  std::vector<int> all;
  for (std::size_t at = row.find(type); at != std::string_view::npos; at = row.find(type, at + 1)) {
    int value = 0;
    const char* begin = row.data() + at + type.size();
    if (std::from_chars(begin, row.data() + row.size(), value).ec == std::errc()) all.push_back(value);
  }
  return all;
}

/// `!nvvmir.version = !{!1}` and what `!1 = !{i32 2, i32 0}` says, which may stand before it.
std::optional<std::pair<int, int>> ir_version_of(std::string_view ir) {
  constexpr std::string_view name = "!nvvmir.version";
  const std::size_t at = ir.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view row = ir.substr(at + name.size());
  row = row.substr(0, row.find('\n'));
  const std::size_t open = row.find("{!");
  if (open == std::string_view::npos) return std::nullopt;
  const std::string node(row.substr(open + 1, row.find_first_of(",}", open) - open - 1));
  for (std::string_view rest = ir; !rest.empty();) {
    const std::string_view line = trimmed(next_line(rest));
    if (!line.starts_with(node) || trimmed(line.substr(node.size())).substr(0, 1) != "=") continue;
    const std::vector<int> found = numbers(line);
    if (found.size() >= 2) return std::pair(found[0], found[1]);
  }
  return std::nullopt;
}

IrFacts read_ir_text(std::string_view ir) {
  IrFacts facts;
  int number = 0;
  for (std::string_view rest = ir; !rest.empty();) {
    const std::string_view row = trimmed(next_line(rest));
    ++number;
    if (!facts.layout) facts.layout = quoted_after_key(row, "target datalayout");
    if (!facts.triple) facts.triple = quoted_after_key(row, "target triple");
    const std::string plain = bare(row);
    if (facts.typed_pointer_line == 0 && plain.find('*') != std::string::npos) facts.typed_pointer_line = number;
    if (facts.opaque_pointer_line == 0 && has_type_ptr(plain)) facts.opaque_pointer_line = number;
    if (facts.old_metadata_line == 0 && plain.find("metadata !{") != std::string::npos)
      facts.old_metadata_line = number;
  }
  facts.version = ir_version_of(ir);
  return facts;
}

/// "__nv_sinf" of a row that holds @__nv_sinf( ; empty where it holds none.
std::string libdevice_name(std::string_view row) {
  const std::size_t at = row.find("@__nv_");
  if (at == std::string_view::npos) return {};
  row.remove_prefix(at + 1);
  return std::string(row.begin(), std::find_if_not(row.begin(), row.end(), is_of_ir_word));
}

}  // namespace

bool is_bitcode(std::string_view ir) {
  using namespace std::string_view_literals;
  return ir.substr(0, 4) == "BC\xC0\xDE"sv || ir.substr(0, 4) == "\xDE\xC0\x17\x0B"sv;
}

IrFacts read_ir(std::string_view ir) { return is_bitcode(ir) ? read_bitcode(ir) : read_ir_text(ir); }

std::vector<std::string> libdevice_functions(std::string_view ir) {
  if (ir.find("__nv_") == std::string_view::npos) return {};
  if (is_bitcode(ir)) return {"functions named __nv_..."};
  std::vector<std::string> names;
  for (std::string_view rest = ir; !rest.empty();) {
    const std::string_view row = trimmed(next_line(rest));
    if (!row.starts_with("declare ")) continue;
    std::string name = libdevice_name(row);
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace kiln
