#include <kiln/detail/scan.hpp>

#include "base/argument_error.hpp"
#include "generate/generated_function.hpp"
#include "generate/generated_module.hpp"
#include "generate/graph_memory.hpp"
#include "generate/lane_text.hpp"
#include "generate/reduce_text.hpp"
#include "generate/reserved_text.hpp"
#include "generate/scan_text.hpp"
#include "generate/stream_memory.hpp"
#include "generate/value_functions.hpp"

#include <kiln/detail/element_count.hpp>
#include <kiln/error.hpp>
#include <kiln/scan_kernel.hpp>

#include <utility>

namespace kiln {

namespace {

GeneratorTexts texts_of(const ScanOptions& options) {
  return {options.name, options.preamble, options.options, options.compile, options.keep};
}

/// What differs between the two kinds: what stands before the first element, and whether element i is part of its own.
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

struct ScanSource {
  std::string functions;  // the program's own texts
  std::string text;       // with the kernel
};

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

ScanSource checked_source(std::string_view expression, const std::string* neutral, const ScanOptions& options,
                          const std::string& type, std::size_t size) {
  texts_of(options).check("scan kernel");
  const std::string subject = "scan kernel " + options.name + ": ";
  // A block has one of each thread, and of each warp, in the 48 KB of shared memory that every device has.
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
  return source_of(std::string(expression), neutral, options, type, size);
}

}  // namespace

namespace detail {

struct Scan::Impl {
  Impl(ScanSource source, const ScanOptions& options, std::size_t value_size)
      : name(options.name),
        size(value_size),
        text(std::move(source.text)),
        module(compile_generated(text, source.functions, texts_of(options))),
        function(module.get_function(options.name)) {}

  /// As the source reckons it.
  std::size_t tile_size() const {
    const std::size_t items = size > 40 ? 1 : 124 / size | 1U;
    return GeneratedFunction::block * items;
  }
  std::size_t length(std::size_t input, std::size_t output) const;
  void check_places(const void* input, const void* output, std::size_t n) const;

  const std::string name;
  const std::size_t size;
  const std::string text;
  const SourceModule module;
  const GeneratedFunction function;
};

Scan::Scan(std::string_view scan_expr, const std::string* neutral, const ScanOptions& options, const std::string& type,
           std::size_t size)
    : impl_(std::make_shared<Impl>(checked_source(scan_expr, neutral, options, type, size), options, size)) {}

const std::string& Scan::source() const noexcept { return impl_->text; }

std::size_t Scan::Impl::length(std::size_t input, std::size_t output) const {
  if (input == unknown_count && output == unknown_count)
    throw ArgumentError(
        "kernel " + name + ": neither vector knows its length: pass a kiln::DeviceBuffer or what else has size()", name,
        0, "a vector that knows its length", "pointers");
  if (input == unknown_count || output == unknown_count || input == output)
    return input == unknown_count ? output : input;
  throw ArgumentError("kernel " + name + ": the input has " + std::to_string(input) + " elements, and the output has " +
                          std::to_string(output),
                      name, 1, std::to_string(input) + " elements, as the input has",
                      std::to_string(output) + " elements");
}

void Scan::Impl::check_places(const void* input, const void* output, std::size_t n) const {
  const auto from = reinterpret_cast<std::uintptr_t>(input), to = reinterpret_cast<std::uintptr_t>(output);
  const std::uintptr_t distance = from < to ? to - from : from - to;
  if (distance == 0 || distance >= n * size) return;
  throw ArgumentError(
      "kernel " + name +
          ": the output overlaps the input, and is not the input: elements would be written before they are read",
      name, 1, "the input itself, or other memory", "a part of the input");
}

void Scan::launch(CUstream stream, const void* input, std::size_t input_count, void* output, std::size_t output_count,
                  const Signature& signature) const {
  const Impl& scan = *impl_;
  scan.function.check(signature);
  const std::size_t n = scan.length(input_count, output_count);
  if (n == 0) return;
  scan.check_places(input, output, n);
  const std::size_t tiles = (n - 1) / scan.tile_size() + 1;
  const std::size_t state_bytes = tiles * 16;
  const std::size_t value_bytes = scan.size > 12 ? 2 * tiles * scan.size : 0;
  auto length = static_cast<long>(n);
  const auto launch_with = [&](const auto& space) {
    CUdeviceptr states = space.states(), values = space.bytes(), counter = space.counter();
    unsigned epoch = space.epoch();
    void* pointers[] = {&input, &output, &states, &values, &counter, &epoch, &length};
    scan.function.launch_blocks(stream, tiles, {pointers, nullptr, 2, &signature, {}});
  };
  if (const auto memory = StreamMemory::of(stream))
    return launch_with(StreamMemory::Use(*memory, value_bytes, state_bytes));
  const GraphMemory captured(stream, value_bytes, state_bytes);
  launch_with(captured);
  captured.free();
}

}  // namespace detail

}  // namespace kiln
