// kiln doctor: what was found where, what is missing, and how to install it.
#include "base/environment.hpp"
#include "base/file_system.hpp"
#include "base/files.hpp"
#include "base/text_parts.hpp"
#include "cache/listing.hpp"
#include "cache/location.hpp"
#include "cache/open_stores.hpp"
#include "cache/pch_folder.hpp"
#include "cache/pch_location.hpp"
#include "cache/remote/remote_address.hpp"
#include "cache/signing/public_keys.hpp"
#include "commands.hpp"
#include "compile/remote/remote_transfer.hpp"
#include "compile/request/bundled_headers.hpp"
#include "compile/worker/worker_process.hpp"
#include "compile/worker/worker_program.hpp"
#include "figures.hpp"
#include "output_file.hpp"
#include "source_file.hpp"
#include "table.hpp"
#include "toolkit/driver/driver.hpp"
#include "toolkit/driver/emulator_library.hpp"
#include "toolkit/libraries/nvjitlink_library.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "toolkit/libraries/nvvm_library.hpp"
#include "toolkit/locate/component_finder.hpp"
#include "toolkit/locate/library_identity.hpp"
#include "toolkit/locate/nvcc.hpp"
#include "toolkit/locate/toolkit.hpp"

#include <kiln/cache.hpp>
#include <kiln/device.hpp>
#include <kiln/error.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace kiln::tool {

namespace {

/// One line of the report; a line without a title belongs to the one above.
void line(const char* title, const std::string& text) { print(table_row({title, text}, {-10}, " ")); }

/// The same for a text of several lines, each behind the title's column.
void lines(const char* title, const std::string& text) {
  for (std::string_view rest = text; !rest.empty(); title = "") line(title, std::string(next_line(rest)));
}

/// Places that were searched, each once in a report, however many components are missing.
class ShownPlaces {
 public:
  void show(const std::vector<std::string>& places) {
    bool are_known = true;
    for (const std::string& place : places) {
      const std::string text = place.substr(0, place.find(": "));
      if (!shown_.insert(text).second) continue;
      line("", "  " + text);
      are_known = false;
    }
    if (are_known) line("", "  the places above");
  }
  /// They stand in the text of an error.
  void add(const std::vector<std::string>& places) {
    for (const std::string& place : places) shown_.insert(place.substr(0, place.find(": ")));
  }

