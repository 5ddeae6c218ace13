#include "compile/options/known_options.hpp"

#include "base/similar_name.hpp"
#include "base/text_parts.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace kiln {

namespace {

using Value = KnownOption::Value;
constexpr OptionFate keep = OptionFate::keep;
constexpr OptionFate drop = OptionFate::drop;
constexpr OptionFate name = OptionFate::rename;
constexpr OptionFate no = OptionFate::refuses;

/// Neither compiler takes the name with one dash: NVRTC does not know it, and nvcc takes it for -O with a wrong number.
constexpr std::string_view ofast_compile = "-Ofast-compile";

constexpr KnownOption both(std::string_view long_name, std::string_view short_name, Value value, bool path = false) {
  return {long_name, short_name, value, keep, {}, keep, {}, path};
}
/// Linking, the host's code, how nvcc works: nothing that NVRTC's code would show.
constexpr KnownOption not_for_nvrtc(std::string_view long_name, std::string_view short_name, Value value,
                                    bool path = false) {
  return {long_name, short_name, value, drop, {}, keep, {}, path};
}
constexpr KnownOption not_for_nvcc(std::string_view long_name, std::string_view short_name, Value value) {
  return {long_name, short_name, value, keep, {}, drop, {}, false};
}
constexpr KnownOption nvcc_only(std::string_view long_name, std::string_view short_name, Value value,
                                bool path = false) {
  return {long_name, short_name, value, no, {}, keep, {}, path};
}
constexpr KnownOption renamed_for_nvrtc(std::string_view long_name, std::string_view short_name, Value value,
                                        std::string_view nvrtc_name, bool path = false) {
  return {long_name, short_name, value, name, nvrtc_name, keep, {}, path};
}

// From `nvcc --help` and the NVRTC documentation of CUDA 13.0, each tried with both. What both take in one spelling is
// here only for a value that may stand apart.
constexpr std::array table{
    both("--include-path", "-I", Value::joined, true),
    both("--define-macro", "-D", Value::joined),
    both("--undefine-macro", "-U", Value::joined),
    both("--pre-include", "-include", Value::one),
    renamed_for_nvrtc("--system-include", "-isystem", Value::one, "-I", true),
    both("--std", "-std", Value::one),
    both("--gpu-architecture", "-arch", Value::one),
    both("--maxrregcount", "-maxrregcount", Value::one),
    both("--ptxas-options", "-Xptxas", Value::one),
    both("--relocatable-device-code", "-rdc", Value::one),
    both("--ftz", "-ftz", Value::one),
    both("--fmad", "-fmad", Value::one),
    both("--prec-div", "-prec-div", Value::one),
    both("--prec-sqrt", "-prec-sqrt", Value::one),
    both("--dopt", "-dopt", Value::one),
    both("--diag-error", "-diag-error", Value::one),
    both("--diag-suppress", "-diag-suppress", Value::one),
    both("--diag-warn", "-diag-warn", Value::one),
    both("--brief-diagnostics", "-brief-diag", Value::one),
    both("--optimization-info", "-opt-info", Value::one),
    both("--jump-table-density", "-jtd", Value::one),
    both("--device-stack-protector", "-device-stack-protector", Value::one),
    both("--split-compile", "-split-compile", Value::one),
    both("--Ofast-compile", "-Ofc", Value::one),
    both("--Ofast-compile", ofast_compile, Value::one),
    both("--frandom-seed", "-frandom-seed", Value::one),
    both("--time", "-time", Value::one, true),
    both("--fdevice-time-trace", "-fdevice-time-trace", Value::one, true),
    both("--generate-line-info", "-lineinfo", Value::none),  // and not the library "ineinfo"
    both("--dlink-time-opt", "-dlto", Value::none),
    renamed_for_nvrtc("--lto", "-lto", Value::none, "-dlto"),
    renamed_for_nvrtc("--resource-usage", "-res-usage", Value::none, "--ptxas-options=-v"),
    renamed_for_nvrtc("--no-host-device-move-forward", "-nohdmoveforward", Value::none, "--builtin-move-forward=false"),
    renamed_for_nvrtc("--no-host-device-initializer-list", "-nohdinitlist", Value::none,
                      "--builtin-initializer-list=false"),
    // A value of true is what nvcc does anyway.
    KnownOption{
        "--builtin-move-forward", "-builtin-move-forward", Value::one, keep, {}, name, "-nohdmoveforward", false},
    KnownOption{
        "--builtin-initializer-list", "-builtin-initializer-list", Value::one, keep, {}, name, "-nohdinitlist", false},
    // NVRTC's own. nvcc always has 128-bit types; its host functions may be unannotated; it has no cache to turn off.
    not_for_nvcc("--device-as-default-execution-space", "-default-device", Value::none),
    not_for_nvcc("--device-int128", "-device-int128", Value::none),
    not_for_nvcc("--device-float128", "-device-float128", Value::none),
    not_for_nvcc("--minimal", "-minimal", Value::none),
    not_for_nvcc("--no-cache", "-no-cache", Value::none),
    not_for_nvcc("--modify-stack-limit", "-modify-stack-limit", Value::one),
    not_for_nvcc("--pch", "-pch", Value::none),
    not_for_nvcc("--create-pch", "-create-pch", Value::one),
    not_for_nvcc("--use-pch", "-use-pch", Value::one),
    not_for_nvcc("--pch-dir", "-pch-dir", Value::one),
    not_for_nvcc("--pch-verbose", "-pch-verbose", Value::one),
    not_for_nvcc("--pch-messages", "-pch-messages", Value::one),
    not_for_nvcc("--instantiate-templates-in-pch", "-instantiate-templates-in-pch", Value::one),
    // The host's code.
    not_for_nvrtc("--debug", "-g", Value::none),
    not_for_nvrtc("--optimize", "-O", Value::number),
    not_for_nvrtc("--profile", "-pg", Value::none),
    not_for_nvrtc("--no-exceptions", "-noeh", Value::none),
    not_for_nvrtc("--machine", "-m", Value::number),
    not_for_nvrtc("--m64", "--m64", Value::none),
    not_for_nvrtc("--x", "-x", Value::one),
    not_for_nvrtc("--compiler-bindir", "-ccbin", Value::one, true),
    not_for_nvrtc("--allow-unsupported-compiler", "-allow-unsupported-compiler", Value::none),
    not_for_nvrtc("--forward-unknown-to-host-compiler", "-forward-unknown-to-host-compiler", Value::none),
    not_for_nvrtc("--forward-unknown-to-host-linker", "-forward-unknown-to-host-linker", Value::none),
    not_for_nvrtc("--forward-unknown-opts", "-forward-unknown-opts", Value::none),
    not_for_nvrtc("--default-stream", "-default-stream", Value::one),
    not_for_nvrtc("--static-global-template-stub", "-static-global-template-stub", Value::one),
    not_for_nvrtc("--device-entity-has-hidden-visibility", "-device-entity-has-hidden-visibility", Value::one),
    // Linking.
    not_for_nvrtc("--library", "-l", Value::joined),
    not_for_nvrtc("--library-path", "-L", Value::joined, true),
    not_for_nvrtc("--linker-options", "-Xlinker", Value::one),
    not_for_nvrtc("--archive-options", "-Xarchive", Value::one),
    not_for_nvrtc("--nvlink-options", "-Xnvlink", Value::one),
    not_for_nvrtc("--cudart", "-cudart", Value::one),
    not_for_nvrtc("--cudadevrt", "-cudadevrt", Value::one),
    not_for_nvrtc("--no-compress", "-no-compress", Value::none),
    not_for_nvrtc("--compress-mode", "-compress-mode", Value::one),
    // How nvcc works and what it says. What makes an error of a warning is not here: that changes what is accepted.
    not_for_nvrtc("--verbose", "-v", Value::none),
    not_for_nvrtc("--threads", "-t", Value::number),
    not_for_nvrtc("--keep", "-keep", Value::none),
    not_for_nvrtc("--save-temps", "-save-temps", Value::none),
    not_for_nvrtc("--keep-dir", "-keep-dir", Value::one, true),
    not_for_nvrtc("--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit", Value::one),
    not_for_nvrtc("--Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets", Value::none),
    not_for_nvrtc("--Wno-deprecated-declarations", "-Wno-deprecated-declarations", Value::none),
    not_for_nvrtc("--Wreorder", "-Wreorder", Value::none),
    not_for_nvrtc("--Wdefault-stream-launch", "-Wdefault-stream-launch", Value::none),
    not_for_nvrtc("--Wmissing-launch-bounds", "-Wmissing-launch-bounds", Value::none),
    not_for_nvrtc("--Wext-lambda-captures-this", "-Wext-lambda-captures-this", Value::none),
    // A source that relies on it is refused by NVRTC with 'not allowed in JIT mode', for which there are other ways.
    not_for_nvrtc("--expt-relaxed-constexpr", "-expt-relaxed-constexpr", Value::none),
    nvcc_only("--extended-lambda", "-extended-lambda", Value::none),
    nvcc_only("--expt-extended-lambda", "-expt-extended-lambda", Value::none),
    nvcc_only("--ftemplate-depth", "-ftemplate-depth", Value::one),
    nvcc_only("--compiler-options", "-Xcompiler", Value::one),
    nvcc_only("--generate-code", "-gencode", Value::one),
    nvcc_only("--gpu-code", "-code", Value::one),
    nvcc_only("--entries", "-e", Value::one),
    nvcc_only("--Werror", "-Werror", Value::one),
    nvcc_only("--keep-device-functions", "-keep-device-functions", Value::none),
    nvcc_only("--source-in-ptx", "-src-in-ptx", Value::none),
    nvcc_only("--sanitize", "-sanitize", Value::one),
    nvcc_only("--split-compile-extended", "-split-compile-extended", Value::one),
    nvcc_only("--libdevice-directory", "-ldir", Value::one, true),
    nvcc_only("--target-directory", "-target-dir", Value::one),
    nvcc_only("--dont-use-profile", "-noprof", Value::none),
    nvcc_only("--options-file", "-optf", Value::one, true),
    nvcc_only("--apply-controls", "-apply-controls", Value::one, true),
};

/// The values of options that are dropped or renamed for one compiler, where not every text is one.
struct Values {
  std::string_view option;
  std::string_view values;  // separated by '|'; "#" is a number
};
constexpr std::string_view truths = "true|false";
constexpr std::array values{
    Values{"--optimize", "#"},
    Values{"--threads", "#"},
    Values{"--ftemplate-backtrace-limit", "#"},
    Values{"--machine", "64"},
    Values{"--x", "cu"},
    Values{"--default-stream", "legacy|null|per-thread"},
    Values{"--cudart", "none|shared|static"},
    Values{"--cudadevrt", "none|static"},
    Values{"--compress-mode", "default|size|speed|balance|none"},
    Values{"--static-global-template-stub", truths},
    Values{"--device-entity-has-hidden-visibility", truths},
    Values{"--builtin-move-forward", truths},
    Values{"--builtin-initializer-list", truths},
    Values{"--modify-stack-limit", truths},
    Values{"--pch-verbose", truths},
    Values{"--pch-messages", truths},
    Values{"--instantiate-templates-in-pch", truths},
};

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_one_of(std::string_view value, std::string_view list) {
  while (!list.empty())
    if (next_part(list, '|') == value) return true;
  return false;
}

/// What follows `spelling` in `text`: nothing where it is another option.
std::optional<std::string_view> rest_behind(std::string_view text, std::string_view spelling, Value value) {
  if (!text.starts_with(spelling)) return std::nullopt;
  const std::string_view rest = text.substr(spelling.size());
  if (rest.empty() || rest[0] == '=' || rest[0] == ' ' || rest[0] == '\t') return rest;
  const bool joins = value == Value::joined || (value == Value::number && rest[0] >= '0' && rest[0] <= '9');
  return joins ? std::optional(rest) : std::nullopt;
}

std::optional<ReadOption> read_as(const KnownOption& known, std::string_view spelling, Value value,
                                  const std::vector<std::string>& options, std::size_t at) {
  const std::string_view text = trimmed(options[at]);
  const auto rest = rest_behind(text, spelling, value);
  if (!rest) return std::nullopt;
  ReadOption found{&known, {}, std::string(text), 1};
  // With something behind it, it is no option: neither this one nor a short one that begins alike, as "-lineinfo -G"
  // would be the library "ineinfo -G".
  if (known.value == Value::none) return rest->empty() ? found : ReadOption{nullptr, {}, std::string(text), 1};
  if (!rest->empty()) {
    found.value = std::string(rest->front() == '=' ? rest->substr(1) : trimmed(*rest));
    if (rest->front() == ' ' || rest->front() == '\t') found.text = std::string(spelling) + "=" + found.value;
  } else if (at + 1 < options.size()) {
    found.value = options[at + 1];
    found.text += "=" + found.value;
    found.words = 2;
  }
  if (spelling == ofast_compile) found.text = std::string(known.long_name) + "=" + found.value;
  return found;
}

}  // namespace

