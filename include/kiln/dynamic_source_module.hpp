// DynamicSourceModule: a source that launches kernels from kernels.
#pragma once

#include <kiln/compile_options.hpp>
#include <kiln/dynamic_module.hpp>
#include <kiln/export.hpp>

#include <filesystem>
#include <string_view>

namespace kiln {

/// Source text compiled as relocatable device code and linked with the device runtime (cudadevrt), so that kernels may
/// launch kernels: `child<<<grid, block>>>(...)`, also to cudaStreamTailLaunch and cudaStreamFireAndForget. No header
/// is needed for that. The linked code is cached and loaded as SourceModule's. More may be added, and link() called
/// again. PyCUDA's keywords are CompileOptions' members; cuda_libdir has none, as the toolkit is found by CUDA_HOME.
/// CompileOptions::timeout and cancel end the compile; the link after it is not stopped.
/// Thread safety as DynamicModule's. Counterpart: pycuda.compiler.DynamicSourceModule.
class KILN_EXPORT DynamicSourceModule : public DynamicModule {
 public:
  /// Throws as SourceModule, LinkError, and ToolkitError where no linker or no cudadevrt is found.
  explicit DynamicSourceModule(std::string_view source, const CompileOptions& options = {});
  /// As SourceModule::from_file.
  static DynamicSourceModule from_file(const std::filesystem::path& path, const CompileOptions& options = {});
};

}  // namespace kiln
