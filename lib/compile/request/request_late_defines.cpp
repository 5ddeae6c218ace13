#include "base/argument_error.hpp"
#include "base/identifier.hpp"
#include "base/word_list.hpp"
#include "compile/headers/late_defines.hpp"
#include "compile/headers/leading_lines.hpp"
#include "compile/options/known_options.hpp"
#include "compile/request/request.hpp"

#include <algorithm>

namespace kiln {

namespace {

[[noreturn]] void refuse_macro(const Define& define, const std::string& fault, const std::string& expected) {
  throw_argument_error("late_defines: \"" + define.name + "\" " + fault, expected, define.name);
}

constexpr std::string_view keywords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl "
    "concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default "
    "delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long "
    "mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register "
    "reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template "
    "this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while "
    "xor xor_eq";

/// Macros and words of C++ and CUDA that every compile has before the first line. Others that begin with "__" are the
/// user's as far as Kiln knows.
constexpr std::string_view predefined =
    "defined __LINE__ __FILE__ __DATE__ __TIME__ __TIMESTAMP__ __COUNTER__ __INCLUDE_LEVEL__ __BASE_FILE__ "
    "__VA_ARGS__ __VA_OPT__ __func__ __FUNCTION__ __PRETTY_FUNCTION__ __cplusplus __has_include __has_cpp_attribute "
    "__host__ __device__ __global__ __shared__ __constant__ __managed__ __grid_constant__ __launch_bounds__ "
    "__cluster_dims__ __block_size__ __maxnreg__ __restrict__ __restrict __forceinline__ __noinline__ __inline__ "
    "__inline __align__ __nv_pure__ __local_maxnreg__ __asm__ __attribute__ __volatile__ __extension__ __typeof__ "
    "__signed__ __const__ _Pragma";
constexpr std::string_view predefined_prefixes = "__CUDA __NVCC __NVRTC __NV_ __STDC __GNUC __GNUG __cpp_ __EDG";

void require_own_name(const Define& define) {
  const std::string_view word = macro_word(define.name);
  if (has_word(keywords, word))
    refuse_macro(define, "is a keyword of C++, whose meaning would change in the middle of the source", "another name");
  if (has_word(predefined, word) || begins_with_any(word, predefined_prefixes))
    refuse_macro(define, "is the compiler's own: give the macro another name", "another name");
}

/// "(a, b)" or "(a, ...)", and blanks around.
bool are_parameters(std::string_view text) {
  return text.size() > 1 && text.front() == '(' && text.back() == ')' &&
         std::all_of(text.begin() + 1, text.end() - 1,
                     [](char c) { return is_of_identifier(c) || c == ',' || c == ' ' || c == '.'; });
}

/// The directive must end with its line, and name what the checks look for.
void require_directive(const Define& define) {
  const std::string_view word = macro_word(define.name);
  const std::string_view rest = std::string_view(define.name).substr(word.size());
  const bool starts_well = !word.empty() && (word[0] < '0' || word[0] > '9');
  if (!starts_well || !std::all_of(word.begin(), word.end(), is_of_identifier) ||
      (!rest.empty() && !are_parameters(rest)))
    refuse_macro(define, "is no name of a macro: write one such as TILE, or SQUARE(x) with the macro's parameters",
                 "a name such as TILE, or SQUARE(x) with a macro's parameters");
  require_own_name(define);
  const std::string text = define.name + " " + define.value;
  if (text.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos || text.ends_with("\\") ||
      text.ends_with("?\?/") || may_go_on(text))
    refuse_macro(
        define,
        "would not end with its line: it has a line's end, \"/*\" without \"*/\", a raw string, or a backslash "
        "at its end; put it among defines",
        "one line");
}

/// Where else the macro is defined or undefined, in words; empty where it is not.
std::string other_place(std::string_view word, const CompileOptions& options, const CompilerJob& job) {
  const auto is_it = [word](const std::string& macro) { return macro == word; };
  for (const Define& define : options.defines)
    if (macro_word(define.name) == word) return "defined twice, here and in defines";
  for (std::size_t at = 0; at < job.arguments.size();) {
    const ReadOption option = read_option(job.arguments, at);
    const std::vector<std::string> macros = macros_of_option(option);
    if (std::any_of(macros.begin(), macros.end(), is_it))
      return "also defined or undefined by the option " + option.text;
    at += option.words;
  }
  for (const auto& [name, value] : job.late_defines)
    if (macro_word(name) == word) return "defined twice in late_defines, as " + name + "=" + value + " before";
  return {};
}

void require_unread(const CompilerJob& job, std::string_view leading, std::string_view word) {
  if (const auto line = line_of_word(leading, word)) refuse_late_define(word, "\"" + job.name + "\"", *line);
  for (const auto& [name, text] : job.headers)
    if (const auto line = line_of_word(text, word))
      refuse_late_define(word, "the in-memory header \"" + name + "\"", *line);
}

}  // namespace

void resolve_late_defines(Request& request, const CompileOptions& options) {
  if (options.late_defines.empty()) return;
  CompilerJob& job = request.job;
  const std::string_view leading = std::string_view(job.source).substr(0, leading_lines(job.source).size);
  for (const Define& define : options.late_defines) {
    require_directive(define);
    const std::string_view word = macro_word(define.name);
    if (const std::string place = other_place(word, options, job); !place.empty())
      refuse_macro(define, "is " + place + ": leave one of them out", "one definition");
    require_unread(job, leading, word);
    job.late_defines.emplace_back(define.name, define.value);
  }
}

}  // namespace kiln
