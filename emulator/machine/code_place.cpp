#include "emulator/machine/code_place.hpp"

#include "base/escaped_text.hpp"
#include "base/text_parts.hpp"
#include "emulator/ptx/module.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

namespace kiln::emulator {

namespace {

constexpr std::string_view source_mark = "//kiln-source ", line_mark = "//|";

// What is after the mark of that source.
std::optional<std::string_view> behind_mark(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(source_mark); at != text.npos; at = text.find(source_mark, at + 1)) {
    std::string_view rest = text.substr(at + source_mark.size());
    if (unescaped(next_line(rest)) == name) return rest;
  }
  return std::nullopt;
}

std::optional<std::string> embedded_line(std::string_view text, std::string_view name, std::uint32_t line) {
  auto rest = behind_mark(text, name);
  if (!rest) return std::nullopt;
  std::string_view found;
  for (std::uint32_t i = 0; i < line; ++i) {
    found = next_line(*rest);
    if (!found.starts_with(line_mark)) return std::nullopt;
  }
  return std::string(found.substr(line_mark.size()));
}

std::optional<std::string> line_of_file(const std::string& path, std::uint32_t line) {
  std::ifstream file(path);
  std::string text;
  for (std::uint32_t i = 0; i < line; ++i)
    if (!std::getline(file, text)) return std::nullopt;
  return text;
}

/// The line of a source file; nothing if it cannot be found. Kiln appends the source as comments to the PTX that it
/// makes for the emulator: a line "//kiln-source <name>", then "//|<text>" for each line, where <name> is the .file's
/// name. Other files are read from disk by their .file name.
std::optional<std::string> source_line(const ptx::Module& module, std::uint32_t file, std::uint32_t line) {
  const auto name = module.files.find(file);
  if (name == module.files.end() || line == 0) return std::nullopt;
  if (auto embedded = embedded_line(*module.text, name->second, line)) return embedded;
  return line_of_file(name->second, line);
}

const ptx::Instruction* instruction_at(const Code& code, std::uint32_t instruction) {
  const auto& all = code.source->instructions;
  return instruction < all.size() ? &all[instruction] : nullptr;
}

struct SourcePlace {
  std::string text;            // empty: none
  bool is_of_library = false;  // no line of the program's, as far as is known
};

SourcePlace source_place(const ptx::Module& module, const ptx::Location& location) {
  const auto file = module.files.find(location.file);
  if (file == module.files.end() || location.line == 0) return {};
  SourcePlace place{file->second + ":" + std::to_string(location.line)};
  const auto text = source_line(module, location.file, location.line);
  if (text) place.text += ": " + std::string(trimmed(*text));
  // The compiler's own headers are no files; Kiln's own are those of texture and surface references.
  place.is_of_library = !text || file->second.ends_with("/kiln_texture_references.h") ||
                        file->second.ends_with("/kiln_surface_references.h");
  return place;
}

}  // namespace

std::optional<std::string> embedded_source(std::string_view ptx, std::string_view name) {
  auto rest = behind_mark(ptx, name);
  if (!rest) return std::nullopt;
  std::string text;
  while (rest->starts_with(line_mark)) (text += next_line(*rest).substr(line_mark.size())) += '\n';
  return text;
}

std::string_view without_embedded_sources(std::string_view ptx) { return ptx.substr(0, ptx.find(source_mark)); }

std::string instruction_text(const Code& code, std::uint32_t instruction) {
  constexpr std::size_t most_lines = 64;
  const ptx::Instruction* const found = instruction_at(code, instruction);
  if (found == nullptr) return "ret;";
  // A call has several lines; blanks and tabs align the columns of a listing.
  std::string text;
  for (std::size_t line = found->line; line < found->line + most_lines; ++line) {
    for (const char c : line_text(*code.module->text, line)) {
      const bool is_blank = c == ' ' || c == '\t';
      if (!is_blank || (!text.empty() && text.back() != ' ')) text += is_blank ? ' ' : c;
    }
    if (text.find(';') != text.npos) break;
    text += ' ';
  }
  return text;
}

