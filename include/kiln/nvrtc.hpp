// nvrtc::Program: NVRTC itself, one member for each of its functions. Most programs use kiln::compile.
#pragma once

#include <kiln/export.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

typedef struct _nvrtcProgram* nvrtcProgram;  // as nvrtc.h declares it: NOLINT(bugprone-reserved-identifier)

/// No policy: nothing is cached, found or added. NVRTC runs on the calling thread, raises the process's stack limit
/// unless --modify-stack-limit=false is given, reads float literals by the locale, and from 12.9 on keeps a cache of
/// its own (and so initialises the driver) unless --no-cache is given. nvrtcGetTypeName's counterpart is
/// kiln::type_name<T>().
///
/// Everything here throws ToolkitError where there is no NVRTC or the installed one lacks the function (the text names
/// the version that brought it); making and compiling a program also in a child that was forked inside NVRTC.
/// CompileError with the result's name where NVRTC fails. docs/libraries.md lists functions and results. Free functions
/// may be called from any thread.
namespace kiln::nvrtc {

/// {major, minor}. Counterpart: nvrtcVersion.
KILN_EXPORT std::pair<int, int> version();
/// The file that was opened: handles that other code made are adopted where it made them with this library.
KILN_EXPORT std::string library_path();
/// Compute capabilities, such as 90, ascending. Counterparts: nvrtcGetNumSupportedArchs, nvrtcGetSupportedArchs.
KILN_EXPORT std::vector<int> supported_archs();
/// What the library calls the result; the name of one that only newer versions know. Counterpart: nvrtcGetErrorString.
KILN_EXPORT std::string error_string(int result);

/// Of the process's heap for precompiled headers, in bytes. Setting it drops those that are there; it counts from the
/// next compile on. Counterparts: nvrtcGetPCHHeapSize, nvrtcSetPCHHeapSize (12.8).
/// @{
KILN_EXPORT std::size_t pch_heap_size();
KILN_EXPORT void set_pch_heap_size(std::size_t bytes);
/// @}

/// The toolkit's headers that NVRTC brings along; sizes in bytes. Counterpart: nvrtcBundledHeadersInfo.
struct BundledHeaders {
  bool available = false;             ///< whether NVRTC has them
  std::size_t compressed_size = 0;    ///< in the library
  std::size_t uncompressed_size = 0;  ///< when they are read
  /// {major, minor} of their CUDA.
  std::pair<int, int> cuda_version = {};
  unsigned files = 0;  ///< how many headers
};
/// Counterpart: nvrtcGetBundledHeadersInfo (13.3).
KILN_EXPORT BundledHeaders bundled_headers();
/// Writes them into a folder, which is made; for -I<folder> and -I<folder>/cccl. Nothing is done where those of this
/// version are there, unless `overwrite`, which empties the folder first. Where another process does it just now:
/// waits, or throws (NVRTC_ERROR_BUSY) without `wait`. Counterpart: nvrtcInstallBundledHeaders (13.3).
KILN_EXPORT void install_bundled_headers(const std::string& folder, bool overwrite = false, bool wait = true);
/// Removes the folder and all that is in it. Counterpart: nvrtcRemoveBundledHeaders (13.3).
///
/// NVRTC itself empties whatever folder it is given, also one that links lead out of. So this and `overwrite` throw
/// ArgumentError, and nothing is touched, where a folder holds files and is not one that NVRTC filled.
KILN_EXPORT void remove_bundled_headers(const std::string& folder);

/// One source and what it is compiled to. Movable. One object must not be used by two threads at once. NVRTC keeps some
/// options for later programs of the process: what --pch or --create-pch precompiled is used even if the headers have
/// changed, and --restrict and -opt-info apply to all later programs. Counterparts: nvrtcProgram, cuda.core.Program.
class KILN_EXPORT Program {
 public:
  /// `headers`: the name as the source includes it, and its text. A zero byte in these, or in an option, throws
  /// ArgumentError: NVRTC's texts end with one. Counterpart: nvrtcCreateProgram.
  explicit Program(const std::string& source, const std::string& name = {},
                   const std::map<std::string, std::string>& headers = {});
  /// Takes over a program that nvrtcCreateProgram of library_path() made: it is destroyed with the object. It may be
  /// compiled already. `name` is the source's, for the texts of errors. Where this throws the caller keeps the handle:
  /// ArgumentError for a null one.
  static Program adopt(nvrtcProgram handle, const std::string& name = {});
  /// Counterpart: nvrtcDestroyProgram.
  ~Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  /// For NVRTC's own functions. The object stays the owner; null where it was moved from or released.
  nvrtcProgram native_handle() const noexcept;
  /// Gives the program to the caller, who destroys it by nvrtcDestroyProgram; a flow callback is taken out of it. The
  /// object is as one that was moved from: all but destruction, assignment and native_handle() throws ArgumentError.
  nvrtcProgram release();

  /// Before the compile: an argument for lowered_name(), such as "scale<float>" or "&factor". Counterpart:
  /// nvrtcAddNameExpression.
  void add_name_expression(const std::string& expression);
  /// Called by compile() now and then, also from other threads; the compile is called off once it returns true. It must
  /// not use any compiler library. What it throws calls the compile off, too, and is thrown by compile(). An empty one
  /// takes it back. Counterpart: nvrtcSetFlowCallback (12.8).
  void set_flow_callback(std::function<bool()> is_cancelled);
  /// Options in NVRTC's spelling, such as "-arch=sm_90". May be called again with others; a kind of code that only an
  /// earlier compile made is then still there. Throws CompileError with the log and the options, CompileStopped where
  /// the flow callback called it off, ArgumentError where -fdevice-time-trace names a file that cannot be written
  /// (NVRTC would end the process). Counterpart: nvrtcCompileProgram.
  void compile(const std::vector<std::string>& options = {});
  /// What the compiler said, also of a compile that succeeded. Counterparts: nvrtcGetProgramLog(Size).
  std::string log() const;
  /// The symbol; the expression exactly as it was added. Counterpart: nvrtcGetLoweredName.
  std::string lowered_name(const std::string& expression) const;

  /// The code; empty where the options asked for another kind (PTX and a cubin are both there with -arch=sm_90, PTX
  /// alone with compute_90, LTO-IR alone with -dlto, OptiX-IR alone with --optix-ir, Tile-IR with -enable-tile).
  /// Counterparts: nvrtcGetPTX, nvrtcGetCUBIN, nvrtcGetLTOIR, nvrtcGetOptiXIR, nvrtcGetTileIR (13.2), each with its
  /// ...Size.
  /// @{
  std::string ptx() const;
  std::string cubin() const;
  std::string ltoir() const;
  std::string optixir() const;
  std::string tileir() const;
  /// @}

  /// Whether the compile made a precompiled header: 0, or why not, for error_string(): 13 none was asked for (also
  /// where one was used), 14 the heap is too small, 15 another reason. Counterpart: nvrtcGetPCHCreateStatus (12.8).
  int pch_create_status() const;
  /// In bytes, where that status is 0 or 14. Counterpart: nvrtcGetPCHHeapSizeRequired (12.8).
  std::size_t pch_heap_size_required() const;

 private:
  struct Impl;
  explicit Program(std::unique_ptr<Impl> impl) noexcept;
  Impl& impl() const;  // throws where there is none
  std::unique_ptr<Impl> impl_;
};

}  // namespace kiln::nvrtc
