#include "module/device_images.hpp"

#include "base/argument_error.hpp"
#include "memory/context.hpp"

namespace kiln {

namespace {

void check_loadable(Target target) {
  if (target != Target::ltoir && target != Target::optixir) return;
  throw_argument_error("a Module loads cubin, PTX or fatbin code: LTO-IR must be linked first, OptiX-IR is for OptiX",
                       "cubin, ptx or fatbin", target == Target::ltoir ? "ltoir" : "optixir");
}

}  // namespace

DeviceImages::DeviceImages(CodeObject code, std::optional<int> device, MakeAgain make_again)
    : code_(std::move(code)), make_again_(std::move(make_again)) {
  check_loadable(code_.target());
  if (!device) return;
  loaded_.push_back(load_code(code_, *device, make_again_));
  code_ = loaded_.front().code;
}

Image& DeviceImages::image(int device) {
  const int capability = device_compute_capability(device);
  const std::lock_guard lock(mutex_);
  for (const LoadedCode& loaded : loaded_)
    if (runs_on(*loaded.code.data(), capability)) return *loaded.image;
  loaded_.push_back(load_code(code_, device, make_again_));
  return *loaded_.back().image;
}

std::optional<int> usable_device() {
  if (!has_device()) return std::nullopt;
  return current_device();
}

}  // namespace kiln
