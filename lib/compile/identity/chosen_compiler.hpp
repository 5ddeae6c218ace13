// Which compiler a request is for.
#pragma once

#include "cache/cache_folder.hpp"
#include "compile/identity/compile_context.hpp"

#include <kiln/compile_options.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct ChosenCompiler {
  Backend backend = Backend::nvrtc;
  std::string identity;  // in keys
  std::string nvcc;      // its path
  bool is_here = true;   // false: for look-ups only, of what another machine made

  /// No toolkit's headers, but those that NVRTC brings along.
  bool uses_bundled_headers() const;
};

/// What the caller asks for, and where that is automatic, what the request itself needs.
struct BackendChoice {
  Backend backend = Backend::automatic;
  std::string reason;  // why nvcc, where the request needs it
};

/// Libnvvm for LLVM IR, whatever the options say. Else by CompileOptions::backend, else KILN_BACKEND, else nvcc for
/// what NVRTC cannot do. Throws ArgumentError for a KILN_BACKEND that is none, and for LLVM IR that nvcc alone is to
/// compile.
BackendChoice choose_backend(const CompileOptions& options, const CompileContext& context);

/// This machine's NVRTC; nothing where there is none.
std::optional<ChosenCompiler> nvrtc_here();
/// This machine's nvcc; nothing where there is none. Where it is to be in a key, its identity is that of all the
/// programs that it runs, whose digests `cache` may have. Throws ToolkitError where the one that
/// CompileOptions::nvcc.path names cannot be run.
std::optional<ChosenCompiler> nvcc_here(const CompileOptions& options, const CompileContext& context,
                                        CacheFolder* cache, bool in_key);
/// The compiler or linker of that identity, which an entry of a cache names as its maker.
ChosenCompiler compiler_elsewhere(const std::string& identity);

/// The defaults of the environment, then the user's; for nvcc with those of its own variables around them.
std::vector<std::string> all_options(const CompileOptions& options, const CompileContext& context, Backend backend);

/// The identity of the current toolkit's NVRTC and of its builtins library; found once a process. Null where there is
/// no NVRTC. Throws Error where its file cannot be read. Thread-safe.
const std::string* find_compiler_identity();

/// The identity of an NVRTC, and of its builtins library unless that is empty. Throws Error where a file cannot be
/// read.
std::string nvrtc_identity(const std::string& nvrtc, const std::string& builtins);

/// Ends NVRTC's identity in keys where the headers are those that it brings along (Toolkit::uses_bundled_headers), so
/// that code is not that of another machine's toolkit.
inline constexpr std::string_view bundled_headers_mark = "+bundled headers";

}  // namespace kiln
