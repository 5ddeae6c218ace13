#include "compile/option_list.hpp"

#include "compile/path_text.hpp"

#include <algorithm>
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
constexpr ValueOption codes{"-code", "--gpu-code", false};
constexpr ValueOption system_path{"-isystem", "--system-include", false};
constexpr ValueOption generate{"-gencode", "--generate-code", false};
constexpr ValueOption host_option{"-Xcompiler", "--compiler-options", false};
constexpr ValueOption pre_include{"-include", "--pre-include", false};

/// The value where options[at] is this option; steps over a value that stands apart.
std::optional<std::string> value_of(const ValueOption& option, const std::vector<std::string>& options,
                                    std::size_t& at) {
  const std::string& text = options[at];
  for (const std::string_view name : {option.short_name, option.long_name}) {
    if (!starts_with(text, name)) continue;
    const std::string_view rest = std::string_view(text).substr(name.size());
    if (rest.empty()) return at + 1 < options.size() ? options[++at] : std::string();
    if (rest[0] == '=' || rest[0] == ' ') return std::string(rest.substr(1));
    if (option.joins && name == option.short_name) return std::string(rest);
  }
  return std::nullopt;
}

/// Options that write files, or whose result depends on what an earlier compile left (rule C6).
bool has_side_effect(std::string_view option) {
  constexpr std::array<std::string_view, 20> names = {"-pch",
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
                                                      "--device-time-trace",
                                                      "-M",
                                                      "--generate-dep",
                                                      "--generate-nonsystem-dep",
                                                      "--dependency-",
                                                      "-save-temps",
                                                      "--save-temps"};
  for (const std::string_view name : names)
    if (starts_with(option, name)) return true;
  return false;
}

/// What CompileOptions::target decides.
bool names_output(std::string_view option) {
  constexpr std::array<std::string_view, 18> names = {
      "-ptx",   "--ptx",     "-cubin", "--cubin",          "-fatbin",   "--fatbin",
      "-ltoir", "--ltoir",   "-dlto",  "--dlink-time-opt", "-optix-ir", "--optix-ir",
      "-c",     "--compile", "-E",     "--preprocess",     "-o",        "--output-file"};
  return std::find(names.begin(), names.end(), option) != names.end();
}

/// A host compiler's option that searches or reads files, or a file of options.
bool hides_headers(std::string_view option) {
  for (const std::string_view name : {"-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-B",
                                      "--sysroot", "-isysroot", "-nostdinc", "@", "-specs"})
    if (option.find(name) != std::string_view::npos) return true;
  return false;
}

/// An option of nvcc's that reads a file of options or another libdevice, or one of the host compiler's that nvcc
/// forwards where it is told to.
bool brings_files(std::string_view option) {
  for (const std::string_view name :
       {"-optf", "--options-file", "-ldir", "--libdevice-directory", "-iquote", "-idirafter", "-imacros", "-isysroot",
        "--sysroot", "-iprefix", "-iwithprefix", "-nostdinc", "-specs", "--specs", "-B"})
    if (starts_with(option, name)) return true;
  return false;
}

bool embeds_folder(std::string_view option) {
  for (const std::string_view name : {"lineinfo", "line-info", "device-debug"})
    if (option.find(name) != std::string_view::npos) return true;
  return option == "-G";
}

}  // namespace

OptionList read_options(const std::vector<std::string>& options, const std::string& working_folder) {
  OptionList list;
  for (std::size_t at = 0; at < options.size(); ++at) {
    if (auto folder = value_of(include_path, options, at)) {
      list.include_dirs.push_back(absolute_folder(*folder, working_folder));
      list.arguments.push_back("-I" + list.include_dirs.back());
      list.placeless.emplace_back("-I");
    } else if (auto system = value_of(system_path, options, at)) {
      list.system_dirs.push_back(absolute_folder(*system, working_folder));
      list.arguments.push_back("-isystem=" + list.system_dirs.back());
      list.placeless.emplace_back("-isystem");
    } else if (auto arch = value_of(architecture, options, at)) {
      list.arch = *arch;
    } else if (auto code = value_of(codes, options, at)) {
      list.code = *code;
    } else if (auto both = value_of(generate, options, at)) {
      list.lists_archs = true;
      list.arguments.push_back("-gencode=" + *both);
      list.placeless.push_back(list.arguments.back());
    } else if (auto host = value_of(host_option, options, at)) {
      if (hides_headers(*host) && list.hides_headers.empty()) list.hides_headers = "-Xcompiler " + *host;
      list.embeds_working_folder |= *host == "-g";
      list.arguments.push_back("-Xcompiler=" + *host);
      list.placeless.push_back(list.arguments.back());
    } else if (auto file = value_of(pre_include, options, at)) {
      list.forced.push_back(*file);
      list.arguments.push_back("--pre-include=" + *file);
      const bool absolute = file->substr(0, 1) == "/";
      list.placeless.push_back("--pre-include=" + (absolute ? file->substr(file->rfind('/')) : *file));
    } else {
      if (names_output(options[at]) && list.asks_for.empty()) list.asks_for = options[at];
      if (brings_files(options[at])) list.hides_headers = options[at];
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
