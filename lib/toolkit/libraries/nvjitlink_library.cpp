#include "toolkit/libraries/nvjitlink_library.hpp"

#include "base/version_text.hpp"
#include "toolkit/libraries/nvrtc_use.hpp"
#include "toolkit/locate/component_finder.hpp"

#include <kiln/error.hpp>

namespace kiln {
namespace {

std::atomic<const NvJitLinkLibrary*> nvjitlink_in_use{nullptr};

// What a library's names end in where it exports no plain ones, as some of CUDA 12 do: "_12_4" after a "__" in front.
// Later ones keep the names of earlier ones, so the first that is there serves all.
std::string suffix_of(const LibraryBinder& library) {
  for (const char* major : {"_12_", "_13_"})
    for (char minor = '0'; minor <= '9'; ++minor) {
      std::string suffix = std::string(major) + minor;
      if (library.find(("__nvJitLinkCreate" + suffix).c_str()) != nullptr) return suffix;
    }
  return {};
}

class NvJitLinkBinder {
 public:
  explicit NvJitLinkBinder(const LibraryBinder& library) : library_(library), suffix_(suffix_of(library)) {}

  template <class F>
  void bind(F*& function, const char* name) const {
    library_.bind(function, name, with_suffix(name));
  }
  template <class Signature>
  void bind_newer(NewerFunction<Signature>& function, const char* name, const char* since,
                  const std::string& title) const {
    library_.bind_newer(function, name, since, title, with_suffix(name));
  }

 private:
  std::string with_suffix(const char* name) const {
    return suffix_.empty() ? std::string() : std::string("__") + name + suffix_;
  }

  const LibraryBinder& library_;
  std::string suffix_;
};

void bind_nvjitlink(const LibraryBinder& library, NvJitLinkLibrary& nvjitlink) {
  const NvJitLinkBinder binder(library);
  binder.bind(nvjitlink.create, "nvJitLinkCreate");
  binder.bind(nvjitlink.destroy, "nvJitLinkDestroy");
  binder.bind(nvjitlink.add_data, "nvJitLinkAddData");
  binder.bind(nvjitlink.add_file, "nvJitLinkAddFile");
  binder.bind(nvjitlink.complete, "nvJitLinkComplete");
  binder.bind(nvjitlink.get_linked_cubin_size, "nvJitLinkGetLinkedCubinSize");
  binder.bind(nvjitlink.get_linked_cubin, "nvJitLinkGetLinkedCubin");
  binder.bind(nvjitlink.get_linked_ptx_size, "nvJitLinkGetLinkedPtxSize");
  binder.bind(nvjitlink.get_linked_ptx, "nvJitLinkGetLinkedPtx");
  binder.bind(nvjitlink.get_error_log_size, "nvJitLinkGetErrorLogSize");
  binder.bind(nvjitlink.get_error_log, "nvJitLinkGetErrorLog");
  binder.bind(nvjitlink.get_info_log_size, "nvJitLinkGetInfoLogSize");
  binder.bind(nvjitlink.get_info_log, "nvJitLinkGetInfoLog");
  binder.bind_newer(nvjitlink.version, "nvJitLinkVersion", "12.3", nvjitlink.title());
  const std::string title = nvjitlink.title();
  binder.bind_newer(nvjitlink.get_linked_ltoir_size, "nvJitLinkGetLinkedLTOIRSize", "13.3", title);
  binder.bind_newer(nvjitlink.get_linked_ltoir, "nvJitLinkGetLinkedLTOIR", "13.3", title);
}

std::unique_ptr<const NvJitLinkLibrary> open_nvjitlink(const std::string& file) {
  const LibraryBinder library(file, "nvJitLink of CUDA 12.0 or newer", nvjitlink_advice());
  auto nvjitlink = std::make_unique<NvJitLinkLibrary>();
  nvjitlink->path = library.path();
  bind_nvjitlink(library, *nvjitlink);
  return nvjitlink;
}

}  // namespace

const NvJitLinkLibrary& NvJitLinkLibrary::get() {
  if (const NvJitLinkLibrary* nvjitlink = nvjitlink_in_use.load(std::memory_order_acquire)) return *nvjitlink;
  const NvrtcUse use(NvrtcUse::Purpose::opening);
  return keep_first(nvjitlink_in_use, open_nvjitlink(require_nvjitlink()));
}

const NvJitLinkLibrary& NvJitLinkLibrary::get(const std::string& file) {
  const NvrtcUse use(NvrtcUse::Purpose::opening);
  return keep_first(nvjitlink_in_use, open_nvjitlink(file));
}

bool NvJitLinkLibrary::is_open() noexcept { return nvjitlink_in_use.load(std::memory_order_acquire) != nullptr; }

std::pair<int, int> NvJitLinkLibrary::version_number() const {
  if (!version) return {12, 0};
  unsigned major = 0;
  unsigned minor = 0;
  if (const int result = version(&major, &minor); result != 0)
    throw ToolkitError("nvJitLinkVersion of " + path + " failed with result " + std::to_string(result), {path});
  return {static_cast<int>(major), static_cast<int>(minor)};
}

std::string NvJitLinkLibrary::title() const {
  if (!version) return "nvJitLink of CUDA 12.0 to 12.2";
  return "nvJitLink " + version_text(version_number());
}

}  // namespace kiln