 private:
  std::set<std::string> shown_;
};

ShownPlaces& shown_places() {
  static ShownPlaces places;
  return places;
}

std::string dotted(int version, int unit) {
  return std::to_string(version / unit) + "." + std::to_string(version % unit / 10);
}

/// Where NVRTC's own headers are, which are used where no toolkit's are found.
std::string bundled_headers() {
  const std::string whose = "headers of NVRTC's own bundle, as no toolkit's are found: ";
  const auto location = cache_location({});
  CacheFolder* const cache = location ? &open_store(*location).folder() : nullptr;
  const auto nvrtc = nvrtc_here();
  if (cache == nullptr || !nvrtc || !cache->fault().empty()) return whose + "unpacked for each process of kiln-worker";
  const KeptTree tree = bundled_headers_in(*cache, *nvrtc);
  return whose + (tree.is_here() ? "in " : "to be unpacked by the first compile, into ") + tree.path() + "/include";
}

/// The wheels of CUDA's own headers have none.
bool lacks_cccl(const Toolkit& toolkit) {
  return !toolkit.include_dirs.empty() &&
         std::none_of(toolkit.include_dirs.begin(), toolkit.include_dirs.end(),
                      [](const std::string& folder) { return is_regular_file(folder + "/cuda/std/version"); });
}

void report_toolkit() {
  const Toolkit& toolkit = current_toolkit();
  line("toolkit", toolkit.root.value_or("none"));
  for (const auto& folder : toolkit.include_dirs) line("", "headers in " + folder);
  if (toolkit.uses_bundled_headers) line("", bundled_headers());
  if (toolkit.include_dirs.empty() && toolkit.nvrtc && !toolkit.uses_bundled_headers)
    line("",
         "no headers: pip install nvidia-cuda-runtime nvidia-cuda-cccl, or 'nvidia-cuda-nvrtc>=13.3', which brings "
         "its own");
  if (lacks_cccl(toolkit))
    line("", "no CUB, Thrust and libcu++ there: pip install nvidia-cuda-cccl (CUDA 12: nvidia-cuda-cccl-cu12)");
  if (!toolkit.warning.empty()) line("", toolkit.warning);
}

/// Opens the library, because a file that is there need not load. Returns whether it did.
bool report_nvrtc() try {
  const NvrtcLibrary& nvrtc = NvrtcLibrary::get();
  const auto [major, minor] = nvrtc.version_number();
  line("NVRTC", std::to_string(major) + "." + std::to_string(minor) + ", " + nvrtc.path);
  line("", library_identity(FileSystem::real(), nvrtc.path));
  std::string archs = "compiles for";
  for (const int arch : nvrtc.supported_archs()) archs += " sm_" + std::to_string(arch);
  line("", archs);
  return true;
} catch (const ToolkitError& error) {
  lines("NVRTC", error.what());
  shown_places().add(error.searched());
  return false;
} catch (const Error& error) {
  lines("NVRTC", error.what());
  return false;
}

/// What an ordinary machine may lack.
void report_missing(const char* title, const ToolkitError& error) {
  const std::string text = error.what();
  line(title, text.substr(0, text.find('\n')));
  if (error.searched().size() > 1) shown_places().show(error.searched());
  line("", text.substr(text.rfind('\n') + 1));
}

/// Opens the library, as above. The linker and NVVM are needed for some requests only.
void report_nvjitlink() try {
  const NvJitLinkLibrary& nvjitlink = NvJitLinkLibrary::get();
  const auto [major, minor] = nvjitlink.version_number();
  line("nvJitLink", std::to_string(major) + "." + std::to_string(minor) + ", " + nvjitlink.path);
} catch (const ToolkitError& error) {
  report_missing("nvJitLink", error);
}

void report_nvvm() try {
  const NvvmLibrary& nvvm = NvvmLibrary::get();
  const auto [major, minor] = nvvm.version_number();
  const NvvmIrVersion ir = nvvm.ir_version();
  line("NVVM", std::to_string(major) + "." + std::to_string(minor) + ", " + nvvm.path);
  line("", "reads NVVM IR " + std::to_string(ir.major) + "." + std::to_string(ir.minor) + " with debug information " +
               std::to_string(ir.debug_major) + "." + std::to_string(ir.debug_minor));
} catch (const ToolkitError& error) {
  report_missing("NVVM", error);
}

void report_file(const char* title, std::string (*require)()) try {
  line(title, require());
} catch (const ToolkitError& error) {
  report_missing(title, error);
}

void report_nvcc() { line("nvcc", look_for_nvcc("").value_or("none (needed only for what NVRTC cannot compile)")); }

/// Starts one: whether it works, and from where, is not known before.
void report_worker() try {
  const auto program = find_worker_program();
  if (!program)
    return line("worker", "none: KILN_WORKER (" + environment("KILN_WORKER").value_or("") +
                              ") names no program; NVRTC compiles in the process itself, and nvcc cannot be run");
  WorkerProcess worker(*program);
  const WorkerProcess::Start start = worker.wait_for_hello({}, std::chrono::seconds(10));
  if (start != WorkerProcess::Start::ready)
    return lines("worker", *program + " does not work: it " + worker.why_no_hello(start));
  const bool is_in_file = worker.origin() == WorkerOrigin::private_file;
  const char* const place = is_in_file ? " (started from a private file: memory cannot be run here)" : "";
  line("worker", *program + place);
} catch (const Error& error) {
  line("worker", std::string("none, compiles run in this process: ") + error.what());
}

void report_driver() try {
  const Driver& driver = Driver::get();
  int version = 0;
  check_driver(driver.driver_get_version(&version), "cuDriverGetVersion");
  line("driver", "CUDA " + dotted(version, 1000) + ", " + driver.path);
  if (is_emulator(driver.path))
    line("", "no GPU: Kiln's PTX emulator, as KILN_DRIVER asks for, runs kernels on the CPU");
} catch (const ToolkitError& error) {
  report_missing("driver", error);
} catch (const Error& error) {
  lines("driver", error.what());
}

void report_emulator() {
  if (emulator_in_use()) return;  // said already
  for (const std::string& candidate : emulator_candidates()) {
    std::error_code ignored;
    const std::filesystem::path path(candidate);  // a bare name is the loader's to find
    if (!path.is_absolute() || !std::filesystem::exists(path, ignored)) continue;
    return line("emulator", candidate + ": KILN_DRIVER=emulator runs kernels on the CPU");
  }
}

void report_devices() try {
  const int count = Device::count();
  const std::string hidden = hidden_devices();
  if (count == 0) line("devices", "none" + (hidden.empty() ? "" : ": " + hidden + ", by which none may be left"));
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    const Device device(ordinal);
    line(ordinal == 0 ? "devices" : "", std::to_string(ordinal) + ": " + device.name() + ", " + device.arch() + ", " +
                                            std::to_string(device.total_memory() >> 20) + " MiB");
  }
} catch (const Error& error) {
  lines("devices", error.what());
}

std::string content_text(const CacheStats& stats) {
  return entry_count(stats.entries) + ", " + std::to_string(stats.bytes) + " bytes";
}

