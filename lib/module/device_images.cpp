#include "module/device_images.hpp"

#include "base/argument_error.hpp"
#include "compile/options/target_name.hpp"
#include "memory/context.hpp"
#include "module/link_parts.hpp"
#include "module/refused_code.hpp"

#include <elf.h>

#include <cstddef>

namespace kiln {

namespace {

/// Code with -rdc=true or -dc: the driver loads it, and then finds no kernel in it.
bool is_relocatable(const CodeData& code) {
  const Recipe* recipe = code.recipe.get();
  if (recipe != nullptr && recipe->options.language == Language::cuda && makes_relocatable(recipe->options))
    return true;
  constexpr std::size_t file_type = offsetof(Elf64_Ehdr, e_type);
  return code_kind(code.bytes) == CodeKind::cubin && code.bytes.size() > file_type && code.bytes[file_type] == ET_REL;
}

void check_linked(const CodeData& code) {
  if (!is_relocatable(code)) return;
  throw_argument_error(
      "a Module loads code that is linked, and this was compiled to be linked first (-rdc=true or -dc): use "
      "DynamicSourceModule, which compiles and links a source, or DynamicModule, which links several; or leave the "
      "option out",
      "linked code", "relocatable code");
}

void check_loadable(Target target) {
  if (facts_of(target).is_loadable) return;
  throw_argument_error("a Module loads cubin, PTX or fatbin code: LTO-IR must be linked first, OptiX-IR is for OptiX",
                       "cubin, ptx or fatbin", target_name(target));
}

}  // namespace

DeviceImages::DeviceImages(CodeObject code, std::optional<int> device, Recompile recompile)
    : code_(std::move(code)), recompile_(std::move(recompile)) {
  check_loadable(code_.target());
  check_linked(*code_.data());
  if (!device) return;
  loaded_.push_back(load_code(code_, *device, recompile_));
  code_ = loaded_.front().code;
}

Image& DeviceImages::image(int device) {
  const int capability = device_compute_capability(device);
  const std::lock_guard lock(mutex_);
  for (const LoadedCode& loaded : loaded_)
    if (runs_on(*loaded.code.data(), capability)) return *loaded.image;
  loaded_.push_back(load_code(code_, device, recompile_));
  return *loaded_.back().image;
}

std::optional<int> usable_device() {
  if (!has_device()) return std::nullopt;
  return current_device();
}

}  // namespace kiln
