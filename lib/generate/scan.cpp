#include <kiln/detail/scan.hpp>

#include "base/argument_error.hpp"
#include "generate/generated_function.hpp"
#include "generate/graph_memory.hpp"
#include "generate/scan_source.hpp"
#include "generate/stream_memory.hpp"

#include <kiln/detail/element_count.hpp>
#include <kiln/error.hpp>
#include <kiln/scan_kernel.hpp>

#include <utility>

namespace kiln {

namespace detail {

struct Scan::Impl {
  Impl(ScanSource source, const ScanOptions& options, std::size_t value_size)
      : name(options.name),
        size(value_size),
        text(std::move(source.text)),
        module(compile_generated(text, source.functions, scan_texts(options))),
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
    : impl_(std::make_shared<Impl>(read_scan(scan_expr, neutral, options, type, size), options, size)) {}

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
