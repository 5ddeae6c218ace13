// The language of a source file.
#pragma once

#include <kiln/compile_options.hpp>

#include <filesystem>

namespace kiln {

/// By the file's name: .ll and .bc are NVVM IR, all else CUDA C++.
Language language_of(const std::filesystem::path& file);

}  // namespace kiln
