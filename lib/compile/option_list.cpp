#include "compile/option_list.hpp"

#include <array>
#include <optional>

namespace kiln {

namespace {

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

/// One option that takes a value, in the spellings that NVRTC accepts.
struct ValueOption {
  std::string_view short_name;
  std::string_view long_name;
  bool joins;  // -Idir
};

constexpr ValueOption include_path{"-I", "--include-path", true};
constexpr ValueOption architecture{"-arch", "--gpu-architecture", false};
constexpr ValueOption pre_include{"-include", "--pre-include", false};

/// The value where options[at] is this option; steps over a value that stands apart.
std::optional<std::string> value_of(const ValueOption& option, const std::vector<std::string>& options,
                                    std::size_t& at) {
  const std::string& text = options[at];
  for (const std::string_view name : {option.short_name, option.long_name}) {
    if (!starts_with(text, name)) continue;
    const std::string_view rest = std::string_view(text).substr(name.size());
    if (rest.empty()) return at + 1 < options.size() ? options[++at] : std::string();
    if (rest[0] == '=') return std::string(rest.substr(1));
    if (rest[0] == ' ') return std::string(rest.substr(1));
    if (option.joins && name == option.short_name) return std::string(rest);
  }
  return std::nullopt;
}

/// Options that write files, or whose result depends on what an earlier compile left (rule C6).
bool has_side_effect(std::string_view option) {
  constexpr std::array<std::string_view, 14> names = {"-pch",
                                                      "--pch",
                                                      "-create-pch",
                                                      "--create-pch",
                                                      "-use-pch",
                                                      "--use-pch",
                                                      "-time",
                                                      "--time",
                                                      "-keep",
                                                      "--keep",
                                                      "-fdevice-time-trace",
                                                      "--fdevice-time-trace",
                                                      "-device-time-trace",
                                                      "--device-time-trace"};
  for (const std::string_view name : names)
    if (starts_with(option, name)) return true;
  return false;
}

bool embeds_folder(std::string_view option) {
  for (const std::string_view name : {"lineinfo", "line-info", "device-debug"})
    if (option.find(name) != std::string_view::npos) return true;
  return option == "-G";
}

}  // namespace

std::string absolute_folder(const std::string& path, const std::string& working_folder) {
  std::string folder = path.substr(0, 1) == "/" ? path : (working_folder == "/" ? "" : working_folder) + "/" + path;
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder;
}

std::string folder_of_name(const std::string& name, const std::string& working_folder) {
  const std::size_t slash = name.rfind('/');
  if (slash == std::string::npos) return working_folder;
  return absolute_folder(name.substr(0, slash == 0 ? 1 : slash), working_folder);
}

OptionList read_options(const std::vector<std::string>& options, const std::string& working_folder) {
  OptionList list;
  for (std::size_t at = 0; at < options.size(); ++at) {
    if (auto folder = value_of(include_path, options, at)) {
      list.include_dirs.push_back(absolute_folder(*folder, working_folder));
      list.arguments.push_back("-I" + list.include_dirs.back());
      list.placeless.emplace_back("-I");
    } else if (auto arch = value_of(architecture, options, at)) {
      list.arch = *arch;
    } else if (auto file = value_of(pre_include, options, at)) {
      list.forced.push_back(*file);
      list.arguments.push_back("--pre-include=" + *file);
      const bool absolute = file->substr(0, 1) == "/";
      list.placeless.push_back("--pre-include=" + (absolute ? file->substr(file->rfind('/')) : *file));
    } else {
      if (has_side_effect(options[at]) && list.side_effect.empty()) list.side_effect = options[at];
      list.embeds_working_folder |= embeds_folder(options[at]);
      list.arguments.push_back(options[at]);
      list.placeless.push_back(options[at]);
    }
  }
  return list;
}

std::vector<std::string> split_options(std::string_view text) {
  std::vector<std::string> options;
  std::string current;
  bool inside = false;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0 ? c == quote : (c == '"' || c == '\'')) {
      quote = quote != 0 ? '\0' : c;
      inside = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (inside) options.push_back(std::move(current));
      current.clear();
      inside = false;
    } else {
      current.push_back(c);
      inside = true;
    }
  }
  if (inside) options.push_back(std::move(current));
  return options;
}

}  // namespace kiln
