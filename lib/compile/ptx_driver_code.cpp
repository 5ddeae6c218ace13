#include "compile/ptx_driver_code.hpp"

#include "base/path_text.hpp"
#include "base/text_parts.hpp"

#include <filesystem>
#include <optional>
#include <string_view>

namespace kiln {

namespace {

std::string normal(const std::string& folder, const std::string& name) {
  return std::filesystem::path(joined(folder, name)).lexically_normal().string();
}

/// The name in a line such as: .file 1 "/project/kernel.cu"
std::optional<std::string> file_named_in(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos || line.substr(begin, 5) != ".file") return std::nullopt;
  const std::size_t open = line.find('"', begin);
  const std::size_t close = open == std::string_view::npos ? open : line.find('"', open + 1);
  if (close == std::string_view::npos) return std::nullopt;
  return std::string(line.substr(open + 1, close - open - 1));
}

/// The text of a file that is nowhere but here; null for others.
const std::string* text_of(const std::string& file, const CompilerJob& job, const std::string& folder) {
  const std::string wanted = normal(folder, file);
  if (wanted == normal(folder, job.name)) return &job.source;
  for (const auto& [name, text] : job.headers)
    if (wanted == normal(folder, name)) return &text;
  return nullptr;
}

std::string as_comments(const std::string& file, std::string_view text) {
  std::string comments = "//kiln-source " + file + "\n";
  // Where a compiler stops reading, too.
  for (text = text.substr(0, text.find('\0')); !text.empty();) {
    std::string_view line = next_line(text);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    comments.append("//|").append(line).append("\n");
  }
  return comments;
}

}  // namespace

bool is_for_ptx_driver(const CompileWish& wish, Target target) {
  return !wish.loads_cubin && !wish.plain &&
         (target == Target::cubin || target == Target::ptx || target == Target::fatbin);
}

void add_line_information(OptionList& options) {
  if (options.embeds_working_folder) return;
  options.arguments.emplace_back("-lineinfo");
  options.placeless.emplace_back("-lineinfo");
  options.embeds_working_folder = true;
}

std::string with_source_text(std::string ptx, const CompilerJob& job, const std::string& folder) {
  while (!ptx.empty() && ptx.back() == '\0') ptx.pop_back();
  std::string comments;
  for (std::string_view rest = ptx; !rest.empty();)
    if (const auto file = file_named_in(next_line(rest)))
      if (const std::string* text = text_of(*file, job, folder)) comments += as_comments(*file, *text);
  if (!comments.empty() && ptx.back() != '\n') ptx += '\n';
  return ptx + comments;
}

}  // namespace kiln
