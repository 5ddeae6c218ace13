// nvjitlink::Linker: libnvJitLink as it is, one member for each of its functions. kiln::Linker is what most programs
// want.
#pragma once

#include <kiln/export.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// No policy: nothing is cached, and options are nvJitLink's own.
///
/// Everything here throws ToolkitError where there is no libnvJitLink (the text says what was searched) or the
/// installed one lacks the function (it names the version that brought it); making, filling and completing a link also
/// in a child that was forked inside a compile or a link. LinkError with the result's name and both logs where
/// nvJitLink fails. docs/libraries.md lists functions and results. Free functions may be called from any thread.
namespace kiln::nvjitlink {

/// {major, minor}, which is CUDA's; {12, 0} for those before 12.3, which do not tell. Counterpart: nvJitLinkVersion.
KILN_EXPORT std::pair<int, int> version();
/// The result's name, such as "NVJITLINK_ERROR_PTX_COMPILE": the library has no function for that.
KILN_EXPORT std::string error_string(int result);

/// What an input is. `any`: nvJitLink finds out (12.4). Counterpart: nvJitLinkInputType, whose numbers these are.
enum class InputKind { cubin = 1, ptx, ltoir, fatbin, object, library, index, any = 10 };

/// One link. Movable. One object must not be used by two threads at once. After a cubin that nvJitLink (13.0) refused
/// for its architecture, links of other threads wait for ever; kiln::Linker keeps such cubins from it. Counterparts:
/// nvJitLinkHandle, cuda.core.Linker.
class KILN_EXPORT Linker {
 public:
  /// Such as {"-arch=sm_90", "-lto"}; the architecture must be among them. Counterpart: nvJitLinkCreate.
  explicit Linker(const std::vector<std::string>& options);
  /// Counterpart: nvJitLinkDestroy.
  ~Linker();
  Linker(Linker&&) noexcept;
  Linker& operator=(Linker&&) noexcept;

  /// The bytes are read at once; `name` is how the logs call them. Counterpart: nvJitLinkAddData.
  void add_data(InputKind kind, std::string_view bytes, const std::string& name = {});
  /// Counterpart: nvJitLinkAddFile.
  void add_file(InputKind kind, const std::string& path);
  /// Links, once. Counterpart: nvJitLinkComplete.
  void complete();

  /// After complete(). Counterparts: nvJitLinkGetLinkedCubin(Size).
  std::string cubin() const;
  /// With the options -lto and -ptx. Counterparts: nvJitLinkGetLinkedPtx(Size).
  std::string ptx() const;
  /// With the option -lto. Counterparts: nvJitLinkGetLinkedLTOIR(Size) (13.3).
  std::string ltoir() const;
  /// Warnings and errors. Counterparts: nvJitLinkGetErrorLog(Size).
  std::string error_log() const;
  /// What the option -verbose asks for. Counterparts: nvJitLinkGetInfoLog(Size).
  std::string info_log() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kiln::nvjitlink
