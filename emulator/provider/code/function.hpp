// Libraries, their kernels, and the functions of these in each context.
#pragma once

#include "emulator/core/handle_table.hpp"
#include "emulator/lowering/image.hpp"
#include "emulator/provider/context/context.hpp"

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator {

/// Attributes set for a kernel on a device (cuKernelSetAttribute and the like).
struct FunctionSettings {
  std::atomic<int> max_dynamic_shared{-1};  // -1: not set
  std::atomic<int> carveout{-1};
  std::atomic<int> non_portable_cluster{0};
  std::atomic<int> cluster_policy{0};                  // CUclusterSchedulingPolicy, a hint
  std::array<std::atomic<int>, 3> required_cluster{};  // 0: not set
};

/// A kernel of an image.
struct FunctionState {
  std::shared_ptr<const Image> image;
  const Kernel* kernel = nullptr;
  Context* context = nullptr;
  std::shared_ptr<FunctionSettings> settings;
};

class LibraryState;

/// A kernel of a library, on any device.
struct KernelState {
  std::weak_ptr<LibraryState> library;
  CUlibrary library_handle = nullptr;
  std::string name;
  // Guarded by the lock of the library.
  std::map<int, std::shared_ptr<FunctionSettings>> settings;  // by device
  std::map<const Context*, CUfunction> functions;
};

/// Loaded PTX; becomes an image in each context that uses it.
class LibraryState : public std::enable_shared_from_this<LibraryState> {
 public:
  /// Throws ptx::ParseError.
  explicit LibraryState(std::string text);
  /// Makes the handles of its kernels and functions invalid.
  ~LibraryState();

  /// Statements that could not be read: ptx::Module::unread.
  const std::vector<std::string>& unread() const { return unread_; }
  /// Makes handles for the kernels.
  void publish(CUlibrary handle);
  /// In the order of the text.
  const std::vector<CUkernel>& kernels() const { return kernels_; }
  /// Null for an unknown name.
  CUkernel kernel(std::string_view name) const;

  /// Loaded at the first use. Throws CallError, ptx::ParseError.
  std::shared_ptr<const Image> image(Context& context);
  /// The kernel as a function of the context. Throws as image().
  CUfunction function(KernelState& kernel, Context& context);
  std::shared_ptr<FunctionSettings> settings(KernelState& kernel, int device);
  /// Removes the images and functions of a context.
  void drop(const Context& context);

 private:
  const std::string text_;
  std::vector<std::string> unread_;
  mutable std::mutex mutex_;
  std::optional<ptx::Module> parsed_;  // until the first image takes it
  std::map<const Context*, std::shared_ptr<const Image>> images_;
  std::vector<std::shared_ptr<KernelState>> states_;
  std::vector<CUkernel> kernels_;

  const std::shared_ptr<const Image>& image_locked(Context& context);
};

using Libraries = HandleTable<CUlibrary, LibraryState>;
using Kernels = HandleTable<CUkernel, KernelState>;
using Functions = HandleTable<CUfunction, FunctionState>;

/// The function of a handle. As with the driver, a CUkernel is accepted: then its function in the given context or the
/// current one. Throws CallError(CUDA_ERROR_INVALID_HANDLE).
std::shared_ptr<FunctionState> function_of(CUfunction handle, Context* context = nullptr);
std::shared_ptr<KernelState> kernel_of(CUkernel handle);

/// A library that belongs to this module.
struct ModuleState {
  std::shared_ptr<LibraryState> library;
  Context& context;
};
using Modules = HandleTable<CUmodule, ModuleState>;

}  // namespace kiln::emulator
