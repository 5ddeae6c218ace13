#include "base/argument_error.hpp"
#include "generate/element_sizes.hpp"
#include "generate/generated_function.hpp"
#include "generate/generated_module.hpp"
#include "generate/graph_memory.hpp"
#include "generate/reduction_source.hpp"
#include "generate/reserved_text.hpp"
#include "generate/stream_memory.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "memory/stream_context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <kiln/detail/reduction.hpp>
#include <kiln/device.hpp>
#include <kiln/error.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>

namespace kiln {

/// A kernel with a single-wave grid: all its blocks run at the same time. Thread-safe.
class SingleWave : public GeneratedFunction {
 public:
  using GeneratedFunction::GeneratedFunction;

  /// Blocks for so many iterations of a thread: at least one.
  std::size_t blocks_for(int device, std::size_t turns) const;

 private:
  static constexpr std::size_t most_devices = 64;
  std::size_t most_blocks(int device) const;
  // Of each device; 0 where it is not known yet.
  mutable std::array<std::atomic<unsigned>, most_devices> blocks_ = {};
};

std::size_t SingleWave::most_blocks(int device) const {
  const bool is_kept = static_cast<std::size_t>(device) < most_devices;
  if (is_kept)
    if (const unsigned known = blocks_[static_cast<std::size_t>(device)].load(std::memory_order_relaxed)) return known;
  const ContextGuard guard(device);
  const int processors = Device(device).attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  const auto blocks =
      static_cast<unsigned>(std::max(1, max_active_blocks_per_multiprocessor(Dim3(block)) * processors));
  if (is_kept) blocks_[static_cast<std::size_t>(device)].store(blocks, std::memory_order_relaxed);
  return blocks;
}

std::size_t SingleWave::blocks_for(int device, std::size_t turns) const {
  // A thread has two iterations before there is another block: so few are done before the next one has begun.
  const std::size_t wanted = turns / (2 * std::size_t{block});
  return std::clamp<std::size_t>(wanted, 1, wanted <= 1 ? 1 : most_blocks(device));
}

/// One width of i.
struct ReductionKernels {
  ReductionKernels(const std::string& text, const ReductionSource& source)
      : module(compile_generated(text, source.plain_text(), source.texts())),
        fast(module.get_function(source.options.name)),
        plain(source.arguments.is_staged() ? module.get_function(source.options.name + plain_suffix) : Function(fast)) {
  }
  SourceModule module;
  SingleWave fast;
  SingleWave plain;
};

namespace detail {

struct Reduction::Impl {
  explicit Impl(ReductionSource read_source)
      : source(std::move(read_source)),
        text(source.text("unsigned")),
        narrow(text, source),
        sizes(narrow.module, narrow.fast) {}

  const ReductionKernels& wide() const {
    const std::lock_guard lock(mutex);
    if (!wide_kernels) wide_kernels.emplace(source.text("unsigned long"), source);
    return *wide_kernels;
  }

  const ReductionSource source;
  const std::string text;
  const ReductionKernels narrow;
  const ElementSizes sizes;
  mutable std::mutex mutex;
  mutable std::optional<ReductionKernels> wide_kernels;
};

namespace {

void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

/// Memory of a result that is too large for a slot.
using OwnMemory = DeviceBuffer<char>;

ResultMemory result_memory(const std::shared_ptr<StreamMemory>& memory, CUstream stream, std::size_t size) {
  if (size <= StreamMemory::slot_size) return {memory->take_slot(), stream, memory, nullptr};
  auto own = std::make_shared<OwnMemory>(OwnMemory::on_stream(size, SharedStream(stream)));
  const CUdeviceptr address = own->device_pointer();
  return {address, stream, nullptr, std::move(own)};
}

}  // namespace

ResultMemory::~ResultMemory() {
  if (slots_ != nullptr) slots_->give_back_slot(address);
}

ResultMemory& ResultMemory::operator=(ResultMemory&& other) noexcept {
  std::swap(address, other.address);
  std::swap(stream, other.stream);
  slots_.swap(other.slots_);
  own_.swap(other.own_);
  return *this;
}

Reduction::Reduction(const ReductionOptions& options, const std::string& type, std::size_t size)
    : impl_(std::make_shared<Impl>(read_reduction(options, type, size))) {}

void Reduction::check_place(const void* out) const {
  if (out == nullptr)
    refuse("kernel " + impl_->source.arguments.kernel + ": the place of the result", "device memory", "null");
}

const std::string& Reduction::source() const noexcept { return impl_->text; }

ResultMemory Reduction::launch(CUstream stream, const VectorCall& call, ReductionPlaces& places) const {
  const VectorArguments& all = impl_->source.arguments;
  all.check_count(call.count);
  impl_->narrow.fast.check(*call.types);
  impl_->sizes.check(all, call);
  const std::size_t n = all.length(call);
  places.n = static_cast<long>(n);
  const ReductionKernels& kernels = n > most_narrow_elements ? impl_->wide() : impl_->narrow;
  const bool is_staged = all.is_staged() && all.can_be_staged(call, n, true);
  const SingleWave& function = is_staged ? kernels.fast : kernels.plain;
  const std::size_t lanes = is_staged ? all.lane_count(call) : 1;
  const std::size_t turns = (n + lanes - 1) / lanes;
  const std::shared_ptr<StreamMemory> memory = StreamMemory::of(stream);
  const std::size_t blocks = function.blocks_for(memory != nullptr ? memory->device() : stream_device(stream), turns);
  const auto launch_with = [&](const auto& space) {
    places.partials = pointer(space.bytes());
    places.counter = pointer(space.counter());
    function.launch_blocks(stream, blocks, call);
  };
  if (memory == nullptr) {
    if (places.out == nullptr)
      refuse("kernel " + all.kernel, "a place for the result, as a captured graph runs when it likes", "none",
             ": say into(buffer.data(), {.stream = stream}, ...) of a kernel, kiln::sum(x, buffer, {.stream = stream}) "
             "of a "
             "function");
    const GraphMemory captured(stream, blocks * impl_->source.size, 0);
    launch_with(captured);
    captured.free();
    return {reinterpret_cast<CUdeviceptr>(places.out), stream, nullptr, nullptr};
  }
  ResultMemory result = places.out != nullptr
                            ? ResultMemory(reinterpret_cast<CUdeviceptr>(places.out), stream, nullptr, nullptr)
                            : result_memory(memory, stream, impl_->source.size);
  places.out = pointer(result.address);
  launch_with(StreamMemory::Use(*memory, blocks * impl_->source.size, 0));
  return result;
}

void read_result(const ResultMemory& memory, void* value, std::size_t size) {
  const CUstream stream = memory.stream;
  check_work(in_stream_context(
                 stream, [&] { return DriverExtras::get().memcpy_dtoh_async(value, memory.address, size, stream); }),
             "cuMemcpyDtoHAsync", " of a reduction's result");
  check_work(in_stream_context(stream, [&] { return Driver::get().stream_synchronize(stream); }), "cuStreamSynchronize",
             " for a reduction's result");
}

}  // namespace detail

}  // namespace kiln
