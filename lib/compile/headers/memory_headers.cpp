#include "compile/headers/memory_headers.hpp"

#include "base/argument_error.hpp"
#include "base/escaped_text.hpp"
#include "base/files.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"
#include "compile/compiler/odd_character.hpp"
#include "compile/headers/source_scan.hpp"
#include "compile/stand_ins/stand_in_headers.hpp"

#include <filesystem>
#include <optional>

namespace kiln {

namespace {

std::string normal_name(const std::string& name) { return std::filesystem::path(name).lexically_normal().string(); }

bool is_stand_in(const std::string& name, const std::string& text) {
  if (name == host_macros_header) return true;  // its lines vary
  const auto stand_in = stand_in_headers().find(name);
  return stand_in != stand_in_headers().end() && stand_in->second == text;
}

/// As an #include has it.
std::string spelled(const std::string& path) {
  return path.find('"') == std::string::npos ? '"' + path + '"' : '<' + path + '>';
}

/// Whether everything that the text names is an in-memory header, by the name that it spells.
bool names_suffice_in(const CompilerJob& job, const std::string& folder, std::string_view text) {
  if (!may_include(text)) return true;
  const SourceScan scan = scan_source(text);
  if (scan.macro_include || scan.macro_has_include) return false;
  for (const auto* names : {&scan.includes, &scan.has_includes})
    for (const HeaderName& header : *names) {
      const std::string meant = memory_header_for(job.headers, folder, header.name, header.quoted);
      if (header.next || meant.empty() || meant != header.name) return false;
    }
  return true;
}

/// The file of that header, as an #include spells it; nothing where it is given to NVRTC by its name.
std::optional<std::string> spelled_file(const CompilerJob& job, const std::string& name) {
  const auto header = job.headers.find(name);
  if (header == job.headers.end() || !is_file_header(name, header->second)) return std::nullopt;
  return spelled(job.header_folder + "/" + name);
}

}  // namespace

bool is_header_file_name(const std::string& name) {
  const std::string normal = normal_name(name);
  return !normal.empty() && normal != "." && normal.front() != '/' && normal.back() != '/' && normal != ".." &&
         normal.compare(0, 3, "../") != 0;
}

std::map<std::string, std::string> normal_headers(const std::map<std::string, std::string>& headers) {
  std::map<std::string, std::string> normal;
  for (const auto& [name, text] : headers) {
    if (text.find('\0') != std::string::npos)
      throw_argument_error(zero_byte_text("the in-memory header \"" + name + "\"", text), "text", "a zero byte");
    const std::string_view plain = without_byte_order_mark(text);
    const auto [entry, is_new] = normal.emplace(is_header_file_name(name) ? normal_name(name) : name, plain);
    if (!is_new && entry->second != plain)
      throw_argument_error("two in-memory headers of different texts are one file, \"" + entry->first + "\"",
                           "one text", name);
  }
  return normal;
}

std::vector<std::string> memory_header_names(const std::string& folder, const std::string& name, bool quoted) {
  std::vector<std::string> names;
  if (quoted && !folder.empty() && !is_absolute(name)) names.push_back(normal_name(folder + "/" + name));
  names.push_back(is_header_file_name(name) ? normal_name(name) : name);
  return names;
}

std::string memory_header_for(const std::map<std::string, std::string>& headers, const std::string& folder,
                              const std::string& name, bool quoted) {
  for (std::string& one : memory_header_names(folder, name, quoted))
    if (headers.count(one) != 0) return std::move(one);
  return {};
}

bool names_suffice(const CompilerJob& job) {
  for (const auto& [name, text] : job.headers) {
    if (is_stand_in(name, text)) continue;
    // Where NVRTC stops reading, but not in a file.
    if (text.find('\xff') != std::string::npos) return false;
    if (!names_suffice_in(job, folder_of(name), text)) return false;
  }
  return names_suffice_in(job, {}, job.source);
}

bool is_file_header(const std::string& name, const std::string& text) {
  return is_header_file_name(name) && !is_stand_in(name, text);
}

std::string named_text(const std::string& name, std::string_view text) {
  return "#line 1 " + line_name(name) + "\n" + std::string(without_byte_order_mark(text));
}

std::string header_file_text(const CompilerJob& job, const std::string& name, const std::string& source_dir) {
  const std::string folder = folder_of(name);
  const auto path_for = [&](const HeaderName& header) -> std::optional<std::string> {
    if (!header.quoted || header.next || is_absolute(header.name)) return std::nullopt;
    const std::string meant = memory_header_for(job.headers, folder, header.name, true);
    if (!meant.empty()) return spelled_file(job, meant);
    const std::string beside_source = joined(source_dir, header.name);
    return is_regular_file(beside_source) ? std::optional(spelled(beside_source)) : std::nullopt;
  };
  return named_text(name, replace_header_names(job.headers.at(name), path_for));
}

std::string source_with_header_files(const CompilerJob& job) {
  return replace_header_names(job.source, [&](const HeaderName& header) -> std::optional<std::string> {
    if (!header.quoted || header.next) return std::nullopt;
    return spelled_file(job, memory_header_for(job.headers, {}, header.name, true));
  });
}

}  // namespace kiln
