// A compile request, resolved: the compiler's input, and the cache key.
#pragma once

#include "cache/dependencies.hpp"
#include "cache/key.hpp"
#include "compile/compiler/compiler_job.hpp"
#include "compile/headers/header_search_paths.hpp"
#include "compile/identity/chosen_compiler.hpp"
#include "compile/options/arch.hpp"
#include "compile/request/cache_request.hpp"

#include <kiln/compile_options.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Of a source that was given none.
inline constexpr const char* default_source_name = "kernel.cu";

struct OptionList;
struct SourceScan;

struct Request {
  ChosenCompiler compiler;
  CompilerJob job;  // less the architecture, which is chosen when the compiler runs
  std::optional<Arch> explicit_arch;
  CompileContext context;
  HeaderSearchPaths search;
  bool may_include = false;
  bool may_need_nvcc = false;  // what NVRTC refuses may be put to nvcc
  bool strict_headers = false;
  std::string listed_archs;      // where -gencode says all about architectures: "sm_80,sm_90"
  bool relocates_paths = false;  // PTX whose absolute paths are put in when it is read (without_absolute_paths)
  bool embeds_paths = false;     // line or debug information: absolute paths are in the code
  std::vector<std::string> path_independent;  // the job's arguments without the paths of folders, for the key
  std::vector<FileDependency> option_files;   // which options name; their content is in the key
  std::vector<std::string> libdevice;         // of LLVM IR: the functions of it that the IR needs
  bool wants_cubin = false;                   // likewise: unless the compiler or the driver does not know the device
  /// Why the result must not be kept, as far as the request itself shows it.
  Refusal refusal;
  CacheKey key;  // key_fields() lists its fields
};

/// The request to that compiler. Where it is not this machine's, the toolkit's folders are not known, and the request
/// is for look-ups only. Throws ArgumentError for options that make no sense together.
/// `may_need_nvcc` is that of the request. If the code will have line information of a source that is in no file, the
/// source is written to a file of `cache`, if there is one.
Request make_request(std::string_view source, const CompileOptions& options, const CompileContext& context,
                     const ChosenCompiler& compiler, CacheFolder* cache = nullptr, bool may_need_nvcc = false);

/// The bytes that name a request within this process: equal only for requests that mean the same. Cheap: no digest, no
/// file is looked at.
std::string request_identity(std::string_view source, const CompileOptions& options, const CompileContext& context);

/// What the caches are asked with: a view of the request.
CacheRequest cache_request(const Request& request);

/// Decides request.job.arch, and its target where that is all that the compiler can make for it, with the compiler at
/// hand, whose title ("NVRTC 13.0") and architectures (90, ascending) these are; where nothing is known of the
/// architectures, the compiler is to object. Throws CompileError where it knows none that will do.
void choose_arch(Request& request, const std::vector<int>& supported, const std::string& compiler);

// Parts of make_request, each in a source of its own.

/// Sets request.explicit_arch, job.arch where only nvcc understands it ("all"), and job.code. Throws ArgumentError for
/// what contradicts itself.
void resolve_arch(Request& request, const OptionList& list, const CompileOptions& options);

/// Sets job.late_defines, behind job.arguments. Throws ArgumentError for macros that the leading lines, an in-memory
/// header or an option know, and for what is no macro.
void resolve_late_defines(Request& request, const CompileOptions& options);

/// Completes request.search, whose folders of the request's own are in place, with all places that a search may start
/// from, and with the toolkit's folders. `system_dirs` are those of -isystem.
void resolve_search(Request& request, const SourceScan& scan, const std::vector<std::string>& system_dirs);

/// The canonical bytes (cache/key.hpp). An entry of code that holds no path serves every checkout of one tree, wherever
/// it lies, because the include folders are named by their order, and by how they and the toolkit's lie to each other:
/// -I/p -I/p/inc is not -I/q -I/r/inc, where a header of the second could not be one of the first.
std::string canonical_key(const Request& request);

}  // namespace kiln
