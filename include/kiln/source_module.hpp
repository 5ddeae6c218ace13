// SourceModule: CUDA C++ source text in, callable kernels out.
#pragma once

#include <kiln/compile_options.hpp>
#include <kiln/export.hpp>
#include <kiln/module.hpp>

#include <filesystem>
#include <string_view>

namespace kiln {

class EmbeddedSource;

/// A Module from source text. The constructor compiles (or finds the code in memory or on disk) and loads for the
/// current device; without a device it compiles only. The same request twice in a process compiles once and shares the
/// code, and the loaded image too unless the code has variables of its own: then each SourceModule has its own, as in
/// PyCUDA. Thread safety as Module's. Counterpart: pycuda.compiler.SourceModule.
class KILN_EXPORT SourceModule : public Module {
 public:
  /// Throws CompileError, ToolkitError, ArgumentError (options that make no sense), NoKernelImageError (an
  /// explicit arch that the device cannot run), DriverError (the code does not load).
  explicit SourceModule(std::string_view source, const CompileOptions& options = {});
  /// What was compiled when the program was built: SourceModule module(kiln::embedded("scale.cu")). Throws as the other
  /// constructor where a device needs a compile; Error for what is damaged.
  explicit SourceModule(const EmbeddedSource& source);
  /// The source from a file; quoted includes are found beside it, and diagnostics name it. A .ll or .bc file is
  /// LLVM IR (Language::nvvm_ir). Throws Error where it cannot be read. options.name must be empty.
  static SourceModule from_file(const std::filesystem::path& path, const CompileOptions& options = {});
};

}  // namespace kiln
