// The language of a source file.
#pragma once

#include <kiln/compile_options.hpp>

#include <filesystem>

namespace kiln {

/// By the file's name: .ll and .bc are NVVM IR, all else CUDA C++.
inline Language language_of(const std::filesystem::path& file) {
  const std::filesystem::path extension = file.extension();
  return extension == ".ll" || extension == ".bc" ? Language::nvvm_ir : Language::cuda;
}

}  // namespace kiln
