#include "compile/options/option_list.hpp"

#include "base/argument_error.hpp"
#include "base/path_text.hpp"
#include "base/word_list.hpp"
#include "compile/options/known_options.hpp"
#include "compile/options/option_files.hpp"

#include <kiln/compile_options.hpp>

#include <algorithm>
#include <cstddef>

namespace kiln {

namespace {

/// Options that write files, or whose result depends on what an earlier compile left.
bool has_side_effect(std::string_view option) {
  return begins_with_any(option,
                         "-pch --pch -create-pch --create-pch -use-pch --use-pch -time --time -keep --keep "
                         "-fdevice-time-trace --fdevice-time-trace -device-time-trace --device-time-trace -M "
                         "--generate-dep --generate-nonsystem-dep --dependency- -save-temps --save-temps");
}

/// A host compiler's option that makes it, or a program that it runs, write a file of the user's.
bool makes_host_write(std::string_view option) {
  constexpr std::string_view beginnings =
      "-M -o -d --dump -save- --save- -fdump -fprofile -ftest-coverage -coverage --coverage -fcallgraph-info "
      "-fstack-usage -aux-info -fopt-info -fsave-optimization-record -fdiagnostics- -ftime- -gsplit-dwarf "
      "--serialize-diagnostics -fplugin -wrapper -X";
  const auto words = passed_words(option);
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return word == "-Wp" || word == "-Wa" || begins_with_any(word, beginnings);
  });
}

/// What nvcc may hand on to the host compiler because it does not know it.
bool may_be_for_host(const ReadOption& option) {
  return option.known == nullptr && !option.text.starts_with("-d") && !option.text.starts_with("-o");
}

/// Of the programs that nvcc runs behind the host compiler: an output of the user's.
bool makes_tool_write(std::string_view option) {
  const auto words = passed_words(option);
  return std::any_of(words.begin(), words.end(), [](std::string_view word) {
    return word.starts_with("-o") ? !word.starts_with("-opt") : word.starts_with("--output-file");
  });
}

/// What CompileOptions::target decides.
bool names_output(std::string_view option) {
  constexpr std::string_view names =
      "-ptx --ptx -cubin --cubin -fatbin --fatbin -ltoir --ltoir -dlto --dlink-time-opt -optix-ir --optix-ir -c "
      "--compile -E --preprocess -o --output-file";
  return has_word(names, option) || begins_with_any(option, "-o= --output-file= -odir --output-directory");
}

/// Options of CUDA Tile C++, with one dash or two, and with or without a value.
bool is_of_tile(std::string_view option) {
  option = option.substr(0, option.find('='));
  return has_word(
      "-enable-tile --enable-tile -tile-only --tile-only -tilefatbin --tilefatbin -tilecubin --tilecubin "
      "-tileir --tileir",
      option);
}

/// An option of GCC's or clang's that searches folders or reads a file other than the source.
bool is_hosts_search(std::string_view option) {
  constexpr std::string_view beginnings =
      "@ -I -i --include -nostdinc --sysroot -B -specs --specs -wrapper -fplugin -fpass- -fprofile -fauto-pro "
      "-fbranch -fmodule -fprebuilt -fimplicit- -Xclang -Xpre -Xassembler --config -config --gcc- -stdlib -cxx- "
      "-fsanitize-ignorelist -fembed -T -fxray -frandomize-layout-seed-file -mllvm -x";
  // What -Wp and -Wa hand on stands behind a comma.
  return begins_with_any(option, beginnings) || option == "-Wp" || option == "-Wa";
}

bool is_hosts_search_any(std::string_view value) {
  const auto words = passed_words(value);
  return std::any_of(words.begin(), words.end(), is_hosts_search);
}

/// An option of nvcc's that reads a file of options or another folder of the toolkit's, or one of the host compiler's
/// that nvcc forwards where an option asks it to.
bool brings_files(std::string_view option) {
  return begins_with_any(option,
                         "-optf --options-file -ldir --libdevice-directory -target-dir --target-directory -noprof "
                         "--dont-use-profile -iquote -idirafter -imacros -isysroot --sysroot -iprefix -iwithprefix "
                         "-nostdinc -specs --specs -B");
}

/// Options whose value Kiln has no other way to look at.
bool may_name_file(const ReadOption& option) {
  if (option.known == nullptr || option.known->long_name.ends_with("-options")) return true;
  return is_option(option, "--apply-controls");
}

void require_value(const ReadOption& option) {
  if (option.known == nullptr || option.known->value == KnownOption::Value::none || !option.value.empty()) return;
  throw_argument_error("the option " + option.text + " lacks its value: give it behind the name, as " +
                           std::string(option.known->long_name) + "=VALUE",
                       "a value", option.text);
}

/// NVRTC (13.3) searches its folder before the program's own.
void refuse_bundled_headers(const std::string& option) {
  const std::string_view name = std::string_view(option).substr(0, option.find_first_of("= "));
  if (name != "--use-bundled-headers" && name != "-use-bundled-headers") return;
  throw_argument_error("the option " + option +
                           " would have its folder searched before include_dirs: leave it out, as Kiln gives NVRTC's "
                           "own headers where there is no toolkit's, or name the folder last in include_dirs",
                       "no --use-bundled-headers", option);
}

