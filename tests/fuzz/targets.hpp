// The targets by their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kiln::fuzz {

using TargetFunction = int (*)(const std::uint8_t* data, std::size_t size);

/// The one of fuzz_NAME.cpp; null where there is none.
TargetFunction target_named(std::string_view name);

}  // namespace kiln::fuzz
