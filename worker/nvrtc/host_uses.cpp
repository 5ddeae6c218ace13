#include "worker/nvrtc/host_uses.hpp"

#include "base/source_token.hpp"
#include "base/word_list.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace kiln {

namespace {

// Macros that differ: those of `g++ -dM -E` that Kiln does not give NVRTC (kiln_host_macros.h), those that only nvcc or
// NVRTC adds, and those of host headers that nvcc includes before every source.
constexpr std::string_view names_of_host =
    "__NVCC__ __COUNTER__ __EDG__ __EDG_VERSION__ __OPTIMIZE__ __STRICT_ANSI__ __VERSION__ __DEPRECATED __NO_INLINE__ "
    "__PIC__ __pic__ __PIE__ __pie__ __REGISTER_PREFIX__ __USER_LABEL_PREFIX__ __HAVE_SPECULATION_SAFE_VALUE "
    "__BIGGEST_ALIGNMENT__ __DECIMAL_DIG__ __DEC_EVAL_METHOD__ __DECIMAL_BID_FORMAT__ "
    "__FLT_EVAL_METHOD_TS_18661_3__ __SIZEOF_FLOAT80__ __SIZEOF_FLOAT128__ __STDCPP_THREADS__ _STDC_PREDEF_H "
    "__ELF__ __STDCPP_DEFAULT_NEW_ALIGNMENT__ _GNU_SOURCE __FILE_NAME__ __CHAR_UNSIGNED__ "
    "__cpp_digit_separators __cpp_hex_float __cpp_binary_literals __cpp_constexpr_in_decltype __cpp_impl_coroutine "
    "__cpp_nontype_template_parameter_class __cpp_runtime_arrays __cpp_rvalue_reference __cpp_template_auto "
    "__cpp_unicode_characters __FLT_IS_IEC_60559__ __DBL_IS_IEC_60559__ __BITINT_MAXWIDTH__ "
    "CUDA_DOUBLE_MATH_FUNCTIONS";
#ifdef __aarch64__
constexpr std::string_view names_of_architecture =
    "__AARCH64_CMODEL_SMALL__ __FLT_EVAL_METHOD_C99__ __FP_FAST_FMA __FP_FAST_FMAF __FP_FAST_FMAF32 __FP_FAST_FMAF32x "
    "__FP_FAST_FMAF64";
#else
constexpr std::string_view names_of_architecture = "__code_model_small__ __FXSR__";
#endif
constexpr std::string_view host_prefixes =
    "__GNUC __GNUG __GXX_ __GCC_ __GLIBC _GLIBCXX_ __LDBL_ __BFLT16_ __CET__ __SSP_ __FLT16_ __FLT32 __FLT64 __FLT128_ "
    "__DEC32_ __DEC64_ "
    "__DEC128_ __ATOMIC_ __SSE __MMX __SEG_ __ARM_ __STDC_IEC_ __STDC_UTF_ __STDC_ISO_";

constexpr std::string_view names_of_64_bits =
    "int64_t uint64_t int_least64_t uint_least64_t int_fast16_t uint_fast16_t int_fast32_t uint_fast32_t int_fast64_t "
    "uint_fast64_t intmax_t uintmax_t intptr_t uintptr_t";

/// After these a parenthesis or an angle bracket does not begin parameters or template arguments.
constexpr std::string_view conversions =
    "sizeof alignof static_cast reinterpret_cast const_cast if while for switch return";

class UsesReader {
 public:
  explicit UsesReader(std::string_view text) : text_(text) {}

  HostUses run() {
    for (std::size_t at = 0; at < text_.size();) {
      const SourceToken token = source_token(text_, at);
      const std::string_view spelled = text_.substr(at, token.size);
      at += token.size;
      using Kind = SourceTokenKind;
      if (token.kind == Kind::newline) end_line();
      if (token.kind == Kind::word) read_word(spelled);
      if (token.kind == Kind::word || token.kind == Kind::mark || token.kind == Kind::number) push(spelled);
    }
    end_line();
    return std::move(uses_);
  }

 private:
  enum class Directive { none, other, name, condition };

