// Libraries, their kernels, and the functions that these are in a context.
#pragma once

#include "emulator/core/handle_table.hpp"
#include "emulator/lowering/image.hpp"
#include "emulator/provider/context/context.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator {

/// What cuKernelSetAttribute and the like set, of a kernel on a device.
struct FunctionSettings {
  std::atomic<int> max_dynamic_shared{-1};  // -1: as much as any launch may have
  std::atomic<int> carveout{-1};
  std::atomic<int> non_portable_cluster{0};
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
  // Under the library's lock.
  std::map<int, std::shared_ptr<FunctionSettings>> settings;  // by device
  std::map<const Context*, CUfunction> functions;
};

/// PTX that was loaded; becomes an image in each context that uses it.
class LibraryState : public std::enable_shared_from_this<LibraryState> {
 public:
  /// Throws ptx::ParseError.
  explicit LibraryState(std::string text);
  /// Its kernels and functions are known no longer.
  ~LibraryState();

  /// What the text says that could not be read: ptx::Module::unread.
  const std::vector<std::string>& unread() const { return unread_; }
  /// Gives the kernels their handles.
  void publish(CUlibrary handle);
  /// In the order of the text.
  const std::vector<CUkernel>& kernels() const { return kernels_; }
  /// Null where it has none of that name.
  CUkernel kernel(std::string_view name) const;

  /// Made when first asked for. Throws CallError, ptx::ParseError.
  std::shared_ptr<const Image> image(Context& context);
  /// The kernel as a function of the context. Throws as image().
  CUfunction function(KernelState& kernel, Context& context);
  std::shared_ptr<FunctionSettings> settings(KernelState& kernel, int device);
  /// Images and functions of the context go.
  void drop(const Context& context);

 private:
  const std::string text_;
  std::vector<std::string> unread_;
  mutable std::mutex mutex_;
  std::optional<ptx::Module> parsed_;  // for the first image
  std::map<const Context*, std::shared_ptr<const Image>> images_;
  std::vector<std::shared_ptr<KernelState>> states_;
  std::vector<CUkernel> kernels_;

  const std::shared_ptr<const Image>& image_locked(Context& context);
};

using Libraries = HandleTable<CUlibrary, LibraryState>;
using Kernels = HandleTable<CUkernel, KernelState>;
using Functions = HandleTable<CUfunction, FunctionState>;

/// The function of a handle; a CUkernel may stand for it, as with the driver: then in the given context, or in the
/// current one. Throws CallError(CUDA_ERROR_INVALID_HANDLE).
std::shared_ptr<FunctionState> function_of(CUfunction handle, Context* context = nullptr);
std::shared_ptr<KernelState> kernel_of(CUkernel handle);

}  // namespace kiln::emulator
