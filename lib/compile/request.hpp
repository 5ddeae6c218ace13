// A compile request made definite: what the compiler is to be told, and the key that this makes.
#pragma once

#include "base/digest.hpp"
#include "compile/arch.hpp"
#include "compile/compiler_job.hpp"
#include "compile/header_search.hpp"
#include "toolkit/nvrtc_library.hpp"

#include <kiln/compile_options.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// What the caller of a compile knows beyond source and options.
struct DeviceWish {
  std::string arch;         // the device's, such as "sm_90"; empty where there is none
  bool loads_cubin = true;  // false: the driver takes PTX only
  bool in_worker = false;   // compile in another process, where there are workers; no part of any key
};

struct Request {
  CompilerJob job;  // less the architecture, which a miss decides with the compiler at hand
  std::optional<Arch> explicit_arch;
  DeviceWish device;
  HeaderSearch search;
  bool may_include = false;
  bool strict_headers = false;
  bool embeds_places = false;          // line or debug information: absolute paths are in the code
  std::vector<std::string> placeless;  // the job's arguments without the places of folders, for the key
  /// Why the result must not be kept, as far as the request itself tells.
  Refusal refusal;
  std::string key_bytes;  // what the key is the digest of; key_fields tells its fields
  Digest key;
  std::string compiler;  // its identity, which is in the key
};

/// Throws ArgumentError for options that make no sense together, ToolkitError where there is no NVRTC to compile with.
Request make_request(std::string_view source, const CompileOptions& options, const DeviceWish& device);
/// The same for the compiler of that identity. Where it is not this machine's, the toolkit's folders are not known, and
/// the request is for look-ups only.
Request make_request(std::string_view source, const CompileOptions& options, const DeviceWish& device,
                     const std::string& compiler);

/// The bytes that name a request within this process: equal only for requests that mean the same. Cheap: no digest, no
/// file is looked at.
std::string request_identity(std::string_view source, const CompileOptions& options, const DeviceWish& device);

/// The architecture to compile for, decided with the compiler at hand.
Arch choose_arch(const Request& request, const NvrtcLibrary& nvrtc);

}  // namespace kiln