ReadOption read_option(const std::vector<std::string>& options, std::size_t at) {
  const std::string_view text = trimmed(options[at]);
  for (const KnownOption& known : table)
    for (const std::string_view spelling : {known.long_name, known.short_name})
      if (auto found = read_as(known, spelling, Value::one, options, at)) return *found;
  // Only what is no whole name of another, so that "-lineinfo" is not taken for a library. Misspelt it is none either:
  // libraries are dropped, and so would be the line information, with no word.
  if (text.starts_with("-l") && !similar_name(text, {"-lineinfo"}).empty()) return {nullptr, {}, std::string(text), 1};
  for (const KnownOption& known : table)
    if (auto found = read_as(known, known.short_name, known.value, options, at)) return *found;
  return {nullptr, {}, std::string(text), 1};
}

bool is_option(const ReadOption& option, std::string_view long_name) {
  return option.known != nullptr && option.known->long_name == long_name;
}

bool has_fitting_value(const ReadOption& option) {
  if (option.known == nullptr || option.known->value == Value::none) return true;
  const auto known = std::find_if(values.begin(), values.end(),
                                  [&](const Values& one) { return one.option == option.known->long_name; });
  if (known != values.end())
    return known->values == "#" ? is_number(option.value) : is_one_of(option.value, known->values);
  // What stands behind an option without its value is another option; only -Xlinker and the like hand on options.
  const bool hands_on = option.known->long_name.ends_with("-options");
  return !option.value.empty() && (hands_on || option.value.front() != '-');
}

std::vector<std::string> passed_words(std::string_view value) {
  std::vector<std::string> words(1);
  for (const char c : value) {
    if (std::string_view(", \t\n").find(c) != std::string_view::npos) {
      words.emplace_back();
    } else if (std::string_view("\"'\\").find(c) == std::string_view::npos) {
      words.back() += c;
    }
  }
  std::erase(words, std::string());
  return words;
}

std::vector<std::string> macros_of_option(const ReadOption& option) {
  std::vector<std::string> macros;
  if (is_option(option, "--define-macro") || is_option(option, "--undefine-macro")) macros.push_back(option.value);
  if (is_option(option, "--compiler-options"))
    for (const std::string& word : passed_words(option.value))
      if (word.starts_with("-D") || word.starts_with("-U")) macros.push_back(word.substr(2));
  for (std::string& macro : macros) macro.resize(std::min(macro.find_first_of("=("), macro.size()));
  return macros;
}

const KnownOption* known_options(std::size_t& count) {
  count = table.size();
  return table.data();
}

}  // namespace kiln
