#include "toolkit/libraries/nvjitlink_library.hpp"

#include "base/keep_first.hpp"
#include "base/library_version.hpp"
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

}  // namespace

NvJitLinkLibrary::NvJitLinkLibrary(const std::string& file)
    : library(file, "nvJitLink of CUDA 12.0 or newer", nvjitlink_advice()), suffix(suffix_of(library)) {}

const NvJitLinkLibrary& NvJitLinkLibrary::get() {
  if (const NvJitLinkLibrary* nvjitlink = nvjitlink_in_use.load(std::memory_order_acquire)) return *nvjitlink;
  const NvrtcUse use(NvrtcUse::Purpose::opening);  // first: a child of fork is not to look for one
  return keep_first(nvjitlink_in_use, std::make_unique<const NvJitLinkLibrary>(require_nvjitlink()));
}

const NvJitLinkLibrary& NvJitLinkLibrary::get(const std::string& file) {
  const NvrtcUse use(NvrtcUse::Purpose::opening);
  return keep_first(nvjitlink_in_use, std::make_unique<const NvJitLinkLibrary>(file));
}

std::string NvJitLinkLibrary::with_suffix(const char* name) const {
  return suffix.empty() ? std::string() : std::string("__") + name + suffix;
}

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
