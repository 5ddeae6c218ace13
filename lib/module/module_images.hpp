// ModuleImages: a module's images, the kernels of each, and which of them a kernel or a variable is taken from.
#pragma once

#include "capture/capture_hook.hpp"
#include "launch/kernel.hpp"
#include "module/device_images.hpp"
#include "module/reference_hook.hpp"
#include "toolkit/image/variable_use.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// One code object of a module: the module's own, or a template instance's, on all devices. Thread-safe, but for
/// `given`.
class ModuleImage {
 public:
  ModuleImage(CodeObject code, std::optional<int> device, Recompile recompile = {});

  const CodeObject& code() const noexcept { return images_->code(); }
  Image& image(int device) { return images_->image(device); }

  /// In the code's order; of a fatbin that was not compiled here as the driver lists them, which needs a device.
  const std::vector<KernelInfo>& kernels();
  /// The symbols of the variables; none where only the driver knows them.
  const std::vector<std::string>& globals() const;
  /// The symbol that a name expression of the compile got, or empty.
  std::string lowered_symbol(std::string_view expression) const;
  /// The symbol that a variable's name stands for; empty where there is none. Throws ArgumentError for a name that fits
  /// several.
  std::string find_global_symbol(std::string_view name) const;

  /// Null where the code has no such symbol.
  std::shared_ptr<Kernel> find_kernel(const std::string& symbol);
  /// The same object each time, so that what it checked stays checked.
  std::shared_ptr<Kernel> kernel(const KernelInfo& info);

  /// Has all launches from now on bind what the table holds, also of kernels got before; finds the variables in the
  /// current context. The table must be the same each time.
  void bind_references(const std::shared_ptr<ReferenceTable>& table);
  const std::shared_ptr<DeviceImages>& images() const noexcept { return images_; }

  /// Loads every kernel for a device.
  void preload(int device);

  /// What was given out of it, and what is known of its variables. Of ModuleImages, whose lock guards it.
  struct {
    std::vector<std::string> kernels;    // symbols
    std::vector<std::string> variables;  // names of those whose address was given out
    bool was_read = false;
    std::unique_ptr<const VariableUse> use;  // null where the compiler does not say

    bool is_empty() const { return kernels.empty() && variables.empty(); }
  } given;

 private:
  bool only_driver_knows() const { return code().data()->listed_info() == nullptr; }
  void list_driver_kernels();
  void set_hooks(Kernel& kernel, const KernelInfo& info);

  // Shared with the kernels, which must not point back at this object.
  std::shared_ptr<DeviceImages> images_;
  std::once_flag listed_;
  std::vector<KernelInfo> driver_kernels_;
  const std::vector<std::string> no_globals_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Kernel>, std::less<>> cache_;
  std::shared_ptr<ReferenceHook> hook_;
  std::map<const Kernel*, std::shared_ptr<CaptureHook>> captures_;  // of those that KILN_CAPTURE names
};

/// The image of the module's own code, and one for each template instance that was compiled later. Each has variables
/// of its own, though a module has one of each for its user. So what is given out is remembered: a kernel or an address
/// is taken from an image only where it would not miss what others write, nor they what it writes. Two kinds of
/// variables may be in several images at once: those that no kernel given out writes and whose address was not given
/// out, and texture and surface references, which launches bind in every image. Thread-safe.
class ModuleImages {
 public:
  ModuleImages(CodeObject code, std::optional<int> device, Recompile recompile = {});

  /// Of the module's own code.
  ModuleImage& main() noexcept { return *images_.front(); }
  std::vector<std::shared_ptr<ModuleImage>> all() const;

  /// Null where no image has a kernel of that symbol. Throws ArgumentError where each that has it would split a
  /// variable.
  std::shared_ptr<Kernel> give_kernel(const std::string& symbol);
  /// The same once the code of an instance has become an image, which is dropped where it gives nothing.
  std::shared_ptr<Kernel> give_kernel(CodeObject code, std::optional<int> device, const std::string& symbol);
  /// A variable on the current device. Throws ArgumentError likewise, and where there is none of that name.
  GlobalVariable give_variable(std::string_view name);

 private:
  struct Variable {
    std::string name;
    bool is_constant;
    bool may_write;  // the kernel that uses it
  };

  enum class Access { any, write };

  ArgumentError no_variable(std::string_view name);
  bool is_only_giver(const ModuleImage& image) const;
  const VariableUse* use_of(ModuleImage& image, const std::string& kernel);
  std::vector<Variable> variables_of(ModuleImage& image, const std::string& kernel);
  bool uses(ModuleImage& image, const std::string& variable, Access access);
  std::string variable_split_by(ModuleImage& image, const std::string& kernel);
  bool has_users_elsewhere(const ModuleImage& image, const std::string& variable, Access access);
  std::shared_ptr<Kernel> find_and_note(const std::string& symbol);
  std::vector<std::string> instances_given() const;

  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<ModuleImage>> images_;  // the module's own first
};

}  // namespace kiln
