#include <kiln/detail/built_in_kernels.hpp>

#include "base/argument_error.hpp"
#include "base/identifier.hpp"
#include "generate/random_text.hpp"

#include <kiln/substitute.hpp>

#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>

// In the texts $T is the first type, $U and so on the next ones.

namespace kiln::detail {

namespace {

struct UsualText {
  const char* name;
  const char* arguments;  // of a reduction its neutral element
  const char* operation;  // of a reduction its map_expr
  const char* reduce = nullptr;
  const char* post = "";
};

constexpr const char* to_one = "const $T* x, $T* y";
constexpr const char* to_another = "const $T* x, const $T* y, $T* z";

// A NaN is less and greater than all numbers.
constexpr const char* lesser = "(a < b || !(a == a)) ? a : b";
constexpr const char* greater = "(b < a || !(a == a)) ? a : b";
constexpr const char* first_lesser = "kiln_first(a, b, a.value < b.value, b.value < a.value)";
constexpr const char* first_greater = "kiln_first(a, b, b.value < a.value, a.value < b.value)";

UsualText usual_text(Usual what) {
  switch (what) {
    case Usual::all:
      return {"all", "true", "!(x[i] == ($T)0)", "a && b"};
    case Usual::any:
      return {"any", "false", "!(x[i] == ($T)0)", "a || b"};
    case Usual::arange:
      return {"arange", "$T first, $T distance, $T* y", "y[i] = ($T)(($U)first + ($U)i * ($U)distance)"};
    case Usual::argmax:
      return {"argmax", "{0x7fffffffffffffff, $least}", "kiln_indexed{(long)i, x[i]}", first_greater};
    case Usual::argmin:
      return {"argmin", "{0x7fffffffffffffff, $greatest}", "kiln_indexed{(long)i, x[i]}", first_lesser};
    case Usual::astype:
      return {"astype", "const $T* x, $W* y", "y[i] = ($W)($V)($U)x[i]"};
    case Usual::count_nonzero:
      return {"count_nonzero", "0", "x[i] == ($T)0 ? 0L : 1L", "a + b"};
    case Usual::cumsum:
      return {"cumsum", "", ""};
    case Usual::dot:
      return {"dot", "0", "($U)x[i] * ($U)y[i]", "a + b"};
    case Usual::fill:
      return {"fill", "$T value, $T* y", "y[i] = value"};
    case Usual::if_positive:
      return {"if_positive", "const $T* criterion, const $U* x, const $U* y, $U* z",
              "z[i] = criterion[i] > ($T)0 ? x[i] : y[i]"};
    case Usual::max:
      return {"max", "$least", "x[i]", greater};
    case Usual::maximum:
      return {"maximum", to_another, "z[i] = (y[i] < x[i] || !(x[i] == x[i])) ? x[i] : y[i]"};
    case Usual::maximum_of_value:
      return {"maximum_of_value", "const $T* x, $T y, $T* z", "z[i] = (y < x[i] || !(x[i] == x[i])) ? x[i] : y"};
    case Usual::min:
      return {"min", "$greatest", "x[i]", lesser};
    case Usual::minimum:
      return {"minimum", to_another, "z[i] = (x[i] < y[i] || !(x[i] == x[i])) ? x[i] : y[i]"};
    case Usual::minimum_of_value:
      return {"minimum_of_value", "const $T* x, $T y, $T* z", "z[i] = (x[i] < y || !(x[i] == x[i])) ? x[i] : y"};
    case Usual::norm:
      return {"norm", "0", "kiln_square<$U>(x[i])", "a + b", "sqrt(a)"};
    case Usual::put:
      return {"put", "const $T* x, const $U* indices, long count, $T* y", "y[kiln_checked(indices[i], count)] = x[i]"};
    case Usual::sum:
      return {"sum", "0", "($U)x[i]", "a + b"};
    case Usual::take:
      return {"take", "const $T* x, long count, const $U* indices, $T* y", "y[i] = x[kiln_checked(indices[i], count)]"};
    case Usual::where:
      return {"where", "const $T* condition, const $U* x, const $U* y, $U* z",
              "z[i] = condition[i] == ($T)0 ? y[i] : x[i]"};
    case Usual::acos:
      return {"acos", to_one, "y[i] = ($T)acos(($U)x[i])"};
    case Usual::asin:
      return {"asin", to_one, "y[i] = ($T)asin(($U)x[i])"};
    case Usual::atan:
      return {"atan", to_one, "y[i] = ($T)atan(($U)x[i])"};
    case Usual::ceil:
      return {"ceil", to_one, "y[i] = ($T)ceil(($U)x[i])"};
    case Usual::cos:
      return {"cos", to_one, "y[i] = ($T)cos(($U)x[i])"};
    case Usual::cosh:
      return {"cosh", to_one, "y[i] = ($T)cosh(($U)x[i])"};
    case Usual::exp:
      return {"exp", to_one, "y[i] = ($T)exp(($U)x[i])"};
    case Usual::fabs:
      return {"fabs", to_one, "y[i] = ($T)fabs(($U)x[i])"};
    case Usual::fabs_of_complex:
      return {"fabs_of_complex", "const $T* x, $U* y", "y[i] = abs(x[i])"};
    case Usual::floor:
      return {"floor", to_one, "y[i] = ($T)floor(($U)x[i])"};
    case Usual::fmod:
      return {"fmod", to_another, "z[i] = ($T)fmod(($U)x[i], ($U)y[i])"};
    case Usual::frexp:
      return {"frexp", "const $T* x, $T* significand, int* exponent",
              "int power; significand[i] = ($T)frexp(($U)x[i], &power); exponent[i] = power"};
    case Usual::ldexp:
      return {"ldexp", "const $T* significand, const int* exponent, $T* y",
              "y[i] = ($T)ldexp(($U)significand[i], exponent[i])"};
    case Usual::log:
      return {"log", to_one, "y[i] = ($T)log(($U)x[i])"};
    case Usual::log10:
      return {"log10", to_one, "y[i] = ($T)log10(($U)x[i])"};
    case Usual::modf:
      return {"modf", "const $T* x, $T* fraction, $T* whole",
              "$U part; fraction[i] = ($T)modf(($U)x[i], &part); whole[i] = ($T)part"};
    case Usual::sin:
      return {"sin", to_one, "y[i] = ($T)sin(($U)x[i])"};
    case Usual::sinh:
      return {"sinh", to_one, "y[i] = ($T)sinh(($U)x[i])"};
    case Usual::sqrt:
      return {"sqrt", to_one, "y[i] = ($T)sqrt(($U)x[i])"};
    case Usual::tan:
      return {"tan", to_one, "y[i] = ($T)tan(($U)x[i])"};
    case Usual::tanh:
      return {"tanh", to_one, "y[i] = ($T)tanh(($U)x[i])"};
    case Usual::log_normal:
      return {"log_normal",
              "$T* y, unsigned long count, unsigned long long seed, unsigned long long offset, $T mean, $T deviation",
              "kiln_log_normal(y, count, i, seed, offset, mean, deviation)"};
    case Usual::normal:
      return {"normal", "$T* y, unsigned long count, unsigned long long seed, unsigned long long offset",
              "kiln_normal(y, count, i, seed, offset)"};
    case Usual::poisson:
      return {"poisson", "$T* y, double mean, unsigned long long seed, unsigned long long offset",
              "y[i] = ($T)kiln_poisson(mean, seed, offset + i)"};
    case Usual::uniform:
      return {"uniform", "$T* y, unsigned long count, unsigned long long seed, unsigned long long offset",
              "kiln_uniform(y, count, i, seed, offset)"};
  }
  return {};
}

/// Values that no value of the type goes beyond.
struct Extremes {
  const char *least, *greatest;
};
Extremes extremes_of(const std::string& type) {
  if (type == "float") return {"-__int_as_float(0x7f800000)", "__int_as_float(0x7f800000)"};
  if (type == "double")
    return {"-__longlong_as_double(0x7ff0000000000000)", "__longlong_as_double(0x7ff0000000000000)"};
  if (type == "__half") return {"__ushort_as_half(0xfc00)", "__ushort_as_half(0x7c00)"};
  if (type == "__nv_bfloat16") return {"__ushort_as_bfloat16(0xff80)", "__ushort_as_bfloat16(0x7f80)"};
  // Of integers, by their size and sign.
  return {"(($T)-1 < ($T)0 ? ($T)(1ull << (8 * sizeof($T) - 1)) : ($T)0)",
          "(($T)-1 < ($T)0 ? ($T)((1ull << (8 * sizeof($T) - 1)) - 1) : ($T)-1)"};
}

std::string filled(std::string_view text, const UsualTypes& types) {
  constexpr std::array<const char*, 4> names = {"T", "U", "V", "W"};
  TemplateValues values;
  for (std::size_t k = 0; k < types.size() && k < names.size(); ++k) values.emplace(names[k], types[k]);
  const Extremes extremes = extremes_of(types.front());
  values.emplace("least", safe_substitute(extremes.least, values));
  values.emplace("greatest", safe_substitute(extremes.greatest, values));
  return substitute(text, values);
}

/// All names that the texts above and below use, which may be macros of KILN_DEFAULT_OPTIONS. These kernels contain no
/// text of the program.
constexpr const char* undefines =
    "#undef R\n#undef V\n#undef a\n#undef a_is_nan\n#undef b\n#undef b_is_nan\n#undef condition\n#undef count\n"
    "#undef criterion\n#undef deviation\n#undef distance\n#undef exponent\n#undef first\n#undef fraction\n"
    "#undef i\n#undef index\n#undef indices\n#undef is_a\n#undef is_b\n#undef kiln_checked\n#undef kiln_first\n"
    "#undef kiln_indexed\n#undef kiln_log_normal\n#undef kiln_normal\n#undef kiln_poisson\n#undef kiln_square\n"
    "#undef kiln_uniform\n#undef mean\n#undef n\n#undef offset\n#undef part\n#undef power\n#undef seed\n"
    "#undef significand\n#undef value\n#undef whole\n#undef x\n#undef y\n#undef z\n";

/// What the texts of some kernels call.
std::string functions_of(Usual what, const UsualTypes& types) {
  switch (what) {
    case Usual::take:
    case Usual::put:
      return "__device__ inline long kiln_checked(long index, long count) {\n"
             "  if (index < 0 || index >= count) __trap();\n  return index;\n}\n";
    case Usual::norm:
      return "template <class R, class V>\n__device__ inline R kiln_square(const V& value) {\n  return " +
             std::string(types.size() > 2 ? "value.real() * value.real() + value.imag() * value.imag()"
                                          : "(R)value * (R)value") +
             ";\n}\n";
    case Usual::argmin:
    case Usual::argmax:
      return "struct kiln_indexed {\n  long index;\n  " + types.front() +
             " value;\n};\n"
             "// A NaN is before all numbers, and of equal values the first one.\n"
             "__device__ inline kiln_indexed kiln_first(const kiln_indexed& a, const kiln_indexed& b, bool is_a, bool "
             "is_b) {\n"
             "  const bool a_is_nan = !(a.value == a.value), b_is_nan = !(b.value == b.value);\n"
             "  if (a_is_nan != b_is_nan) return a_is_nan ? a : b;\n"
             "  if (is_a != is_b) return is_a ? a : b;\n"
             "  return a.index < b.index ? a : b;\n}\n";
    case Usual::uniform:
    case Usual::normal:
    case Usual::log_normal:
      return random_text();
    case Usual::poisson:
      return poisson_text();
    default:
      return {};
  }
}

std::string preamble_of(Usual what, const UsualTypes& types) {
  return undefines + ("#undef " + usual_name(what, types) + '\n') + functions_of(what, types);
}

}  // namespace

std::string usual_name(Usual what, const UsualTypes& types) {
  std::string name = std::string("kiln_") + usual_text(what).name;
  for (std::string_view type : types) {
    constexpr std::string_view library = "cuda::std::";
    if (type.substr(0, library.size()) == library) type.remove_prefix(library.size());
    if (type.substr(0, 2) != "__") name += '_';
    for (const char c : type) name += is_of_identifier(c) ? c : '_';
  }
  return name;
}

UsualElementwise usual_texts(Usual what, const UsualTypes& types) {
  const UsualText text = usual_text(what);
  ElementwiseOptions options;
  options.name = usual_name(what, types);
  options.preamble = preamble_of(what, types);
  return {filled(text.arguments, types), filled(text.operation, types), options};
}

ElementwiseKernel make_usual_elementwise(Usual what, const UsualTypes& types) {
  const UsualElementwise usual = usual_texts(what, types);
  return ElementwiseKernel(usual.arguments, usual.operation, usual.options);
}

ScanOptions usual_scan_options(Usual what, const UsualTypes& types) {
  ScanOptions options;
  options.name = usual_name(what, types);
  options.preamble = preamble_of(what, types);
  return options;
}

ReductionOptions usual_reduction_options(Usual what, const UsualTypes& types) {
  const UsualText text = usual_text(what);
  ReductionOptions options;
  options.neutral = filled(text.arguments, types);
  options.reduce_expr = text.reduce;
  options.map_expr = filled(text.operation, types);
  options.arguments = filled(what == Usual::dot ? "const $T* x, const $T* y" : "const $T* x", types);
  options.post_expr = text.post;
  options.name = usual_name(what, types);
  options.preamble = preamble_of(what, types);
  if (what == Usual::argmin || what == Usual::argmax) options.type = "kiln_indexed";
  return options;
}

std::size_t known_count(Usual what, std::size_t count) {
  if (count == unknown_count)
    refuse(std::string("kiln::") + usual_text(what).name,
           "a vector that knows its length, such as a kiln::DeviceBuffer", "a pointer");
  return count;
}

void refuse_empty(Usual what, std::size_t count) {
  if (count == 0) refuse(std::string("kiln::") + usual_text(what).name, "a vector with elements", "one of length 0");
}

void check_place(Usual what, const void* address, std::size_t count) {
  const std::string subject = std::string("kiln::") + usual_text(what).name + ": the place of the result";
  if (address == nullptr) refuse(subject, "device memory", "null");
  if (count != 1 && count != unknown_count) refuse(subject, "memory of 1 element", std::to_string(count) + " elements");
}

namespace {

void check_positions(Usual what, unsigned long long count, unsigned long long offset) {
  if (offset + count < offset)
    refuse(std::string("kiln::random::") + usual_text(what).name, "positions up to 2^64",
           std::to_string(count) + " from " + std::to_string(offset) + " on");
}

}  // namespace

ElementwiseConfig blocks_of_random(Usual what, std::size_t count, std::size_t size, unsigned long long offset,
                                   CUstream stream) {
  const unsigned long long of_block = 16 / size, first = offset / of_block, numbers = known_count(what, count);
  check_positions(what, numbers, offset);
  ElementwiseConfig config;
  config.range = Slice{static_cast<std::ptrdiff_t>(first),
                       static_cast<std::ptrdiff_t>(numbers == 0 ? first : (offset + numbers - 1) / of_block + 1),
                       {}};
  config.stream = stream;
  return config;
}

void check_poisson(std::size_t count, double mean, unsigned long long offset) {
  check_positions(Usual::poisson, known_count(Usual::poisson, count), offset);
  if (mean >= 0 && mean <= 0x1p30) return;
  std::array<char, 32> text = {};
  const char* const end = std::to_chars(text.data(), text.data() + text.size(), mean).ptr;
  refuse("kiln::random::poisson: mean", "0 to 2^30",
         std::string(text.data(), static_cast<std::size_t>(end - text.data())));
}

}  // namespace kiln::detail
