// compile: from source text to code, through the cache. Needs no GPU and no driver.
#pragma once

#include <kiln/code_object.hpp>
#include <kiln/compile_options.hpp>
#include <kiln/export.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Compiles CUDA C++ with NVRTC, or with nvcc where NVRTC is missing or cannot do it (CompileOptions::backend), and
/// NVVM IR (CompileOptions::language) with libnvvm, or finds the same compile in memory or on disk. Nothing in the
/// process changes: the driver is not initialised (but where it must link what NVVM IR became), the stack limit, the
/// locale and signal handlers stay as they are. Without an explicit arch the code is for the current device where this
/// process uses the driver already; a Module made from it compiles again for the device that it finds. Throws
/// CompileError (the source is refused), ToolkitError (the compiler is missing), CompileStopped (timeout or cancel),
/// ArgumentError (an option makes no sense). A cache fault never throws. Safe to call from any thread, and in a child
/// of fork; but where another thread was compiling at the fork, a child can only use what the cache holds, and a
/// ToolkitError says so. Counterpart: pycuda.compiler.compile.
KILN_EXPORT CodeObject compile(std::string_view source, const CompileOptions& options = {});

/// Whether compile() would return at once, with code from memory or from disk; of several architectures in KILN_ARCH,
/// with all of them. A SourceModule takes the current device's architecture, and compile() too once the process uses
/// the driver: before that give it by `arch`. Compiles nothing, and counts neither a hit nor a miss. False where
/// options or the environment switch the cache off, and for a source or an option that the compiler would refuse: only
/// it knows. The answer holds for this moment: another process may evict the entry. Throws ArgumentError (an option
/// makes no sense). Safe to call from any thread.
KILN_EXPORT bool is_cached(std::string_view source, const CompileOptions& options = {});

/// Compiles by nvcc with exactly those options, in nvcc's own spelling: no defaults of Kiln's environment variables, no
/// architecture but `arch` and `code`, nothing around the source. Of NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS nvcc
/// takes what it always takes. Throws as compile does; ArgumentError for backend nvrtc. Counterpart:
/// pycuda.compiler.compile_plain.
KILN_EXPORT CodeObject compile_plain(std::string_view source, const CompileOptions& options = {});

/// The source with its macros and includes expanded, by `nvcc -E` with those options, without line markers. Quoted
/// includes are looked for beside the working folder. `nvcc` is a path, a name for PATH, or empty for the toolkit's.
/// Throws ToolkitError where there is no nvcc (NVRTC preprocesses nothing), CompileError. Thread-safe. Counterpart:
/// pycuda.compiler.preprocess_source.
KILN_EXPORT std::string preprocess_source(std::string_view source, const std::vector<std::string>& options = {},
                                          const std::string& nvcc = "");

/// The release of an nvcc: 13.0 is {13, 0}.
struct NvccVersion {
  int major = 0;  ///< of the release
  int minor = 0;  ///< of the release
};

/// What that nvcc says it is; it is run once for each state of its file. Throws ToolkitError where there is none.
/// Thread-safe. Counterpart: pycuda.compiler.get_nvcc_version, which returns the text.
KILN_EXPORT NvccVersion get_nvcc_version(const std::string& nvcc = "");

}  // namespace kiln
