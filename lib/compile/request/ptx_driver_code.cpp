#include "compile/request/ptx_driver_code.hpp"

#include "base/escaped_text.hpp"
#include "base/path_text.hpp"
#include "base/text_parts.hpp"
#include "compile/options/target_name.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace kiln {

namespace {

std::string normal(const std::string& folder, const std::string& name) {
  return std::filesystem::path(joined(folder, name)).lexically_normal().string();
}

constexpr std::string_view source_mark = "//kiln-source ";

/// The name in a line such as: .file 1 "/project/kernel.cu"; a view into the line, with its escapes.
std::optional<std::string_view> file_named_in(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos || line.substr(begin, 5) != ".file") return std::nullopt;
  const std::size_t open = line.find('"', begin);
  const std::size_t close = line.rfind('"');
  if (open == std::string_view::npos || close == open) return std::nullopt;
  return line.substr(open + 1, close - open - 1);
}

/// The same, or what stands behind the mark of a source's text.
std::optional<std::string_view> path_in(std::string_view line) {
  if (line.starts_with(source_mark)) return line.substr(source_mark.size());
  return file_named_in(line);
}

/// The PTX with each such path as `change` has it.
template <class Change>
std::string with_changed_paths(std::string_view ptx, Change change) {
  std::string changed;
  changed.reserve(ptx.size() + 256);
  while (!ptx.empty()) {
    const std::string_view rest = ptx;
    const std::string_view line = next_line(ptx);
    const std::string_view whole = rest.substr(0, rest.size() - ptx.size());  // with its end
    if (const auto path = path_in(line)) {
      const auto before = static_cast<std::size_t>(path->data() - whole.data());
      changed.append(whole.substr(0, before)).append(ptx_escaped(change(unescaped(*path))));
      changed.append(whole.substr(before + path->size()));
    } else {
      changed.append(whole);
    }
  }
  return changed;
}

/// Equal requests have as many, in this order.
std::vector<std::string> own_folders(const HeaderSearchPaths& search) {
  std::vector<std::string> folders = {search.working_folder, plain_path(search.source_dir)};
  for (std::size_t i = 0; i < search.own_roots; ++i)
    folders.push_back(search.is_working_folder_root(i) ? plain_path(search.roots.paths[i]) : search.roots.paths[i]);
  return folders;
}

/// A source without a name is no file in the working folder, whatever compilers make of it.
std::string with_bare_name(std::string_view ptx, const std::string& name, const std::string& folder) {
  const std::string wanted = normal(folder, name);
  return with_changed_paths(ptx, [&](const std::string& path) { return normal(folder, path) == wanted ? name : path; });
}

constexpr std::string_view path_mark = "$(kiln ";

struct LineDirective {
  std::size_t line = 0;
  std::string name;  // empty: it stays the same
};

/// #line 12 "name"
std::optional<LineDirective> line_directive_in(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = trimmed(line.substr(1));
  if (line.starts_with("line")) line = trimmed(line.substr(4));
  LineDirective found;
  const char* const end = line.data() + line.size();
  const auto [behind, error] = std::from_chars(line.data(), end, found.line);
  if (error != std::errc()) return std::nullopt;
  const std::size_t open = line.find('"'), close = line.rfind('"');
  if (close != open) found.name = unescaped(line.substr(open + 1, close - open - 1));
  return found;
}

/// The lines that a text has under the name `wanted`, each at its number: #line gives them other names and numbers.
/// Where two have one number it is the last: a line that another program put before the text is not meant.
std::string lines_named(std::string_view text, std::string name, const std::string& wanted, const std::string& folder) {
  constexpr std::size_t most_lines = 100'000;  // a number is what somebody wrote
  text = text.substr(0, text.find('\0'));      // where a compiler stops reading, too
  std::vector<std::string_view> lines;
  bool is_wanted = normal(folder, name) == wanted;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = next_line(text);
    if (const auto directive = line_directive_in(line)) {
      if (!directive->name.empty()) is_wanted = normal(folder, directive->name) == wanted;
      number = directive->line - 1;
    } else if (is_wanted && number - 1 < most_lines) {
      lines.resize(std::max(lines.size(), number));
      lines[number - 1] = line;
    }
  }
  std::string found;
  for (const std::string_view line : lines) found.append(line).append("\n");
  return found;
}

/// What is known here of a file that may be nowhere else; empty for others.
std::string text_of(const std::string& file, const CompilerJob& job, const std::string& folder) {
  const std::string wanted = normal(folder, file);
  std::string text = lines_named(job.source, job.name, wanted, folder);
  for (auto header = job.headers.begin(); text.empty() && header != job.headers.end(); ++header)
    text = lines_named(header->second, header->first, wanted, folder);
  return text;
}

std::string as_comments(std::string_view file, std::string_view text) {
  std::string comments = std::string(source_mark).append(file).append("\n");
  while (!text.empty()) {
    std::string_view line = next_line(text);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    comments.append("//|").append(line).append("\n");
  }
  return comments;
}

}  // namespace

bool is_for_ptx_driver(const CompileContext& context, Target target) {
  return !context.loads_cubin && !context.plain && facts_of(target).is_loadable;
}

void add_line_information(OptionList& options) {
  if (options.embeds_working_folder) return;
  options.arguments.emplace_back("-lineinfo");
  options.path_independent.emplace_back("-lineinfo");
  options.embeds_working_folder = true;
}

std::string with_source_text(std::string ptx, const CompilerJob& job, const std::string& folder) {
  while (!ptx.empty() && ptx.back() == '\0') ptx.pop_back();
  if (job.name == default_source_name) ptx = with_bare_name(ptx, job.name, folder);
  std::string comments;
  for (std::string_view rest = ptx; !rest.empty();)
    if (const auto file = file_named_in(next_line(rest)))
      if (const std::string text = text_of(unescaped(*file), job, folder); !text.empty())
        comments += as_comments(*file, text);
  if (!comments.empty() && ptx.back() != '\n') ptx += '\n';
  return ptx + comments;
}

std::string without_absolute_paths(std::string_view ptx, const HeaderSearchPaths& search) {
  const std::vector<std::string> folders = own_folders(search);
  return with_changed_paths(ptx, [&](const std::string& path) {
    std::size_t longest = 0;
    std::string path_independent = path;
    for (std::size_t i = 0; i < folders.size(); ++i) {
      const auto rest = rest_below(path, folders[i]);
      if (!rest || folders[i].size() <= longest) continue;
      longest = folders[i].size();
      path_independent = std::string(path_mark) + std::to_string(i) + ")/" + *rest;
    }
    return path_independent;
  });
}

std::string with_absolute_paths(std::string_view ptx, const HeaderSearchPaths& search) {
  const std::vector<std::string> folders = own_folders(search);
  return with_changed_paths(ptx, [&](const std::string& path) {
    if (!path.starts_with(path_mark)) return path;
    const char* const end = path.data() + path.size();
    std::size_t folder = 0;
    const auto [behind, error] = std::from_chars(path.data() + path_mark.size(), end, folder);
    if (error != std::errc() || folder >= folders.size() || end - behind < 2) return path;
    return joined(folders[folder], std::string(behind + 2, end));
  });
}

}  // namespace kiln