  /// A condition may name __CUDACC_RTC__ after another macro.
  void end_line() {
    if (line_tests_for_nvrtc_ && directive_ != Directive::none && !groups_.empty()) groups_.back() = true;
    const bool is_meant = !groups_.empty() && groups_.back();
    if (uses_.macro.empty() && !is_meant) uses_.macro = line_macro_;
    directive_ = Directive::none;
    line_macro_ = {};
    line_tests_for_nvrtc_ = false;
  }
  void begin_directive(std::string_view word) {
    const bool is_name = word == "ifdef" || word == "ifndef";
    directive_ = is_name ? Directive::name : word == "if" || word == "elif" ? Directive::condition : Directive::other;
    if (is_name || word == "if") groups_.push_back(!groups_.empty() && groups_.back());
    if (word == "endif" && !groups_.empty()) groups_.pop_back();
  }

  void push(std::string_view token) {
    if (long_ != Long::none && token != "int" && token != "const") end_long(token);
    std::rotate(before_.begin(), before_.begin() + 1, before_.end());
    before_.back() = token;
  }
  std::string_view last(std::size_t back = 0) const { return before_[before_.size() - 1 - back]; }

  void read_word(std::string_view word) {
    if (last() == "#" && directive_ == Directive::none) return begin_directive(word);
    const bool is_defined =
        directive_ == Directive::condition && (last() == "defined" || (last() == "(" && last(1) == "defined"));
    if (directive_ == Directive::name || is_defined) uses_.tested.emplace_back(word);
    if (word == "__CUDACC_RTC__") uses_.tests_for_nvrtc = line_tests_for_nvrtc_ = true;
    if (word == "__int128" || word == "__int128_t" || word == "__uint128_t" || word == "__SIZEOF_INT128__")
      uses_.uses_int128 = true;
    if (line_macro_.empty() && is_host_macro(word)) line_macro_ = word;
    if (has_word(names_of_64_bits, word)) uses_.uses_64_bit_names = true;
    if (word == "long") read_long();
  }

  /// Of `f(long)`, `f(int a, unsigned long b)`, `tr<long>`, but not of `(long)x` and `long long`.
  void read_long() {
    if (long_ != Long::none) {
      long_ = Long::not_alone;
      return;
    }
    std::size_t back = 0;
    while (back + 2 < before_.size() && has_word("const unsigned signed volatile", last(back))) ++back;
    const bool opens = (last(back) == "(" || last(back) == "<") && !last(back + 1).empty() &&
                       is_of_word(last(back + 1).front()) && !has_word(conversions, last(back + 1));
    if (directive_ == Directive::none && (opens || last(back) == ",")) long_ = Long::alone;
  }
  void end_long(std::string_view token) {
    if (token == "long") return;
    if (token == "double") long_ = Long::not_alone;
    const bool fits = is_of_word(token.front()) || has_word("> , ) & *", token);
    uses_.distinguishes_long |= long_ == Long::alone && fits;
    long_ = Long::none;
  }

  enum class Long { none, alone, not_alone };

  std::string_view text_;
  std::array<std::string_view, 6> before_ = {};  // tokens, the last one last
  Directive directive_ = Directive::none;
  std::vector<bool> groups_;  // of #if: whether they, or one around them, ask for NVRTC
  std::string_view line_macro_;
  bool line_tests_for_nvrtc_ = false;
  Long long_ = Long::none;
  HostUses uses_;
};

}  // namespace

bool is_host_macro(std::string_view word) {
  return (word.starts_with('_') || word.starts_with('C')) &&
         (has_word(names_of_host, word) || has_word(names_of_architecture, word) ||
          begins_with_any(word, host_prefixes));
}

void HostUses::add(const HostUses& other, std::string_view its_file) {
  if (macro.empty() && !other.macro.empty()) {
    macro = other.macro;
    file = its_file;
  }
  tests_for_nvrtc |= other.tests_for_nvrtc;
  uses_int128 |= other.uses_int128;
  uses_64_bit_names |= other.uses_64_bit_names;
  distinguishes_long |= other.distinguishes_long;
  tested.insert(tested.end(), other.tested.begin(), other.tested.end());
}

std::string HostUses::difference(const GivenToNvrtc& given) const {
  if (!macro.empty()) return file.empty() ? macro : macro + " in " + file;
  if (uses_int128 && !given.int128) return "__SIZEOF_INT128__";
  const bool sees_type = !given.long_int64 && uses_64_bit_names && distinguishes_long;
  return sees_type ? "int64_t (long long where libcu++ is read, which is long for nvcc)" : std::string();
}

HostUses host_uses(std::string_view text) { return UsesReader(text).run(); }

}  // namespace kiln
