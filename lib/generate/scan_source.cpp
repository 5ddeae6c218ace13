#include "generate/scan_source.hpp"

#include "base/argument_error.hpp"
#include "generate/lane_text.hpp"
#include "generate/operation_tokens.hpp"
#include "generate/reduce_text.hpp"
#include "generate/reserved_text.hpp"
#include "generate/scan_text.hpp"
#include "generate/value_functions.hpp"

#include <utility>

namespace kiln {

namespace {

/// The difference between the two kinds: the value before the first element, and whether result i includes element i.
std::string_view inclusive_text() {
  return reserved_text([] {
    return R"cuda(
__device__ __forceinline__ $Value $with_first(const $Value& $sum) { return $sum; }
template <class $Before> __device__ __forceinline__ void $append_first($Before&) {}
template <class $Before>
__device__ __forceinline__ $Value $result(const $Before& $head, const $Value* $sums, unsigned $k) {
  return $head.$with($sums[$k]);
}
)cuda";
  });
}
std::string_view exclusive_text() {
  return reserved_text([] {
    return R"cuda(
__device__ __forceinline__ $Value $with_first(const $Value& $sum) { return $reduce($neutral(), $sum); }
template <class $Before> __device__ __forceinline__ void $append_first($Before& $head) { $head.$append($neutral()); }
template <class $Before>
__device__ __forceinline__ $Value $result(const $Before& $head, const $Value* $sums, unsigned $k) {
  return $k == 0 ? $head.$value : $head.$with($sums[$k - 1]);
}
)cuda";
  });
}

ScanSource source_of(const std::string& expression, const std::string* neutral, const ScanOptions& options,
                     const std::string& type, std::size_t size) {
  const std::string none;
  std::string functions =
      includes_for({type}) + lined_part(options.preamble, options.name, "preamble") + std::string(index_text()) +
      std::string(lane_text()) +
      value_functions({options.name, type, size, neutral != nullptr ? *neutral : none, expression, "scan_expr", none});
  std::string text = functions + std::string(shuffle_text()) +
                     std::string(neutral != nullptr ? exclusive_text() : inclusive_text()) + std::string(scan_text()) +
                     "__global__ void __launch_bounds__(256, __kiln_scan_blocks()) " + options.name +
                     "(const __kiln_Value* __kiln_in, __kiln_Value* __kiln_out, void* __kiln_states, void* "
                     "__kiln_values, unsigned* __kiln_counter, "
                     "unsigned __kiln_epoch, long __kiln_n) {\n"
                     "  __kiln_scan(__kiln_in, __kiln_out, {static_cast<uint4*>(__kiln_states), "
                     "static_cast<__kiln_Value*>(__kiln_values), "
                     "__kiln_epoch}, __kiln_counter, __kiln_n);\n}\n";
  return {std::move(functions), std::move(text)};
}

}  // namespace

GeneratorTexts scan_texts(const ScanOptions& options) {
  return {options.name, options.preamble, options.options, options.compile, options.keep};
}

ScanSource read_scan(std::string_view given_expression, const std::string* given_neutral,
                     const ScanOptions& given_options, std::string type, std::size_t size) {
  ScanOptions options = given_options;
  std::string expression(given_expression), own_neutral = given_neutral != nullptr ? *given_neutral : std::string();
  const std::string* const neutral = given_neutral != nullptr ? &own_neutral : nullptr;
  use_device_complex({&type, &expression, &own_neutral, &options.preamble});
  scan_texts(options).check("scan kernel", {"a", "b"});
  const std::string subject = "scan kernel " + options.name + ": ";
  // A block stores one value for each thread and each warp in the 48 KB of shared memory that every device has.
  if (constexpr std::size_t most = 184; size > most)
    refuse(subject + "T", "a type of at most " + std::to_string(most) + " bytes", std::to_string(size) + " bytes");
  if (expression.empty()) refuse(subject + "scan_expr", "an expression of a and b, such as \"a + b\"", "nothing");
  check_text(expression, subject + "scan_expr");
  refuse_reserved(type, subject + "type");
  if (neutral != nullptr) {
    if (neutral->find_first_not_of(" \t\n") == std::string::npos)
      refuse(subject + "neutral", "a value that changes nothing, such as \"0\" for a sum", "nothing");
    check_text(*neutral, subject + "neutral");
  }
  return source_of(expression, neutral, options, type, size);
}

}  // namespace kiln
