#include <kiln/elementwise_kernel.hpp>

#include "base/argument_error.hpp"
#include "generate/element_sizes.hpp"
#include "generate/elementwise_source.hpp"
#include "generate/generated_function.hpp"
#include "generate/generated_module.hpp"
#include "generate/index_range.hpp"
#include "generate/reserved_text.hpp"
#include "generate/strided_places.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <utility>

namespace kiln {

/// One width of i.
struct ElementwiseKernels {
  ElementwiseKernels(const std::string& text, const ElementwiseSource& source)
      : module(compile_generated(text, source.plain_text(), source.texts())),
        fast(module.get_function(source.options.name)),
        plain(source.arguments.is_staged() ? module.get_function(source.options.name + plain_suffix) : Function(fast)),
        range(module.get_function(source.options.name + range_suffix)) {}
  SourceModule module;
  GeneratedFunction fast;
  GeneratedFunction plain;
  GeneratedFunction range;
};

/// For views of so many dimensions.
struct StridedKernel {
  StridedKernel(const ElementwiseSource& source, std::size_t dimensions)
      : module(compile_generated(source.strided_text(dimensions), source.plain_text(), source.texts())),
        function(module.get_function(source.options.name + strided_suffix)) {}
  SourceModule module;
  GeneratedFunction function;
};

struct ElementwiseKernel::Impl {
  explicit Impl(ElementwiseSource read_source)
      : source(std::move(read_source)),
        text(source.text()),
        narrow(text, source),
        sizes(narrow.module, narrow.fast),
        is_in_place_fit(is_one_assignment(source.operation)) {}

  const ElementwiseKernels& wide() const {
    const std::lock_guard lock(mutex);
    if (!wide_kernels) wide_kernels.emplace(source.wide_text(), source);
    return *wide_kernels;
  }
  const GeneratedFunction& strided(std::size_t dimensions) const {
    const std::lock_guard lock(mutex);
    std::optional<StridedKernel>& kernel = strided_kernels.at(dimensions - 1);
    if (!kernel) kernel.emplace(source, dimensions);
    return kernel->function;
  }
  IndexRange range_of(const ElementwiseConfig& config, const detail::ElementwiseCall& call) const;
  void launch_range(const ElementwiseConfig& config, const detail::ElementwiseCall& call) const;
  void launch_all(const ElementwiseConfig& config, const detail::ElementwiseCall& call) const;
  void launch_views(const ElementwiseConfig& config, const detail::ElementwiseCall& call) const;

  const ElementwiseSource source;
  const std::string text;
  const ElementwiseKernels narrow;
  const ElementSizes sizes;
  const bool is_in_place_fit;
  mutable std::mutex mutex;
  mutable std::optional<ElementwiseKernels> wide_kernels;
  mutable std::array<std::optional<StridedKernel>, StridedPlaces::most_dimensions> strided_kernels;
};

/// Fills the call's n, start, stop and step; without a range and a slice for all elements.
IndexRange ElementwiseKernel::Impl::range_of(const ElementwiseConfig& config,
                                             const detail::ElementwiseCall& call) const {
  const VectorArguments& all = source.arguments;
  IndexRange range;
  if (config.range && config.slice)
    refuse("kernel " + source.options.name + ": range and slice", "one of the two", "both");
  if (config.range) {
    range = index_range(*config.range, source.options.name);
    all.check_range(call.arguments, range);
    const std::size_t known = all.known_length(call.arguments);
    call.index[0] = known == detail::unknown_count ? range.end() : static_cast<long>(known);
  } else {
    const std::size_t length = all.length(call.arguments);
    call.index[0] = static_cast<long>(length);
    range = clipped_range(config.slice.value_or(Slice()), length, source.options.name);
  }
  call.index[1] = range.start;
  call.index[2] = static_cast<long>(range.count());
  call.index[3] = range.step;
  return range;
}

void ElementwiseKernel::Impl::launch_range(const ElementwiseConfig& config, const detail::ElementwiseCall& call) const {
  narrow.range.check(*call.with_range);
  sizes.check(source.arguments, call.arguments);
  const IndexRange range = range_of(config, call);
  narrow.range.launch(config.stream, range.count(), call.arguments);
}

void ElementwiseKernel::Impl::launch_all(const ElementwiseConfig& config, const detail::ElementwiseCall& call) const {
  const VectorArguments& all = source.arguments;
  narrow.fast.check(*call.arguments.types);
  sizes.check(all, call.arguments);
  const std::size_t n = all.length(call.arguments);
  call.index[0] = static_cast<long>(n);
  const ElementwiseKernels& kernels = n > most_narrow_elements ? wide() : narrow;
  if (!all.is_staged() || !all.can_be_staged(call.arguments, n, is_in_place_fit))
    return kernels.plain.launch(config.stream, n, call.arguments);
  const std::size_t lanes = all.lane_count(call.arguments);
  kernels.fast.launch(config.stream, (n + lanes - 1) / lanes, call.arguments);
}

void ElementwiseKernel::Impl::launch_views(const ElementwiseConfig& config, const detail::ElementwiseCall& call) const {
  narrow.range.check(*call.with_range);
  sizes.check(source.arguments, call.arguments);
  const bool has_range = config.range || config.slice;
  StridedPlaces places(source.arguments, call.arguments, source.is_any_order && !has_range);
  const IndexRange range = range_of(config, call);
  if (range.count() == 0) return;
  detail::ElementwiseCall placed = call;
  placed.arguments.pointers = places.pointers().data();
  if (places.is_flat()) return has_range ? launch_range(config, placed) : launch_all(config, placed);
  std::vector<long> numbers = places.numbers();
  places.pointers().push_back(numbers.data());
  placed.arguments.pointers = places.pointers().data();
  strided(places.dimensions()).launch(config.stream, range.count(), placed.arguments);
}

ElementwiseKernel::ElementwiseKernel(std::string_view arguments, std::string_view operation,
                                     const ElementwiseOptions& options)
    : impl_(std::make_shared<Impl>(read_elementwise(arguments, operation, options))) {}

TextureReference ElementwiseKernel::get_texref(std::string_view name) const {
  return impl_->narrow.module.get_texref(name);
}

const std::string& ElementwiseKernel::source() const noexcept { return impl_->text; }
const std::string& ElementwiseKernel::name() const noexcept { return impl_->source.options.name; }

void ElementwiseKernel::check_types(const detail::Signature& signature, std::size_t count) const {
  impl_->source.arguments.check_count(count);
  impl_->narrow.fast.check_types(signature);
}

void ElementwiseKernel::launch(const ElementwiseConfig& config, const detail::ElementwiseCall& call) const {
  const VectorArguments& all = impl_->source.arguments;
  all.check_count(call.arguments.count);
  if (has_strided_views(call.arguments)) return impl_->launch_views(config, call);
  if (config.range || config.slice) return impl_->launch_range(config, call);
  impl_->launch_all(config, call);
}

}  // namespace kiln
