// EmbeddedSource: a source whose code was compiled when the program was built, and lies in it.
#pragma once

#include <kiln/compile_options.hpp>
#include <kiln/detail/embedded_file.hpp>
#include <kiln/detail/passkey.hpp>
#include <kiln/export.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A source, its own headers and options, and the code that the build made of it, in the read-only data of the program
/// or shared library that kiln::embedded was called in. `kiln_embed` of the CMake package, or the command `kiln embed`,
/// puts it there: docs/embedding.md. A SourceModule of it takes the code that the device can run, with no file, cache,
/// toolkit or compiler: machine code for the device's architecture or an older one of its family, else PTX, which the
/// driver compiles. Where there is neither, the source is compiled as any other, with the same options, through the
/// cache. A cheap value: copies share it. It must not outlive a library that is closed by dlclose, nor may a module
/// made from it. Every member may be called from any thread. Counterpart: what nvcc puts into a program; PyCUDA has
/// none.
class KILN_EXPORT EmbeddedSource {
 public:
  const std::string& name() const noexcept;    ///< what it was found by
  const std::string& source() const noexcept;  ///< the text of the file, as it was at the build
  /// What it was compiled with; its own headers are in CompileOptions::headers, and the arch is empty.
  const CompileOptions& options() const noexcept;
  /// What there is code for: "sm_90" is machine code, "compute_90" PTX.
  std::vector<std::string> archs() const;

  struct Impl;
  /// For Kiln itself.
  EmbeddedSource(detail::Passkey, std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  const Impl& impl() const noexcept { return *impl_; }  ///< for Kiln itself

 private:
  std::shared_ptr<const Impl> impl_;
};

namespace detail {

/// Finds the name in a table. Throws as kiln::embedded does.
KILN_EXPORT EmbeddedSource find_embedded(std::string_view name, const EmbeddedFile* const* begin,
                                         const EmbeddedFile* const* end);

}  // namespace detail

/// The source that was embedded under that name, by default the file's as the build file spells it: "scale.cu". It is
/// looked for in the program or shared library whose code calls this function, and in no other, so that two libraries
/// may each have a "scale.cu". Reads no code yet. Throws ArgumentError, which lists the names that there are, for an
/// unknown name, and Error for what another version of Kiln embedded. Thread-safe.
[[gnu::visibility("hidden")]] inline EmbeddedSource embedded(std::string_view name) {
  return detail::find_embedded(name, __start_kiln_embedded, __stop_kiln_embedded);
}

}  // namespace kiln
