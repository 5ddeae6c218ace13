#include "emulator/lowering/code_registry.hpp"
#include "emulator/lowering/image_contents.hpp"
#include "emulator/memory/address_space.hpp"

namespace kiln::emulator {

Image::Contents::~Contents() {
  for (const Code& code : codes) unregister_code(code);
  for (const std::uint64_t address : allocations) AddressSpace::get().release(address);
}

Image::Image() = default;
Image::~Image() = default;

const ptx::Module& Image::module() const { return contents_->module; }

int Image::device() const { return contents_->device; }

const Kernel* Image::kernel(std::string_view name) const {
  const Code* const wanted = code(name);
  for (const Kernel& each : contents_->kernels)
    if (each.code == wanted) return &each;
  return nullptr;
}

const ImageVariable* Image::variable(std::string_view name) const {
  const auto found = contents_->variables.find(name);
  return found == contents_->variables.end() ? nullptr : &found->second;
}

const Code* Image::code(std::string_view function) const {
  const auto found = contents_->codes_by_name.find(function);
  return found == contents_->codes_by_name.end() ? nullptr : found->second;
}

}  // namespace kiln::emulator
