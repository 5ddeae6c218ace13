// The architectures, versions and parameters of inputs.
#include "compile/nvjitlink/link_input.hpp"

#include "base/text_parts.hpp"
#include "toolkit/image/byte_reader.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/image/fatbin_view.hpp"
#include "toolkit/image/ptx_scan.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <charconv>

namespace kiln {

namespace {

void add_arch(InputFacts& facts, const std::string& arch) {
  if (std::find(facts.archs.begin(), facts.archs.end(), arch) == facts.archs.end()) facts.archs.push_back(arch);
}

/// "9.0"
std::optional<Version> parse_version(std::string_view text) {
  Version version;
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, version.first);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return std::nullopt;
  return std::from_chars(major.ptr + 1, end, version.second).ec == std::errc() ? std::optional(version) : std::nullopt;
}

void take_ptx(InputFacts& facts, std::string_view text) {
  // The directives stand before everything else, so a text of megabytes is not scanned.
  for (std::size_t at = 0; at < text.size() && (!facts.ptx || facts.archs.empty());) {
    std::string_view rest = text.substr(at);
    std::string_view line = next_line(rest);
    at = text.size() - rest.size();
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) continue;
    line.remove_prefix(begin);
    const auto value = [&](std::string_view word) {
      line.remove_prefix(word.size());
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      return line.substr(0, line.find_first_of(" \t\r,;/"));
    };
    if (line.starts_with(".version")) {
      facts.ptx = parse_version(value(".version"));
    } else if (line.starts_with(".target")) {
      std::string arch(value(".target"));
      if (arch.starts_with("sm_")) add_arch(facts, "compute_" + arch.substr(3));
    }
  }
}

void take_object(InputFacts& facts, std::string_view bytes) {
  for (const std::string_view fatbin : fatbins_in(bytes))
    for (const FatbinEntry& entry : fatbin_entries(fatbin)) {
      add_arch(facts, entry.arch);
      facts.has_ltoir |= entry.kind == FatbinEntry::ltoir;
    }
  if (const auto header = ltoir_header(bytes)) {
    facts.has_ltoir = true;
    if (!header->arch.empty()) add_arch(facts, header->arch);
  }
}

void take_ltoir(InputFacts& facts, const LinkInput& input) {
  take_object(facts, input.bytes());
  // The header does not record features of a family (compute_100f).
  const bool is_of_family = input.code && input.code->arch.ends_with('f');
  if (is_of_family && !facts.archs.empty()) facts.archs.front() += 'f';
}

void take(InputFacts& facts, const LinkInput& input) {
  if (input.type == InputType::cubin)
    return add_arch(facts, input.code ? input.code->arch : read_cubin(input.bytes()).arch);
  if (input.type == InputType::ptx) return take_ptx(facts, input.bytes());
  if (input.type == InputType::ltoir) return take_ltoir(facts, input);
  if (!facts_of(input.type).has_objects) return;
  for (const std::string_view object : objects_in(input)) take_object(facts, object);
}

ParameterKinds kinds_of(const LinkInput& input) {
  if (input.type == InputType::ptx) return parameter_kinds_of_ptx(input.bytes());
  ParameterKinds kinds;
  if (facts_of(input.type).ltoir == InputTypeFacts::Holds::yes) return kinds;
  if (input.code) return parameter_kinds_of(input.code->info());
  if (!facts_of(input.type).has_objects) return kinds;
  for (const std::string_view object : objects_in(input))
    for (const std::string_view fatbin : fatbins_in(object)) merge_kinds(kinds, parameter_kinds_of_fatbin(fatbin));
  return kinds;
}

}  // namespace

std::optional<LtoirHeader> ltoir_header(std::string_view bytes) {
  // NVVM's container: what it is, its versions, then fields with a number in front.
  struct Header {
    std::uint32_t magic;
    std::uint8_t version[2];
    std::uint8_t ir_version[2];
    std::uint8_t debug_version[2];
    std::uint8_t llvm_version[2];
    std::uint16_t header_size;
    std::uint16_t level;
    std::uint32_t fields_end;
  };
  static_assert(sizeof(Header) == 20);
  constexpr std::uint32_t magic = 0x7f4e43ed;
  constexpr std::uint16_t arch_field = 1;
  constexpr std::uint32_t suffix_field = 0x20;
  if (bytes.size() < sizeof(Header) || value_at<std::uint32_t>(bytes, 0) != magic) return std::nullopt;
  const auto header = value_at<Header>(bytes, 0);
  LtoirHeader info;
  const auto version = [](const std::uint8_t* v) { return std::to_string(v[0]) + '.' + std::to_string(v[1]); };
  info.version = version(header.version) + ", NVVM IR " + version(header.ir_version);
  std::string suffix;
  for (std::uint64_t at = header.header_size; at + 4 <= header.fields_end && at + 4 <= bytes.size(); at += 4) {
    const auto field = value_at<std::uint16_t>(bytes, at);
    const auto value = value_at<std::uint16_t>(bytes, at + 2);
    if (field == arch_field) info.arch = "lto_" + std::to_string(value / 10);
    if (field == suffix_field && value == 1) suffix = "a";
  }
  if (!info.arch.empty()) info.arch += suffix;
  return info;
}

InputFacts facts_of(const LinkInput& input) {
  InputFacts facts;
  try {
    if (input.kept)
      add_arch(facts, input.kept->arch);
    else if (input.path.empty())
      take(facts, input);
  } catch (const Error&) {  // the linker will say what is wrong
  }
  return facts;
}

ParameterKinds parameter_kinds_of(const LinkInput& input) {
  if (!input.path.empty()) return {};
  try {
    return kinds_of(input);
  } catch (const Error&) {  // the linker will say what is wrong
    return {};
  }
}

}  // namespace kiln
