#include "module/refused_code.hpp"

#include "base/library_version.hpp"
#include "compile/compiler/error_advice.hpp"
#include "compile/options/arch.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "module/image.hpp"
#include "toolkit/driver/driver_result.hpp"
#include "toolkit/driver/emulator_library.hpp"
#include "toolkit/image/fatbin_view.hpp"
#include "toolkit/locate/nvcc.hpp"

#include <kiln/error.hpp>

namespace kiln {

namespace {

bool runs_on(bool is_ptx, const Arch& arch, int capability) {
  if (arch.suffix == "a") return capability == arch.number;
  const bool same_major = capability / 10 == arch.number / 10;
  return capability >= arch.number && (same_major || (is_ptx && arch.suffix.empty()));
}

struct FatbinArchs {
  std::string names;
  bool one_runs = true;
};

/// The architectures of the images in a fatbin, and whether the device can run one of them: true, too, of one that
/// cannot be read, for which the driver has its own word.
FatbinArchs archs_of_fatbin(std::string_view bytes, int capability) {
  FatbinArchs archs;
  try {
    bool one_runs = false;
    for (const FatbinEntry& entry : fatbin_entries(bytes)) {
      archs.names += (archs.names.empty() ? "" : ",") + entry.arch;
      if (entry.kind == FatbinEntry::ptx || entry.kind == FatbinEntry::cubin)
        one_runs |= runs_on(entry.kind == FatbinEntry::ptx, parse_arch(entry.arch), capability);
    }
    archs.one_runs = one_runs;
  } catch (const Error&) {
  }
  return archs;
}

const char* advice_for_arch(const CodeData& code) {
  if (is_linked(code))
    return "leave the arch of LinkOptions and of the sources' CompileOptions empty, so that Kiln links for each device";
  if (code.recipe && code.target == Target::fatbin) return "add the device's architecture to nvcc.code";
  if (code.recipe)
    return "leave CompileOptions::arch unset, so that Kiln compiles for each device, or compile for compute_<number> "
           "of the oldest device with target ptx";
  return "compile it for this device, or load its PTX";
}

/// " (/usr/local/cuda/lib64/libnvrtc.so.13.0.88)", of code that was compiled here.
std::string path_of_compiler(const CodeData& code) {
  if (!code.recipe) return {};
  const auto path =
      code.backend == Backend::nvcc ? look_for_nvcc(code.recipe->options.nvcc.path) : current_toolkit().nvrtc;
  return path ? " (" + *path + ")" : std::string();
}

/// ", made by NVRTC 13.0 (its path)"; what of it is known.
std::string maker_text(const CodeData& code) {
  const auto version = toolkit_version(code.bytes);
  if (!version) return {};
  const bool by_nvrtc = code.recipe && code.backend == Backend::nvrtc;
  const bool by_nvcc = code.recipe && code.backend == Backend::nvcc;
  const char* const maker = by_nvrtc ? "NVRTC " : by_nvcc ? "nvcc " : "a toolkit of CUDA ";
  return ", made by " + (maker + version_text(*version)) + path_of_compiler(code);
}

/// ", its driver is of CUDA 12.4 (/usr/lib/libcuda.so.1)"
std::string driver_text() try {
  const Driver& driver = Driver::get();
  return ", its driver is of CUDA " + version_text(driver_version(driver)) + " (" + driver.path + ")";
} catch (const Error&) {
  return {};  // the error that is being made says more
}

}  // namespace

bool is_linked(const CodeData& code) { return code.backend == Backend::nvjitlink || code.backend == Backend::driver; }

bool runs_on(const CodeData& code, int capability) {
  if (code.target == Target::fatbin || code.arch.empty()) return true;  // the driver picks, or refuses
  return runs_on(code.target == Target::ptx, parse_arch(code.arch), capability);
}

void throw_cannot_run(const CodeData& code, int device) {
  const std::string arch = device_arch(device);
  const std::string asked = code.recipe ? code.recipe->options.arch : std::string();
  const std::string what = "the code is for " + code.arch +
                           (asked.empty() || asked == code.arch ? "" : " (arch \"" + asked + "\")") +
                           ", which device " + std::to_string(device) + " (" + arch + ") cannot run";
  if (!runs_on(code, device_compute_capability(device)))
    throw NoKernelImageError(what + ": " + advice_for_arch(code), code.arch, arch);
  const char* advice = is_linked(code) ? "compile the sources with target ltoir, and link with LinkOptions::target ptx"
                                       : "compile with target ptx, or load the code's PTX";
  const std::string driver = emulator_in_use() ? "Kiln's emulator" : "the driver library " + Driver::get().path;
  throw NoKernelImageError(what + ": " + driver + " takes PTX only; " + advice, code.arch, arch);
}

void throw_refused_code(const CodeData& code, int device, int result, const char* call, const std::string& log) {
  if (const std::string hint = asynchronous_hint(result); !hint.empty()) throw_driver_error(result, call, hint);
  std::string archs = code.arch;
  bool none_runs = result == CUDA_ERROR_NO_BINARY_FOR_GPU;
  if (code.target == Target::fatbin) {
    const FatbinArchs fatbin = archs_of_fatbin(code.bytes, device_compute_capability(device));
    archs = fatbin.names;
    // Of PTX for a newer architecture alone a driver says that it cannot be compiled.
    none_runs = none_runs || (result == CUDA_ERROR_INVALID_PTX && !fatbin.one_runs);
  }
  std::string advice = none_runs ? advice_for_arch(code) : refused_code_advice(result);
  const std::string advice_for_log =
      none_runs ? std::string() : advice_for_words(log, code.recipe ? code.recipe->source : std::string_view());
  // The log has what ptxas would say.
  if (!none_runs && result == CUDA_ERROR_INVALID_PTX && !log.empty()) advice.clear();
  const std::string context = "; " + (code.name.empty() ? std::string("the code") : "\"" + code.name + "\"") +
                              (archs.empty() ? "" : " is for " + archs) + maker_text(code) + "; device " +
                              std::to_string(device) + " is " + device_arch(device) + driver_text() +
                              (advice.empty() ? "" : ": " + advice) + (log.empty() ? "" : "\n" + log) +
                              (advice_for_log.empty() ? "" : (log.ends_with('\n') ? "" : "\n") + advice_for_log);
  if (none_runs) throw NoKernelImageError(driver_failure(result, call, context), archs, device_arch(device));
  throw_driver_error(result, call, context);
}

}  // namespace kiln
