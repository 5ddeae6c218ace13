#include "compile/request.hpp"

#include "base/environment.hpp"
#include "cache/key.hpp"
#include "cache/location.hpp"
#include "compile/code_sections.hpp"
#include "compile/compiler_identity.hpp"
#include "compile/option_list.hpp"
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

std::string folder_of_name(const std::string& name, const std::string& working_folder) {
  const std::size_t slash = name.rfind('/');
  if (slash == std::string::npos) return working_folder;
  return absolute_folder(name.substr(0, slash), working_folder);
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

/// Whether a relative source name makes the working folder part of what the compile means.
bool looks_beside(const std::string& name, const SourceScan& scan, const CompileOptions& options) {
  if (name.substr(0, 1) == "/") return false;
  const auto quoted = [](const HeaderName& header) { return header.quoted; };
  return scan.macro_include || scan.macro_has_include || !options.headers.empty() ||
         std::any_of(scan.includes.begin(), scan.includes.end(), quoted) ||
         std::any_of(scan.has_includes.begin(), scan.has_includes.end(), quoted);
}

Digest key_of(const Request& request, const CompileOptions& options, const OptionList& list,
              bool needs_working_folder) {
  KeyBuilder key;
  key.add("key", "1").add("backend", "nvrtc").add("compiler", compiler_identity());
  key.add("arch", request.explicit_arch ? request.explicit_arch->text() : std::string());
  key.add("device", request.explicit_arch ? std::string() : request.device.arch);
  key.add("loads cubin", request.device.loads_cubin ? "1" : "0");
  key.add("target", target_name(options.target));
  key.add("options", request.job.arguments);
  key.add("name", request.job.name).add("name expressions", request.job.name_expressions);
  for (const auto& header : options.headers) key.add("header", header.first).add("header text", header.second);
  key.add("strict headers", options.strict_headers ? "1" : "0");
  key.add("working folder", needs_working_folder || list.embeds_working_folder || !list.forced.empty()
                                ? request.search.working_folder
                                : "");
  key.add("source", request.job.source);
  return key.digest();
}

void add_toolkit_folders(Request& request) {
  for (const auto& folder : current_toolkit().include_dirs) {
    request.search.toolkit.push_back(absolute_folder(folder, request.search.working_folder));
    request.search.dirs.push_back(request.search.toolkit.back());
    request.job.arguments.push_back("-I" + request.search.toolkit.back());
  }
}

}  // namespace

Request make_request(std::string_view source, const CompileOptions& options, const DeviceWish& device) {
  if (options.target == Target::fatbin)
    throw ArgumentError("target fatbin: NVRTC makes none; ask for cubin, ptx, ltoir or optixir", {},
                        ArgumentError::no_index, "cubin, ptx, ltoir or optixir", "fatbin");
  if (source.find('\0') != std::string_view::npos)
    throw ArgumentError("the source holds a zero byte at position " + std::to_string(source.find('\0')) +
                            ", where the compiler would stop reading",
                        {}, ArgumentError::no_index, "text", "a zero byte");
  Request request;
  request.device = device;
  request.strict_headers = options.strict_headers;
  request.search.working_folder = working_folder();
  OptionList list = read_options(all_options(options), request.search.working_folder);
  request.explicit_arch = explicit_arch(options, list, device);

  NvrtcJob& job = request.job;
  job.source = std::string(source);
  job.name = options.name.empty() ? default_name : options.name;
  job.target = options.target;
  job.headers = options.headers;
  for (const std::string& expression : options.name_expressions)
    job.name_expressions.push_back(canonical_spacing(expression));
  std::sort(job.name_expressions.begin(), job.name_expressions.end());
  job.arguments = std::move(list.arguments);
  for (const Define& define : options.defines) job.arguments.push_back("-D" + define.name + "=" + define.value);
  request.search.dirs = std::move(list.include_dirs);
  for (const auto& folder : options.include_dirs) {
    request.search.dirs.push_back(absolute_folder(folder.string(), request.search.working_folder));
    job.arguments.push_back("-I" + request.search.dirs.back());
  }

  request.may_include = !list.forced.empty() || may_include(source);
  job.trace_headers = request.may_include;
  const bool may_tell_time =
      source.find("__TIME") != std::string_view::npos || source.find("__DATE__") != std::string_view::npos;
  const SourceScan scan = request.may_include || may_tell_time ? scan_source(source) : SourceScan{};
  if (!list.side_effect.empty()) request.refusal = "the option " + list.side_effect + " does more than make code";
  bool uses_time = scan.uses_time;
  for (const std::string& argument : job.arguments)
    if (argument.substr(0, 1) == "-" && scan_source(argument).uses_time) uses_time = true;
  if (uses_time) request.refusal = "__TIME__, __DATE__ or __TIMESTAMP__: each compile differs";

  request.compiler = compiler_identity();
  // The toolkit's folders are not in the key: the compiler's identity stands for the toolkit, wherever it lies.
  request.key = key_of(request, options, list, looks_beside(job.name, scan, options));
  request.search.source_dir = folder_of_name(job.name, request.search.working_folder);
  request.search.memory = options.headers;
  request.search.forced = std::move(list.forced);
  if (request.may_include) add_toolkit_folders(request);
  return request;
}

std::string request_identity(std::string_view source, const CompileOptions& options, const DeviceWish& device) {
  KeyBuilder identity;
  for (const char* variable : {"KILN_DEFAULT_OPTIONS", "PYCUDA_DEFAULT_NVCC_FLAGS", "KILN_ARCH", "KILN_CACHE_DIR",
                               "PYCUDA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"}) {
    const char* value = ::getenv(variable);
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
  if (may_include(source) || !options.include_dirs.empty() || !options.options.empty())
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
