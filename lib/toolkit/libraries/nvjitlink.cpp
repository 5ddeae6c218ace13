#include "base/argument_error.hpp"
#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "base/passkey.hpp"
#include "toolkit/libraries/call_text.hpp"
#include "toolkit/libraries/held.hpp"
#include "toolkit/libraries/nvjitlink_library.hpp"
#include "toolkit/libraries/nvrtc_use.hpp"
#include "toolkit/libraries/result_names.hpp"

#include <kiln/error.hpp>
#include <kiln/nvjitlink.hpp>

#include <list>
#include <mutex>
#include <utility>

namespace kiln::nvjitlink {

namespace {

/// Names of inputs that a released handle may still read.
struct KeptNames {
  ForkSafeMutex mutex;
  std::list<std::string> names;
};

void keep_for_good(std::list<std::string> names) {
  KeptNames& kept = fork_safe_instance<KeptNames>();
  const std::lock_guard<ForkSafeMutex> lock(kept.mutex);
  kept.names.splice(kept.names.end(), names);
}

}  // namespace

std::pair<int, int> version() { return NvJitLinkLibrary::get().version_number(); }

std::string library_path() { return NvJitLinkLibrary::get().path; }

std::string error_string(int result) { return nvjitlink_result_name(result); }

struct Linker::Impl {
  explicit Impl(const std::vector<std::string>& given) : options(given) {}
  explicit Impl(NvJitLinkHandle adopted) : handle(adopted) {}
  ~Impl() {
    if (handle == nullptr) return;
    try {
      const NvrtcUse use;
      library.destroy(&handle);
    } catch (...) {
      // nvJitLink cannot be used in this child of fork.
    }
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  // Also of a handle that nvJitLinkCreate filled in though it failed: its log says why.
  void check(int result, const char* call, const std::string& subject = {}) const {
    if (result == 0) return;
    const std::string error_log = handle != nullptr ? log(library.get_error_log_size, library.get_error_log) : "";
    const std::string info_log = handle != nullptr ? log(library.get_info_log_size, library.get_info_log) : "";
    throw LinkError(call_text({call, library.title(), nvjitlink_result_name(result), subject, error_log, options}),
                    error_log, info_log, options);
  }

  template <class Size, class Get>
  std::string output(const Size& size, const Get& get, const char* call) const {
    return sized_output(size, get, handle, [&](int result) { check(result, call); });
  }

  // Empty where there is none, so that the error is about the call that failed.
  template <class Size, class Get>
  std::string log(const Size& size, const Get& get) const {
    std::size_t bytes = 0;
    if (size(handle, &bytes) != 0) return {};
    std::string text(bytes, '\0');
    return bytes == 0 || get(handle, text.data()) != 0 ? std::string() : as_log(std::move(text));
  }

  // nvJitLink reads names again when it completes the link.
  const char* keep(const std::string& name) { return names.emplace_back(name).c_str(); }

  const NvJitLinkLibrary& library = NvJitLinkLibrary::get();
  std::vector<std::string> options;
  std::list<std::string> names;
  NvJitLinkHandle handle = nullptr;
};

Linker::Linker(const std::vector<std::string>& options) : impl_(std::make_unique<Impl>(options)) {
  const NvrtcUse use;
  const std::vector<const char*> pointers = option_pointers(impl_->options);
  const int result =
      impl_->library.create(&impl_->handle, static_cast<std::uint32_t>(pointers.size()), pointers.data());
  try {
    impl_->check(result, "nvJitLinkCreate");
  } catch (...) {
    constexpr int missing_arch = 2;
    if (result == missing_arch) impl_->handle = nullptr;  // CUDA 12's crashes where it is to destroy that one
    throw;
  }
}
Linker::Linker(detail::Passkey, std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Linker::~Linker() = default;
Linker::Linker(Linker&&) noexcept = default;
Linker& Linker::operator=(Linker&&) noexcept = default;
Linker::Impl& Linker::impl() const { return held(impl_, "nvjitlink::Linker", "a handle of nvJitLink"); }

Linker Linker::adopt(nvJitLinkHandle handle) {
  if (handle == nullptr) refuse("nvjitlink::Linker::adopt: handle", "a handle of nvJitLink", "null");
  return {passkey, std::make_unique<Impl>(handle)};
}

nvJitLinkHandle Linker::native_handle() const noexcept { return impl_ ? impl_->handle : nullptr; }

nvJitLinkHandle Linker::release() {
  if (!impl_) return nullptr;
  if (!impl_->names.empty()) keep_for_good(std::move(impl_->names));
  nvJitLinkHandle handle = std::exchange(impl_->handle, nullptr);
  impl_.reset();
  return handle;
}

void Linker::add_data(InputKind kind, std::string_view bytes, const std::string& name) {
  const NvrtcUse use;
  const char* own_name = name.empty() ? nullptr : impl().keep(name);
  // What may be PTX is read up to a zero, wherever its bytes end.
  std::string text;
  if ((kind == InputKind::ptx || kind == InputKind::any) && !bytes.empty()) bytes = text = bytes;
  impl().check(impl().library.add_data(impl().handle, static_cast<int>(kind), bytes.data(), bytes.size(), own_name),
               "nvJitLinkAddData", name);
}

void Linker::add_file(InputKind kind, const std::string& path) {
  const NvrtcUse use;
  impl().check(impl().library.add_file(impl().handle, static_cast<int>(kind), impl().keep(path)), "nvJitLinkAddFile",
               path);
}

void Linker::complete() {
  const NvrtcUse use;
  impl().check(impl().library.complete(impl().handle), "nvJitLinkComplete");
}

std::string Linker::cubin() const {
  return impl().output(impl().library.get_linked_cubin_size, impl().library.get_linked_cubin,
                       "nvJitLinkGetLinkedCubin");
}

std::string Linker::ptx() const {
  return without_zeros(
      impl().output(impl().library.get_linked_ptx_size, impl().library.get_linked_ptx, "nvJitLinkGetLinkedPtx"));
}

std::string Linker::ltoir() const {
  return impl().output(impl().library.get_linked_ltoir_size, impl().library.get_linked_ltoir,
                       "nvJitLinkGetLinkedLTOIR");
}

std::string Linker::error_log() const {
  return as_log(impl().output(impl().library.get_error_log_size, impl().library.get_error_log, "nvJitLinkGetErrorLog"));
}

std::string Linker::info_log() const {
  return as_log(impl().output(impl().library.get_info_log_size, impl().library.get_info_log, "nvJitLinkGetInfoLog"));
}

}  // namespace kiln::nvjitlink
