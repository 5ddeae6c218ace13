// KernelSet: the kernels of one code object, and the variables beside them.
#pragma once

#include "capture/capture_hook.hpp"
#include "launch/kernel.hpp"
#include "module/device_images.hpp"
#include "module/reference_hook.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Thread-safe.
class KernelSet {
 public:
  KernelSet(CodeObject code, std::optional<int> device, Recompile recompile = {});

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

}  // namespace kiln
