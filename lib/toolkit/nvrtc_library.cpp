#include "toolkit/nvrtc_library.hpp"

#include "base/shared_library.hpp"
#include "toolkit/nvrtc_use.hpp"
#include "toolkit/toolkit.hpp"
#include "toolkit/toolkit_places.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <atomic>
#include <memory>

namespace kiln {
namespace {

std::atomic<const NvrtcLibrary*> opened{nullptr};

template <class F>
void bind(const SharedLibrary& library, const std::string& path, const char* name, F*& function) {
  function = reinterpret_cast<F*>(library.symbol(name));
  if (function == nullptr)
    throw ToolkitError("the compiler library " + path + " lacks the function " + name +
                           ": Kiln needs NVRTC of CUDA 12.0 or newer. " + installation_advice(),
                       {path});
}

void bind_all(const SharedLibrary& library, NvrtcLibrary& nvrtc) {
  bind(library, nvrtc.path, "nvrtcVersion", nvrtc.version);
  bind(library, nvrtc.path, "nvrtcGetErrorString", nvrtc.get_error_string);
  bind(library, nvrtc.path, "nvrtcGetNumSupportedArchs", nvrtc.get_num_supported_archs);
  bind(library, nvrtc.path, "nvrtcGetSupportedArchs", nvrtc.get_supported_archs);
  bind(library, nvrtc.path, "nvrtcCreateProgram", nvrtc.create_program);
  bind(library, nvrtc.path, "nvrtcDestroyProgram", nvrtc.destroy_program);
  bind(library, nvrtc.path, "nvrtcCompileProgram", nvrtc.compile_program);
  bind(library, nvrtc.path, "nvrtcGetPTXSize", nvrtc.get_ptx_size);
  bind(library, nvrtc.path, "nvrtcGetPTX", nvrtc.get_ptx);
  bind(library, nvrtc.path, "nvrtcGetCUBINSize", nvrtc.get_cubin_size);
  bind(library, nvrtc.path, "nvrtcGetCUBIN", nvrtc.get_cubin);
  bind(library, nvrtc.path, "nvrtcGetLTOIRSize", nvrtc.get_ltoir_size);
  bind(library, nvrtc.path, "nvrtcGetLTOIR", nvrtc.get_ltoir);
  bind(library, nvrtc.path, "nvrtcGetOptiXIRSize", nvrtc.get_optixir_size);
  bind(library, nvrtc.path, "nvrtcGetOptiXIR", nvrtc.get_optixir);
  bind(library, nvrtc.path, "nvrtcGetProgramLogSize", nvrtc.get_program_log_size);
  bind(library, nvrtc.path, "nvrtcGetProgramLog", nvrtc.get_program_log);
  bind(library, nvrtc.path, "nvrtcAddNameExpression", nvrtc.add_name_expression);
  bind(library, nvrtc.path, "nvrtcGetLoweredName", nvrtc.get_lowered_name);
  nvrtc.set_flow_callback = reinterpret_cast<decltype(nvrtc.set_flow_callback)>(library.symbol("nvrtcSetFlowCallback"));
}

void check(const NvrtcLibrary& nvrtc, nvrtcResult result, const char* call) {
  if (result != NVRTC_SUCCESS)
    throw ToolkitError(std::string(call) + " of " + nvrtc.path + " failed: " + nvrtc.get_error_string(result),
                       {nvrtc.path});
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string(".") : path.substr(0, slash);
}

// NVRTC itself would only fail at the first compile, with "builtin operation failure". Opening it here by its path also
// finds it where the loader would not look.
void require_builtins(const NvrtcLibrary& nvrtc) {
  const auto [major, minor] = nvrtc.version_number();
  const std::string name = "libnvrtc-builtins.so." + std::to_string(major) + '.' + std::to_string(minor);
  const std::string beside = folder_of(nvrtc.path) + '/' + name;
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

std::unique_ptr<const NvrtcLibrary> open_nvrtc(const std::string& file) {
  // Without links, as NVRTC looks for its builtins library beside the path that it was opened by.
  const auto real_path = resolved(file);
  const std::string path = real_path ? real_path->string() : file;
  auto nvrtc = std::make_unique<NvrtcLibrary>();
  nvrtc->path = path;
  try {
    bind_all(SharedLibrary::open(path), *nvrtc);
  } catch (const ToolkitError&) {
    throw;
  } catch (const Error& error) {
    throw ToolkitError("the compiler library " + path + " cannot be opened: " + error.what(), {path});
  }
  require_builtins(*nvrtc);
  return nvrtc;
}

const NvrtcLibrary& open_once(const std::string& path) {
  // No lock while the loader works: two threads may both open the library, which the loader counts, and one table wins.
  // It is never destroyed: compiles may run while the process exits.
  const NvrtcUse use;
  std::unique_ptr<const NvrtcLibrary> fresh = open_nvrtc(path);
  const NvrtcLibrary* expected = nullptr;
  if (opened.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
  return *expected;
}

}  // namespace

void throw_no_nvrtc(const Toolkit& toolkit, const std::string& what_else) {
  throw ToolkitError("no NVRTC (libnvrtc.so.13 or libnvrtc.so.12) to compile with" + what_else + ". " +
                         searched_text(toolkit) + '\n' + installation_advice(),
                     toolkit.searched);
}

const NvrtcLibrary& NvrtcLibrary::get() {
  if (const NvrtcLibrary* nvrtc = opened.load(std::memory_order_acquire)) return *nvrtc;
  const Toolkit& toolkit = current_toolkit();
  if (!toolkit.nvrtc) throw_no_nvrtc(toolkit);
  return open_once(*toolkit.nvrtc);
}

const NvrtcLibrary& NvrtcLibrary::get(const std::string& path) {
  const NvrtcLibrary* nvrtc = opened.load(std::memory_order_acquire);
  if (nvrtc == nullptr) nvrtc = &open_once(path);
  if (nvrtc->path != path)
    throw ToolkitError("this process compiles with " + nvrtc->path + " and cannot compile with " + path + " too",
                       {nvrtc->path, path});
  return *nvrtc;
}

bool NvrtcLibrary::is_open() noexcept { return opened.load(std::memory_order_acquire) != nullptr; }

std::pair<int, int> NvrtcLibrary::version_number() const {
  int major = 0;
  int minor = 0;
  check(*this, version(&major, &minor), "nvrtcVersion");
  return {major, minor};
}

std::vector<int> NvrtcLibrary::supported_archs() const {
  int count = 0;
  check(*this, get_num_supported_archs(&count), "nvrtcGetNumSupportedArchs");
  std::vector<int> archs(static_cast<std::size_t>(count));
  if (count != 0) check(*this, get_supported_archs(archs.data()), "nvrtcGetSupportedArchs");
  std::sort(archs.begin(), archs.end());
  return archs;
}

}  // namespace kiln
