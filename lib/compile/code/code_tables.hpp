// The CodeInfo of code, as bytes that are read faster than the code: a CUB cubin has a thousand symbols.
#pragma once

#include "toolkit/image/code_info.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// The section of a cache entry that holds them. Another form of them gets another label, so that no version reads one
/// for the other: "tables" were without the threads and the architectures, "tables 2" without the parameters' kinds.
inline constexpr std::string_view tables_label = "tables 3";

/// arch | u32 count of kernels, then each: name | u32 registers, shared, local and constant bytes, threads of a block |
/// u32 count of architectures, then each | u32 count of parameters, then each: u32 offset, u32 size, u8 kind | u32
/// count of variables, then each name. Names and architectures behind their u32 length.
std::string encode_tables(const CodeInfo& info);

/// Nothing where the bytes are malformed.
std::optional<CodeInfo> decode_tables(std::string_view bytes);

}  // namespace kiln
