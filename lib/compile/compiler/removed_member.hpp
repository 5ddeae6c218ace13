// Names that NVIDIA's C++ libraries had before CUDA 13.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// What to write in place of a name of a library that CUDA 13 (CCCL 3) removed, such as "cub::Max", with its header;
/// empty for other names.
std::string removed_member_advice(std::string_view scope, std::string_view name);

}  // namespace kiln
