// SurfaceReference: a `surface<void, ...>` variable of a module, as CUDA had them before version 12.
#pragma once

#include <kiln/array.hpp>
#include <kiln/detail/passkey.hpp>
#include <kiln/export.hpp>

#include <memory>
#include <string>
#include <utility>

namespace kiln {

/// A surface reference of one Module, got by Module::get_surfref. Shared, bound and written as a TextureReference.
/// Counterpart: pycuda.driver.SurfaceReference.
class KILN_EXPORT SurfaceReference {
 public:
  // Copied, never moved, so that there is no null one.
  SurfaceReference(const SurfaceReference&) = default;
  SurfaceReference& operator=(const SurfaceReference&) = default;
  ~SurfaceReference() = default;

  /// For the array's device. The array is kept alive for as long as it is bound or a launch uses it. Throws
  /// ArgumentError unless it is made with ArrayFlags::surface_load_store and has the declared dimensions. Counterpart:
  /// SurfaceReference.set_array.
  void set_array(const Array& array);
  /// The array that is bound on the current device; throws ArgumentError where there is none. Counterpart:
  /// SurfaceReference.get_array.
  Array get_array() const;

  /// As get_surfref was asked for it. Lives as long as a copy of this object.
  const std::string& name() const noexcept;

  struct Impl;
  /// For Kiln itself.
  SurfaceReference(detail::Passkey, std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace kiln