bool is_for_tool(const ReadOption& option) {
  return is_option(option, "--ptxas-options") || is_option(option, "--nvlink-options") ||
         is_option(option, "--linker-options") || is_option(option, "--archive-options");
}

/// Of -gencode: "sm_90,compute_90" for "arch=compute_90,code=[sm_90,compute_90]"; its architecture where it names no
/// code, and the whole value where it is no list of architectures.
std::string codes_of(std::string_view value) {
  std::string codes;
  for (const std::string_view word : {"code=", "arch="}) {
    const std::size_t at = value.find(word);
    if (at == std::string_view::npos || !codes.empty()) continue;
    codes = value.substr(at + word.size());
    if (const std::size_t next = codes.find(",arch="); next != std::string::npos) codes.resize(next);
    std::erase_if(codes, [](char c) { return std::string_view("[]\"' ").find(c) != std::string_view::npos; });
  }
  return codes.empty() ? std::string(value) : codes;
}

bool embeds_folder(std::string_view option) {
  for (const std::string_view name : {"lineinfo", "line-info", "device-debug"})
    if (option.find(name) != std::string_view::npos) return true;
  return option == "-G";
}

}  // namespace

OptionList read_options(const std::vector<std::string>& options, const std::string& working_folder) {
  OptionList list;
  for (std::size_t at = 0; at < options.size();) {
    const ReadOption option = read_option(options, at);
    const auto begin = options.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = begin + static_cast<std::ptrdiff_t>(option.words);
    at += option.words;
    require_value(option);
    refuse_bundled_headers(option.text);
    if (may_name_file(option))
      add_possible_names(list.may_be_files, option.known != nullptr ? option.value : option.text);
    const auto add = [&](const std::string& argument, const std::string& path_independent) {
      list.arguments.push_back(argument);
      list.path_independent.push_back(path_independent);
    };
    if (is_option(option, "--include-path")) {
      list.include_dirs.push_back(absolute_folder(option.value, working_folder));
      add("-I" + list.include_dirs.back(), "-I");
    } else if (is_option(option, "--system-include")) {
      list.system_dirs.push_back(absolute_folder(option.value, working_folder));
      add("-isystem=" + list.system_dirs.back(), "-isystem");
    } else if (is_option(option, "--gpu-architecture")) {
      list.arch = option.value;
    } else if (is_option(option, "--gpu-code")) {
      list.code = option.value;
    } else if (is_option(option, "--generate-code")) {
      const std::string codes = codes_of(option.value);
      list.listed_archs += (list.listed_archs.empty() ? "" : ",") + codes;
      add("-gencode=" + option.value, "-gencode=" + option.value);
    } else if (is_option(option, "--compiler-options")) {
      if (is_hosts_search_any(option.value) && list.hides_headers.empty())
        list.hides_headers = "-Xcompiler " + option.value;
      if (makes_host_write(option.value)) list.side_effect = "-Xcompiler " + option.value;
      add("-Xcompiler=" + option.value, "-Xcompiler=" + option.value);
    } else if (is_option(option, "--pre-include")) {
      const std::string& file = option.value;
      list.forced.push_back(file);
      add("--pre-include=" + file, "--pre-include=" + (is_absolute(file) ? file.substr(file.rfind('/')) : file));
    } else {
      if (names_output(option.text) && list.asks_for.empty()) list.asks_for = option.text;
      if (is_of_tile(option.text) && list.asks_for_tile.empty()) list.asks_for_tile = option.text;
      if (brings_files(option.text)) list.hides_headers = option.text;
      const bool writes = has_side_effect(option.text) || (is_for_tool(option) && makes_tool_write(option.value)) ||
                          (may_be_for_host(option) && makes_host_write(option.text));
      if (writes && list.side_effect.empty()) list.side_effect = option.text;
      list.embeds_working_folder |= embeds_folder(option.text);
      // The words as given: they are in the key.
      list.arguments.insert(list.arguments.end(), begin, end);
      list.path_independent.insert(list.path_independent.end(), begin, end);
    }
  }
  return list;
}

std::vector<std::string> split_options(std::string_view text, const char* variable) {
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
  if (quote != 0 && variable != nullptr)
    throw_argument_error(std::string(variable) + ": the quote " + quote + " is not closed in: " + std::string(text),
                         "quotes in pairs", std::string(text));
  if (inside) options.push_back(std::move(current));
  return options;
}

Define::Define(std::string_view text) : name(text.substr(0, text.find('='))) {
  const std::size_t equals = text.find('=');
  value = equals == std::string_view::npos ? "1" : std::string(text.substr(equals + 1));
}

Define::Define(std::string macro, const Dim3& size)
    : name(std::move(macro)),
      value("dim3(" + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " + std::to_string(size.z) + ")") {}

}  // namespace kiln
