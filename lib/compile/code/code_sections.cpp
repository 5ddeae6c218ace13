#include "compile/code/code_sections.hpp"

#include "cache/byte_io.hpp"
#include "compile/code/code_tables.hpp"
#include "compile/options/target_name.hpp"

#include <kiln/error.hpp>

#include <array>
#include <cstdint>

namespace kiln {

namespace {

/// Name after name, each with a zero byte behind it: neither an expression nor a symbol holds one.
std::string encode_names(const std::vector<std::pair<std::string, std::string>>& names) {
  std::string bytes;
  for (const auto& name : names) {
    bytes.append(name.first).push_back('\0');
    bytes.append(name.second).push_back('\0');
  }
  return bytes;
}

std::optional<std::vector<std::pair<std::string, std::string>>> decode_names(std::string_view bytes) {
  std::vector<std::pair<std::string, std::string>> names;
  while (!bytes.empty()) {
    const std::size_t middle = bytes.find('\0');
    const std::size_t end = middle == std::string_view::npos ? middle : bytes.find('\0', middle + 1);
    if (end == std::string_view::npos) return std::nullopt;
    names.emplace_back(bytes.substr(0, middle), bytes.substr(middle + 1, end - middle - 1));
    bytes.remove_prefix(end + 1);
  }
  return names;
}

/// Each behind its u32 length.
std::string encode_texts(const std::vector<std::string>& texts) {
  std::string bytes;
  for (const std::string& text : texts) {
    append_integer(bytes, static_cast<std::uint32_t>(text.size()));
    bytes += text;
  }
  return bytes;
}

std::optional<std::vector<std::string>> decode_texts(std::string_view bytes) {
  std::vector<std::string> texts;
  ByteReader reader(bytes);
  while (!reader.finished() && !reader.failed()) texts.emplace_back(reader.bytes(reader.integer<std::uint32_t>()));
  if (reader.failed()) return std::nullopt;
  return texts;
}

/// Cut where it is longer than any file's.
std::string_view name_without_folder(std::string_view name) {
  constexpr std::size_t longest = 255;
  return name.substr(name.rfind('/') + 1).substr(0, longest);
}

void add_tables(Sections& sections, const CodeData& code) {
  if (!facts_of(code.target).is_loadable) return;
  try {
    sections.add(tables_label, encode_tables(code.info()));
  } catch (const Error&) {  // code of a form that the readers do not know may still load and run
  }
}

}  // namespace

// What `kiln cache list` shows comes first, because it reads only the front.
Sections to_sections(const CodeData& code) { return to_sections(code, code.bytes); }

Sections to_sections(const CodeData& code, std::string_view bytes) {
  Sections sections;
  const std::string& name = code.recipe ? code.recipe->options.name : code.name;
  if (code.recipe || !name.empty()) sections.add("name", name_without_folder(name));
  sections.add("target", target_name(code.target));
  sections.add("arch", code.arch);
  sections.add("backend", backend_name(code.backend));
  sections.add("log", code.log);
  sections.add("lowered names", encode_names(code.lowered_names));
  sections.add("effective options", encode_texts(code.effective_options));
  if (code.ptx) sections.add("ptx", *code.ptx);
  add_tables(sections, code);
  sections.add("code", bytes);
  return sections;
}

std::shared_ptr<CodeData> from_sections(Sections sections) {
  const auto target = sections.find("target");
  const auto arch = sections.find("arch");
  const auto backend = sections.find("backend");
  const auto log = sections.find("log");
  const auto lowered = sections.find("lowered names");
  const auto bytes = sections.find("code");
  if (!target || !arch || !backend || !log || !lowered || !bytes || bytes->empty()) return nullptr;
  const auto known_target = target_of(*target);
  auto names = decode_names(*lowered);
  auto options = decode_texts(sections.find("effective options").value_or(std::string_view()));
  if (!known_target || !names || !options) return nullptr;
  auto code = std::make_shared<CodeData>();
  code->target = *known_target;
  code->arch = *arch;
  code->backend = backend_of(*backend);
  code->log = *log;
  code->lowered_names = std::move(*names);
  code->effective_options = std::move(*options);
  if (const auto ptx = sections.find("ptx")) code->ptx = *ptx;
  code->own(std::move(sections));
  return code;
}

}  // namespace kiln
