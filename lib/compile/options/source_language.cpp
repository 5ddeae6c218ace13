#include "compile/options/source_language.hpp"

namespace kiln {

Language language_of(const std::filesystem::path& file) {
  const std::filesystem::path extension = file.extension();
  return extension == ".ll" || extension == ".bc" ? Language::nvvm_ir : Language::cuda;
}

}  // namespace kiln
