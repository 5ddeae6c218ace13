#include "compile/request.hpp"

#include "base/environment.hpp"
#include "cache/key.hpp"
#include "cache/location.hpp"
#include "compile/compiler_identity.hpp"
#include "compile/nvrtc_compile.hpp"
#include "compile/option_list.hpp"
#include "compile/request_key.hpp"
#include "compile/source_scan.hpp"
#include "toolkit/kernel_name.hpp"
#include "toolkit/toolkit.hpp"

#include <kiln/error.hpp>

#include <unistd.h>
#include <algorithm>

namespace kiln {

namespace {

constexpr const char* default_name = "kernel.cu";

std::string working_folder() {
  std::string buffer(4096, '\0');
  if (::getcwd(buffer.data(), buffer.size()) == nullptr) return "/";
  buffer.resize(buffer.find('\0'));
  return buffer;
}

/// The defaults of the environment, then the user's.
std::vector<std::string> all_options(const CompileOptions& options) {
  std::vector<std::string> all =
      split_options(environment("KILN_DEFAULT_OPTIONS", "PYCUDA_DEFAULT_NVCC_FLAGS").value_or(""));
  all.insert(all.end(), options.options.begin(), options.options.end());
  return all;
}

std::optional<Arch> explicit_arch(const CompileOptions& options, const OptionList& list, const DeviceWish& device) {
  std::string wanted = options.arch;
  if (!list.arch.empty()) {
    if (!wanted.empty() && parse_arch(wanted).text() != parse_arch(list.arch).text())
      throw ArgumentError("the option -arch=" + list.arch + " and arch = \"" + wanted + "\" differ: give one of them",
                          {}, ArgumentError::no_index, wanted, list.arch);
    wanted = list.arch;
  }
  if (wanted == "native") {
    if (device.arch.empty())
      throw ArgumentError("arch \"native\" needs a device, and there is none: name the architecture, such as sm_90", {},
                          ArgumentError::no_index, "an architecture", wanted);
    wanted = device.arch;
  }
  if (wanted.empty()) return std::nullopt;
  return parse_arch(wanted);
}

/// Whether a quoted name may be looked for beside the source or an in-memory header.
bool looks_beside(const SourceScan& scan) {
  const auto quoted = [](const HeaderName& header) { return header.quoted; };
  return scan.macro_include || scan.macro_has_include ||
         std::any_of(scan.includes.begin(), scan.includes.end(), quoted) ||
         std::any_of(scan.has_includes.begin(), scan.has_includes.end(), quoted);
}

/// All places that a search for a header may start from, but the toolkit's. How many there are is told by the rest of
/// the key.
void add_own_roots(Request& request, const SourceScan& scan) {
  HeaderSearch& search = request.search;
  const std::string& name = request.job.name;
  std::vector<std::string>& roots = search.roots.paths;
  roots = search.dirs;
  for (const std::string& file : search.forced)
    if (file.substr(0, 1) == "/") roots.push_back(folder_of_name(file, {}));
  const bool absolute = name.substr(0, 1) == "/";
  const bool beside = !absolute && looks_beside(scan);
  if (absolute) search.source_root = static_cast<int>(roots.size());
  if (absolute || beside) roots.push_back(search.source_dir);
  if (beside || !search.memory.empty() || !search.forced.empty()) roots.push_back(search.working_folder);
  search.own_roots = roots.size();
}

void add_toolkit_folders(Request& request) {
  HeaderSearch& search = request.search;
  for (const auto& folder : current_toolkit().include_dirs) {
    search.toolkit.push_back(absolute_folder(folder, search.working_folder));
    search.dirs.push_back(search.toolkit.back());
    search.roots.paths.push_back(search.toolkit.back());
    request.job.arguments.push_back("-I" + search.toolkit.back());
  }
}

/// What the arguments themselves tell: `-DWHEN=__TIME__` is as good as the same in the source.
void read_arguments(Request& request) {
  for (const std::string& argument : request.job.arguments) {
    if (argument.substr(0, 2) == "-I") continue;
    const SourceScan scan = scan_source(argument);
    if (scan.uses_time) request.refusal.add(Counter::refused_time, std::string(clock_refusal));
    if (!scan.has_includes.empty() || scan.macro_has_include)
      request.refusal.add(Counter::refused_unknown_headers,
                          "__has_include in the option " + argument + ": what it looks for is not tracked");
    request.search.tells_place |= may_tell_place(argument);
  }
}

void require_sense(std::string_view source, const CompileOptions& options) {
  if (options.target == Target::fatbin)
    throw ArgumentError("target fatbin: NVRTC makes none; ask for cubin, ptx, ltoir or optixir", {},
                        ArgumentError::no_index, "cubin, ptx, ltoir or optixir", "fatbin");
  if (source.find('\0') != std::string_view::npos)
    throw ArgumentError("the source holds a zero byte at position " + std::to_string(source.find('\0')) +
                            ", where the compiler would stop reading",
                        {}, ArgumentError::no_index, "text", "a zero byte");
}

Request settle(std::string_view source, const CompileOptions& options, const DeviceWish& device,
               const std::string& compiler, bool toolkit_known) {
  Request request;
  request.device = device;
  request.strict_headers = options.strict_headers;
  HeaderSearch& search = request.search;
  search.working_folder = working_folder();
  OptionList list = read_options(all_options(options), search.working_folder);
  request.explicit_arch = explicit_arch(options, list, device);
  request.embeds_places = list.embeds_working_folder;

  CompilerJob& job = request.job;
  job.source = std::string(source);
  job.name = options.name.empty() ? default_name : options.name;
  job.target = options.target;
  job.headers = options.headers;
  if (options.timeout.count() > 0) job.stop.deadline = Stop::Clock::now() + options.timeout;
  job.stop.cancel = options.cancel;
  for (const std::string& expression : options.name_expressions)
    job.name_expressions.push_back(canonical_spacing(expression));
  std::sort(job.name_expressions.begin(), job.name_expressions.end());
  job.arguments = std::move(list.arguments);
  request.placeless = std::move(list.placeless);
  for (const Define& define : options.defines) {
    job.arguments.push_back("-D" + define.name + "=" + define.value);
    request.placeless.push_back(job.arguments.back());
  }
  search.dirs = std::move(list.include_dirs);
  for (const auto& folder : options.include_dirs) {
    search.dirs.push_back(absolute_folder(folder.string(), search.working_folder));
    job.arguments.push_back("-I" + search.dirs.back());
    request.placeless.emplace_back("-I");
  }

  request.may_include = !list.forced.empty() || may_include(source);
  job.trace_headers = request.may_include;
  const bool may_tell_time =
      source.find("__TIME") != std::string_view::npos || source.find("__DATE__") != std::string_view::npos;
  const SourceScan scan = request.may_include || may_tell_time ? scan_source(source) : SourceScan{};
  if (!list.side_effect.empty())
    request.refusal.add(Counter::refused_option, "the option " + list.side_effect + " does more than make code");
  if (scan.uses_time) request.refusal.add(Counter::refused_time, std::string(clock_refusal));
  read_arguments(request);

  search.source_dir = folder_of_name(job.name, search.working_folder);
  search.memory = options.headers;
  search.forced = std::move(list.forced);
  add_own_roots(request, scan);
  search.roots.complete = toolkit_known;
  // How they lie to the own folders is in the key; where they lie is not, as the compiler's identity stands for the
  // toolkit.
  if (request.may_include && toolkit_known) add_toolkit_folders(request);
  request.compiler = compiler;
  request.key_bytes = canonical_key(request, compiler);
  request.key = sha256(request.key_bytes);
  return request;
}

}  // namespace

Request make_request(std::string_view source, const CompileOptions& options, const DeviceWish& device) {
  require_sense(source, options);
  return settle(source, options, device, compiler_identity(), true);
}

Request make_request(std::string_view source, const CompileOptions& options, const DeviceWish& device,
                     const std::string& compiler) {
  require_sense(source, options);
  const std::string* here = find_compiler_identity();
  return settle(source, options, device, compiler, here != nullptr && *here == compiler);
}

std::string request_identity(std::string_view source, const CompileOptions& options, const DeviceWish& device) {
  KeyBuilder identity;
  for (const char* variable :
       {"KILN_DEFAULT_OPTIONS", "PYCUDA_DEFAULT_NVCC_FLAGS", "KILN_ARCH", "KILN_CACHE_DIR", "PYCUDA_CACHE_DIR",
        "KILN_CACHE_READ_ONLY_DIRS", "KILN_CACHE_TRUSTED_OWNERS", "XDG_CACHE_HOME", "HOME"}) {
    const char* value = ::secure_getenv(variable);
    identity.add("", value == nullptr ? std::string_view() : std::string_view(value));
  }
  identity.add("", options.options);
  for (const auto& folder : options.include_dirs) identity.add("I", folder.native());
  for (const Define& define : options.defines) identity.add("D", define.name).add("", define.value);
  identity.add("arch", options.arch).add("", device.arch);
  const char flags[] = {static_cast<char>('0' + static_cast<int>(options.target)), device.loads_cubin ? '1' : '0',
                        options.strict_headers ? '1' : '0'};
  identity.add("", std::string_view(flags, sizeof flags));
  identity.add("", options.name);
  for (const auto& header : options.headers) identity.add("h", header.first).add("", header.second);
  identity.add("", options.name_expressions);
  identity.add("", options.cache_dir.native());
  for (const auto& folder : options.read_only_cache_dirs) identity.add("r", folder.native());
  identity.add("", options.trusted_owners);
  const bool has_defaults = environment("KILN_DEFAULT_OPTIONS", "PYCUDA_DEFAULT_NVCC_FLAGS").has_value();
  if (may_include(source) || !options.include_dirs.empty() || !options.options.empty() || has_defaults)
    identity.add("cwd", working_folder());
  identity.add("source", source);
  return identity.bytes();
}

Arch choose_arch(const Request& request, const NvrtcLibrary& nvrtc) {
  const std::vector<int> supported = nvrtc.supported_archs();
  Arch arch;
  if (request.explicit_arch) {
    arch = *request.explicit_arch;
    require_supported(arch, supported, nvrtc_title(nvrtc));
  } else if (!request.device.arch.empty()) {
    arch = arch_for_device(parse_arch(request.device.arch), supported, nvrtc_title(nvrtc));
  } else {
    if (supported.empty()) throw CompileError(nvrtc_title(nvrtc) + " names no architecture that it knows", {}, {});
    arch.number = supported.front();
  }
  // PTX and the intermediate forms are for a virtual architecture; the machine code of a real one would be made in
  // vain.
  if (request.job.target != Target::cubin || !request.device.loads_cubin) arch.real = false;
  return arch;
}

}  // namespace kiln
