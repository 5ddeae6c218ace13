// Which compiler makes the code of a source: libnvvm for LLVM IR; for CUDA C++ the one that is asked for, else NVRTC,
// and nvcc for what NVRTC cannot do.
#pragma once

#include "compile/identity/chosen_compiler.hpp"
#include "compile/nvvm/nvvm_request.hpp"
#include "compile/source_compile.hpp"

#include <optional>

namespace kiln {

/// For one input; for one thread.
class CompilerSelection {
 public:
  CompilerSelection(const CompileInput& input, CodeCache& cache);

  /// Throws CompileError, and ToolkitError where there is no compiler and no cache has the code.
  CodeObject compile();
  /// Only what the caches hold: what compile() would find.
  std::optional<CodeObject> find();
  /// Where find() would find it at once.
  std::optional<Digest> find_key();
  /// The canonical bytes of the request to the compiler that compile() asks first. Nothing where there is none, and of
  /// a request whose code must not be kept.
  std::optional<std::string> key();
  /// What compile() or find() returned, which that compiler made, for another machine.
  std::optional<PortableCode> find_portable(Backend made_by);
  /// CachedCompile::accept, by the compiler that made it there.
  std::optional<CodeObject> accept(PortableCode code, bool from_cache);

 private:
  SourceCompile with(const ChosenCompiler& compiler, bool or_nvcc) const;
  SourceCompile with(const ChosenCompiler& compiler) const { return with(compiler, may_need_nvcc(compiler)); }
  std::optional<ChosenCompiler> first_compiler() const;
  std::optional<ChosenCompiler> compiler_here() const;
  std::optional<ChosenCompiler> find_nvcc() const;
  bool may_need_nvcc(const ChosenCompiler& compiler) const;
  CompileOutcome compile_with(const ChosenCompiler& compiler);
  CodeObject compile_with_first(const ChosenCompiler& first);
  CodeObject compile_with_nvcc(const ChosenCompiler& nvcc);
  CodeObject compile_with_nvcc_instead(const ChosenCompiler& nvrtc, const NvccNeeded& needed);
  CodeObject compile_by_nvrtc_alone(const ChosenCompiler& nvrtc);
  std::optional<CodeObject> find_elsewhere(Backend wanted) const;
  std::optional<CodeObject> find_what_nvcc_made(SourceCompile& with_nvrtc);
  void require_compile_allowed(Backend backend);
  [[noreturn]] void throw_no_compiler();

  const CompileInput& input_;
  const BackendChoice choice_;
  CodeCache& cache_;
  std::optional<Request> ir_;  // of LLVM IR: the request, less its compiler
};

}  // namespace kiln