std::string ptx_place(const Code& code, std::uint32_t instruction) {
  const ptx::Instruction* const found = instruction_at(code, instruction);
  std::string place = found == nullptr ? "the end" : "PTX line " + std::to_string(found->line);
  place += " of " + demangle(std::string(code.source->name));
  return place + ": " + instruction_text(code, instruction);
}

std::vector<std::string> source_places(const Code& code, std::uint32_t instruction) {
  const ptx::Instruction* const found = instruction_at(code, instruction);
  return found == nullptr ? std::vector<std::string>() : source_places(*code.module, *found);
}

std::vector<std::string> source_places(const ptx::Module& module, const ptx::Instruction& instruction) {
  std::vector<SourcePlace> found;
  std::int32_t next = instruction.location;
  // Each place refers to the one that it is inlined at; in a wrong table they may form a cycle.
  for (std::size_t depth = 0; next >= 0 && depth < 64; ++depth) {
    const ptx::Location& location = module.locations.at(static_cast<std::size_t>(next));
    SourcePlace place = source_place(module, location);
    if (!place.text.empty()) found.push_back(std::move(place));
    next = location.inlined_at;
  }
  // What a fetch is made of, inside of a header, says nothing to the program's author.
  auto first = std::find_if(found.begin(), found.end(), [](const SourcePlace& each) { return !each.is_of_library; });
  if (first == found.end()) first = found.begin();
  std::vector<std::string> places;
  for (; first != found.end(); ++first) places.push_back((places.empty() ? "" : "inlined at ") + first->text);
  return places;
}

bool same_source_lines(const CodePlace& a, const CodePlace& b) {
  const auto lines_of = [](const CodePlace& place) {
    std::vector<std::pair<std::string_view, std::uint32_t>> lines;
    const ptx::Instruction* const found = instruction_at(*place.code, place.instruction);
    std::int32_t next = found == nullptr ? -1 : found->location;
    for (std::size_t depth = 0; next >= 0 && depth < 64; ++depth) {
      const ptx::Location& location = place.code->module->locations.at(static_cast<std::size_t>(next));
      const auto file = place.code->module->files.find(location.file);
      if (file != place.code->module->files.end()) lines.emplace_back(file->second, location.line);
      next = location.inlined_at;
    }
    return lines;
  };
  const auto of_a = lines_of(a), of_b = lines_of(b);
  return of_a.empty() || of_b.empty() || of_a == of_b;
}

std::string places_text(const Code& code, std::uint32_t instruction) {
  std::string text = ptx_place(code, instruction);
  for (const std::string& place : source_places(code, instruction)) text += "\n    " + place;
  return text;
}

namespace {

void copy_params(const Frame& from, const std::vector<ParamPlace>& sources, const Frame& to,
                 const std::vector<ParamPlace>& targets, LaneMask lanes) {
  const std::size_t count = std::min(sources.size(), targets.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t size = std::min(sources[i].size, targets[i].size);
    const std::byte* const source = from.params + sources[i].offset;
    std::byte* const target = to.params + targets[i].offset;
    const std::size_t source_step = from.code->param_bytes, target_step = to.code->param_bytes;
    each_lane(lanes,
              [=](unsigned lane) { std::memcpy(target + lane * target_step, source + lane * source_step, size); });
  }
}

}  // namespace

void pass_arguments(const CallSite& site, const Frame& frame, LaneMask lanes) {
  copy_params(*frame.caller, site.arguments, frame, frame.code->params, lanes);
}

void return_results(const Frame& frame, LaneMask lanes) {
  const Step& call = frame.caller->code->steps[frame.call_step];
  const CallSite& site = *static_cast<const CallSite*>(call.data);
  copy_params(frame, frame.code->returns, *frame.caller, site.results, lanes);
}

}  // namespace kiln::emulator