void report_cache() try {
  if (cache_disabled()) return line("cache", "off, by KILN_DISABLE_CACHE or PYCUDA_DISABLE_CACHE");
  const Cache cache;
  line("cache", cache.directory().string());
  CacheFolder& folder = open_store(cache.directory().string()).folder();
  if (const std::string fault = folder.fault(); !fault.empty())
    return line("", "not used: " + fault + ". Set KILN_CACHE_DIR to another folder");
  const CacheStats stats = folder_stats(folder);
  line("", content_text(stats) + "; hits: " + std::to_string(stats.hits) + ", misses: " + std::to_string(stats.misses));
} catch (const Error& error) {
  lines("cache", error.what());
}

/// Where they are kept, or why there are none.
void report_precompiled_headers() try {
  const auto cache = cache_disabled() ? std::nullopt : cache_location({});
  if (!cache) return;
  const std::string title = "precompiled headers";
  if (pch_disabled()) return line("", title + ": off, by KILN_PCH");
  const auto location = pch_location(FileSystem::real(), *cache);
  if (!location) return line("", title + ": none, as this process has more rights than its user");
  CacheFolder& folder = open_store(*location).folder();
  folder.be_for_pch(pch_size_limit());
  if (const std::string fault = folder.fault(); !fault.empty())
    return line("", title + ": not used: " + fault + ". Set KILN_PCH_DIR to another folder");
  CacheStats stats;
  add_pch_stats(*cache, stats);
  line("", title + ": " + *location + ", " + std::to_string(stats.pch_files) +
               (stats.pch_files == 1 ? " file, " : " files, ") + std::to_string(stats.pch_bytes) + " bytes");
} catch (const Error& error) {
  lines("", error.what());
}

void report_read_only_caches() {
  const std::vector<std::string> folders = read_only_dirs();
  if (folders.empty() || cache_disabled()) return;
  Trust trust = trust_of({}, trusted_owners());
  trust.keys = trusted_public_keys({});
  const char* title = "read-only";
  for (const std::string& path : folders) {
    CacheFolder& folder = open_read_only_store(path, trust).folder();
    const std::string fault = folder.fault();
    std::string text = path;
    line(title, text.append(fault.empty() ? ": " + content_text(folder_stats(folder)) : " is not used: " + fault));
    title = "";
  }
  std::string owners;
  for (const std::uint32_t owner : trust.owners)
    if (owner != 0) owners += ", " + std::to_string(owner);
  line("", "trusted there: files of this user and of root" +
               (owners.empty() ? "" : ", and of users " + owners.substr(2) + " (KILN_CACHE_TRUSTED_OWNERS)"));
  if (trust.keys != nullptr) line("", "and files that a key of KILN_CACHE_PUBLIC_KEYS signed");
}

/// Whether each answers, within the time that it may take to connect, and with which keys.
void report_remote_caches() try {
  const auto cache = cache_disabled() ? std::nullopt : cache_location({});
  if (!cache || !environment("KILN_CACHE_REMOTE")) return;
  const RemoteCaches caches = report_remotes({}, open_store(*cache).folder(), true);
  const char* title = "remote";
  for (const RemoteCacheReport& remote : caches.remotes) {
    const std::string put = remote.why_no_put.empty() ? "" : "; nothing is put there: " + remote.why_no_put;
    line(title, remote.address + ": " + (remote.fault.empty() ? "it answers" + put : "is not used: " + remote.fault));
    title = "";
  }
  std::string keys;
  for (const std::string& id : caches.public_keys) keys += (keys.empty() ? "" : ", ") + id;
  for (const RemoteAddress& address : parse_remotes(environment("KILN_CACHE_REMOTE").value_or("")))
    if (address.is_unsigned)
      line(title, "trusted there: all that is at " + address.shown() + ", signed or not (@unsigned)");
  if (keys.empty() && caches.signing_key.empty()) return;
  line(title, "trusted there: " + (keys.empty() ? "no key" : "what was signed by " + keys) +
                  (caches.signing_key.empty() ? "" : "; signed here by " + caches.signing_key));
} catch (const Error& error) {
  lines("remote", std::string("not used: ") + error.what());
}

}  // namespace

int doctor_command() {
  line("Kiln", KILN_VERSION);
  report_toolkit();
  const bool can_compile = report_nvrtc();
  report_nvjitlink();
  report_nvvm();
  report_file("libdevice", require_libdevice);
  report_file("cudadevrt", [] { return require_device_library("cudadevrt"); });
  report_nvcc();
  report_worker();
  report_driver();
  report_emulator();
  report_devices();
  report_cache();
  report_precompiled_headers();
  report_read_only_caches();
  report_remote_caches();
  return can_compile ? success : missing_component;
}

}  // namespace kiln::tool
