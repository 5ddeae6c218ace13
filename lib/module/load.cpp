#include "module/load.hpp"

#include "compile/compiler.hpp"
#include "compile/options/arch.hpp"
#include "memory/context.hpp"
#include "module/refused_code.hpp"

#include <kiln/error.hpp>

#include <array>
#include <mutex>

namespace kiln {

namespace {

bool can_load(const CodeData& code, int device) {
  if (code.target == Target::cubin && !Driver::get().loads_cubin) return false;
  return runs_on(code, device_compute_capability(device));
}

/// Compiles or links the code again, for the device; empty where the code has neither a source nor inputs.
std::function<CodeObject()> recompile_for(const CodeObject& code, int device, const Recompile& recompile) {
  const CodeData& data = *code.data();
  if (const Recompile& link = recompile ? recompile : data.relink)
    return [&link, device] { return link(device_arch(device)); };
  if (data.recipe == nullptr) return {};
  return [&recipe = *data.recipe, device] { return compile_for_device(recipe.source, recipe.options, device); };
}

CodeObject code_for_device(CodeObject code, int device, const Recompile& recompile) {
  if (can_load(*code.data(), device)) return code;
  // An explicit arch is the user's decision; only the form may change for a driver that takes no machine code.
  const std::shared_ptr<const Recipe>& recipe = code.data()->recipe;
  const bool may_change =
      !recipe || is_for_device(recipe->options) || runs_on(*code.data(), device_compute_capability(device));
  if (may_change)
    if (const auto make = recompile_for(code, device, recompile)) code = make();
  if (!can_load(*code.data(), device)) throw_cannot_run(*code.data(), device);
  return code;
}

/// Modules share an image only if it has no variables: a variable belongs to one module.
bool may_share(const CodeData& code) {
  const CodeInfo* info = code.listed_info();
  return info != nullptr && info->globals.empty();
}

/// Images that stay loaded for a while after their last module.
struct RecentImages {
  std::mutex mutex;
  std::array<std::shared_ptr<Image>, 64> images;
  std::size_t next = 0;
};

/// Keeps the image loaded until a fixed number of others were given here after it, so that a program which makes the
/// same module again and again loads it once, and one that makes thousands does not fill the device.
void keep_recent(std::shared_ptr<Image> image) {
  // Never destroyed: at exit the driver unloads everything itself.
  static RecentImages& recent = *new RecentImages;
  {
    const std::lock_guard lock(recent.mutex);
    recent.images[recent.next].swap(image);
    recent.next = (recent.next + 1) % recent.images.size();
  }
  // What was pushed out is unloaded here, outside the lock.
}

std::shared_ptr<Image> shared_image(const std::shared_ptr<const CodeData>& code, int device) {
  CodeData::ImageSlot& slot = code->image_slot();
  const std::lock_guard lock(slot.mutex);
  if (!slot.image) slot.image = std::make_shared<std::weak_ptr<Image>>();
  auto& shared = *static_cast<std::weak_ptr<Image>*>(slot.image.get());
  std::shared_ptr<Image> image = shared.lock();
  if (image) return image;
  image = std::make_shared<Image>(code, device);
  shared = image;
  keep_recent(image);
  return image;
}

LoadedCode load_as_it_is(CodeObject code, int device) {
  auto image =
      may_share(*code.data()) ? shared_image(code.data(), device) : std::make_shared<Image>(code.data(), device);
  return {std::move(code), std::move(image)};
}

/// The driver refused the code, or its tables are damaged.
bool is_refusal(const Error& error) {
  if (const auto* driver_error = dynamic_cast<const DriverError*>(&error)) return refuses_code(driver_error->result());
  return dynamic_cast<const ToolkitError*>(&error) == nullptr;
}

}  // namespace

CodeObject compile_for_device(std::string_view source, const CompileOptions& options, std::optional<int> device) {
  if (!device) return compile_for(source, options, {});
  return compile_for(source, options, context_for_device(device_arch(*device)));
}

LoadedCode load_code(CodeObject code, int device, const Recompile& recompile) {
  code = code_for_device(std::move(code), device, recompile);
  const auto make = recompile_for(code, device, recompile);
  try {
    return load_as_it_is(code, device);
  } catch (const Error& error) {
    if (!is_refusal(error) || !code.from_cache() || !make) throw;
  }
  discard(code);
  return load_as_it_is(make(), device);
}

}  // namespace kiln
