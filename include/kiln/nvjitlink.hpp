// nvjitlink::Linker: libnvJitLink itself, one member for each of its functions. Most programs use kiln::Linker.
#pragma once

#include <kiln/detail/passkey.hpp>
#include <kiln/export.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

typedef struct nvJitLink* nvJitLinkHandle;  // as nvJitLink.h declares it

/// No policy: nothing is cached, and options are nvJitLink's own.
///
/// Everything here throws ToolkitError where there is no libnvJitLink (the text says what was searched) or the
/// installed one lacks the function (it names the version that brought it); making, filling and completing a link also
/// in a child that was forked inside a compile or a link. LinkError with the result's name and both logs where
/// nvJitLink fails. docs/libraries.md lists functions and results. Free functions may be called from any thread.
namespace kiln::nvjitlink {

/// {major, minor}, which is CUDA's; {12, 0} for those before 12.3, which do not report it. Counterpart:
/// nvJitLinkVersion.
KILN_EXPORT std::pair<int, int> version();
/// The file that was opened: handles that other code made are adopted where it made them with this library.
KILN_EXPORT std::string library_path();
/// The result's name, such as "NVJITLINK_ERROR_PTX_COMPILE": the library has no function for that.
KILN_EXPORT std::string error_string(int result);

/// What an input is. `any`: nvJitLink finds out (12.4). Counterpart: nvJitLinkInputType, whose numbers these are.
enum class InputKind { cubin = 1, ptx, ltoir, fatbin, object, library, index, any = 10 };

/// One link. Movable. One object must not be used by two threads at once. After a cubin that nvJitLink (13.0) refused
/// for its architecture, links of other threads never return; kiln::Linker does not pass such cubins to it. After a
/// failed call, later links of the process may crash, or succeed with undefined symbols or too much shared memory.
/// kiln::Linker ends the process of a failed link, and checks the linked code. Counterparts: nvJitLinkHandle,
/// cuda.core.Linker.
class KILN_EXPORT Linker {
 public:
  /// Such as {"-arch=sm_90", "-lto"}; the architecture must be among them. Counterpart: nvJitLinkCreate.
  explicit Linker(const std::vector<std::string>& options);
  /// Takes over a handle that nvJitLinkCreate of library_path() made: it is destroyed with the object. Inputs may have
  /// been added, and the link be completed already. Where this throws the caller keeps the handle: ArgumentError for a
  /// null one.
  static Linker adopt(nvJitLinkHandle handle);
  /// Counterpart: nvJitLinkDestroy.
  ~Linker();
  Linker(Linker&&) noexcept;
  Linker& operator=(Linker&&) noexcept;

  /// For nvJitLink's own functions. The object stays the owner; null where it was moved from or released.
  nvJitLinkHandle native_handle() const noexcept;
  /// Gives the handle to the caller, who destroys it by nvJitLinkDestroy. The names of inputs stay in memory for the
  /// rest of the process, as nvJitLink reads them again. The object is as one that was moved from: all but
  /// destruction, assignment and native_handle() throws ArgumentError.
  nvJitLinkHandle release();

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
  Linker(detail::Passkey, std::unique_ptr<Impl> impl) noexcept;  // so that Linker({}) means no options
  Impl& impl() const;                                            // throws where there is none
  std::unique_ptr<Impl> impl_;
};

}  // namespace kiln::nvjitlink
