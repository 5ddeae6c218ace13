// "Did you mean" for kernels and their templates, by what the source has.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// "scale" of "ns::scale<float, 4>(float*)".
std::string_view last_component(std::string_view name);

/// The name of a __global__ function of the source that may have been meant by a name or a name expression that fits
/// none: another namespace, or letters that differ; with what `wanted` has after its name. "mth::scle<float>" gives
/// "math::scale<float>". Empty where nothing is like it, and where the source has that very name.
std::string similar_kernel(std::string_view wanted, std::string_view source);

}  // namespace kiln
