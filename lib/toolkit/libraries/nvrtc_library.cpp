#include "toolkit/libraries/nvrtc_library.hpp"

#include "base/keep_first.hpp"
#include "base/library_version.hpp"
#include "base/path_text.hpp"
#include "base/shared_library.hpp"
#include "toolkit/libraries/nvrtc_use.hpp"
#include "toolkit/locate/toolkit.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <atomic>
#include <memory>

namespace kiln {
namespace {

std::atomic<const NvrtcLibrary*> nvrtc_in_use{nullptr};

void check_nvrtc(const NvrtcLibrary& nvrtc, nvrtcResult result, const char* call) {
  if (result != NVRTC_SUCCESS)
    throw ToolkitError(std::string(call) + " of " + nvrtc.path + " failed: " + nvrtc.get_error_string(result),
                       {nvrtc.path});
}

// NVRTC itself would only fail at the first compile, with "builtin operation failure". Opening it here by its path also
// finds it where the loader would not look.
void require_builtins(const NvrtcLibrary& nvrtc) {
  const auto [major, minor] = nvrtc.version_number();
  const std::string name = "libnvrtc-builtins.so." + std::to_string(major) + '.' + std::to_string(minor);
  const std::string beside = joined(folder_of(nvrtc.path), name);
  std::string reason;
  for (const std::string& candidate : {beside, name}) {
    try {
      SharedLibrary::open(candidate);
      return;
    } catch (const Error& error) {
      reason += std::string("\n  ") + error.what();
    }
  }
  throw ToolkitError("the compiler library " + nvrtc.path + " needs " + name +
                         ", which is missing. Searched, in order:" + reason +
                         "\nInstall the whole of the package that NVRTC is from. " + installation_advice(),
                     {beside, name});
}

const NvrtcLibrary& open_once(const std::string& path) {
  const NvrtcUse use(NvrtcUse::Purpose::opening);
  return keep_first(nvrtc_in_use, std::make_unique<const NvrtcLibrary>(path));
}

}  // namespace

void throw_no_nvrtc(const Toolkit& toolkit, const std::string& what_else) {
  throw ToolkitError("no NVRTC (libnvrtc.so.13 or libnvrtc.so.12) to compile with" + what_else + ". " +
                         searched_text(toolkit) + '\n' + installation_advice(),
                     toolkit.searched);
}

NvrtcLibrary::NvrtcLibrary(const std::string& file)
    : library(file, "NVRTC of CUDA 12.0 or newer", installation_advice()) {
  require_builtins(*this);
}

const NvrtcLibrary& NvrtcLibrary::get() {
  if (const NvrtcLibrary* nvrtc = nvrtc_in_use.load(std::memory_order_acquire)) return *nvrtc;
  const Toolkit& toolkit = current_toolkit();
  if (!toolkit.nvrtc) throw_no_nvrtc(toolkit);
  return open_once(*toolkit.nvrtc);
}

const NvrtcLibrary& NvrtcLibrary::get(const std::string& path) {
  const NvrtcLibrary* nvrtc = nvrtc_in_use.load(std::memory_order_acquire);
  if (nvrtc == nullptr) nvrtc = &open_once(path);
  if (nvrtc->path != path)
    throw ToolkitError("this process compiles with " + nvrtc->path + " and cannot compile with " + path + " too",
                       {nvrtc->path, path});
  return *nvrtc;
}

std::pair<int, int> NvrtcLibrary::version_number() const {
  int major = 0;
  int minor = 0;
  check_nvrtc(*this, version(&major, &minor), "nvrtcVersion");
  return {major, minor};
}

std::string NvrtcLibrary::title() const { return "NVRTC " + version_text(version_number()); }

std::vector<int> NvrtcLibrary::supported_archs() const {
  int count = 0;
  check_nvrtc(*this, get_num_supported_archs(&count), "nvrtcGetNumSupportedArchs");
  std::vector<int> archs(static_cast<std::size_t>(count));
  if (count != 0) check_nvrtc(*this, get_supported_archs(archs.data()), "nvrtcGetSupportedArchs");
  std::sort(archs.begin(), archs.end());
  return archs;
}

}  // namespace kiln
