// nvvm::Program: libnvvm itself, one member for each of its functions: NVVM IR, a dialect of LLVM's, to PTX or LTO-IR.
#pragma once

#include <kiln/export.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

typedef struct _nvvmProgram* nvvmProgram;  // as nvvm.h declares it: NOLINT(bugprone-reserved-identifier)

/// No policy: nothing is cached, and options are libnvvm's own, such as "-arch=compute_90" (an -arch=sm_90 it refuses).
///
/// Everything here throws ToolkitError where there is no libnvvm (the text says what was searched) or the installed one
/// lacks the function (it names the version that brought it); making, filling and compiling a program also in a child
/// that was forked inside a compile. CompileError with the result's name where libnvvm fails. docs/libraries.md lists
/// functions and results. Free functions may be called from any thread.
namespace kiln::nvvm {

/// {major, minor} of libnvvm, such as {2, 0}; not CUDA's. Counterpart: nvvmVersion.
KILN_EXPORT std::pair<int, int> version();

/// The file that was opened: handles that other code made are adopted where it made them with this library.
KILN_EXPORT std::string library_path();

/// Of the IR that the library reads, and of the debug information in it: what a module's !nvvmir.version says.
struct IrVersion {
  std::pair<int, int> ir = {};     ///< {major, minor} of the IR
  std::pair<int, int> debug = {};  ///< {major, minor} of its debug information
};
/// Counterpart: nvvmIRVersion.
KILN_EXPORT IrVersion ir_version();
/// The version of LLVM whose IR is read for an architecture, such as 7 for "compute_90" and 20 for "compute_100".
/// Counterpart: nvvmLLVMVersion (13.1).
KILN_EXPORT int llvm_version(const std::string& arch);
/// What the library calls the result; the name of one that it does not know. Counterpart: nvvmGetErrorString.
KILN_EXPORT std::string error_string(int result);

/// Modules of IR, and what they are compiled to together. Movable. One object must not be used by two threads at once.
/// Counterparts: nvvmProgram, cuda.core.Program with code_type "nvvm".
class KILN_EXPORT Program {
 public:
  /// Counterpart: nvvmCreateProgram.
  Program();
  /// Takes over a program that nvvmCreateProgram of library_path() made: it is destroyed with the object. It may have
  /// modules and be compiled already. Where this throws the caller keeps the handle: ArgumentError for a null one.
  static Program adopt(nvvmProgram handle);
  /// Counterpart: nvvmDestroyProgram.
  ~Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  /// For libnvvm's own functions. The object stays the owner; null where it was moved from or released.
  nvvmProgram native_handle() const noexcept;
  /// Gives the program to the caller, who destroys it by nvvmDestroyProgram. The object is as one that was moved from:
  /// all but destruction, assignment and native_handle() throws ArgumentError.
  nvvmProgram release() noexcept;

  /// A module, as text or bitcode; `name` is how the log calls it. Counterpart: nvvmAddModuleToProgram.
  void add_module(std::string_view ir, const std::string& name = {});
  /// A module as bitcode, of which only what others need is taken. One module at least must be added in the other way.
  /// Counterpart: nvvmLazyAddModuleToProgram.
  void lazy_add_module(std::string_view bitcode, const std::string& name = {});
  /// The toolkit's libdevice: __nv_sinf and the other functions of mathematics. Throws ToolkitError with what was
  /// searched where it is missing, Error where it cannot be read. Added as nvcc does it: lazy_add_module.
  void add_libdevice();

  /// Whether the modules are valid NVVM IR: throws CompileError with the log where they are not. Counterpart:
  /// nvvmVerifyProgram.
  void verify(const std::vector<std::string>& options = {});
  /// Throws CompileError with the log and the options. Counterpart: nvvmCompileProgram.
  void compile(const std::vector<std::string>& options = {});
  /// PTX, or LTO-IR where the compile's options had -gen-lto. Counterparts: nvvmGetCompiledResult(Size).
  std::string result() const;
  /// What the last verify() or compile() said. Counterparts: nvvmGetProgramLog(Size).
  std::string log() const;

 private:
  struct Impl;
  explicit Program(std::unique_ptr<Impl> impl) noexcept;
  Impl& impl() const;  // throws where there is none
  std::unique_ptr<Impl> impl_;
};

}  // namespace kiln::nvvm
