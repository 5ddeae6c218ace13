// Module: code loaded on the devices that use it, and the functions and variables in it.
#pragma once

#include <kiln/code_object.hpp>
#include <kiln/export.hpp>
#include <kiln/function.hpp>
#include <kiln/global_variable.hpp>
#include <kiln/surface_reference.hpp>
#include <kiln/texture_reference.hpp>
#include <kiln/typed_function.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Loaded code. Copies share it, and a Function or a GlobalVariable keeps it. The last of them unloads it where the
/// code has variables of its own; code without any is shared by all modules made from it, and the images last loaded
/// stay loaded for the next one. Loads for the current device when constructed; other devices at their first use or by
/// preload(). Without a device it loads nothing, and the first use that needs one throws. Every member may be called
/// from several threads. A static Module is safe at process exit. Counterpart: pycuda.driver.Module.
class KILN_EXPORT Module {
 public:
  /// Without an explicit arch code is made again for a device that cannot run it; with one, if the driver wants PTX.
  /// Throws NoKernelImageError where the device can run none of the code, DriverError where the driver refuses it.
  explicit Module(CodeObject code);
  /// A cubin, fatbin or PTX file. Throws Error where it cannot be read. Counterpart: module_from_file.
  static Module from_file(const std::filesystem::path& path);
  /// The bytes of a cubin, fatbin or PTX text, which are copied. Counterpart: module_from_buffer.
  static Module from_bytes(std::string_view bytes);

  /// The kernel of that name: its symbol, or its C++ name ("scale", "ns::scale", "ns::scale<float, 4>",
  /// "scale(float*, int)"), whatever the spacing and whether or not the source says extern "C". Unnamed namespaces may
  /// be left out, or written "<unnamed>". A template instance that the code lacks is compiled when first asked for
  /// where the module knows its source, and cached like everything else. It gets an image of its own, and so would get
  /// variables of its own: where it uses a variable that a kernel given out before writes, or whose address was given
  /// out, or writes one that such a kernel uses, it is refused. CompileOptions::name_expressions with all the
  /// instances, or explicit instantiations in the source, have one image for all. Variables that are only read may have
  /// several copies, and texture and surface references are bound in every image. Throws ArgumentError for that,
  /// ArgumentError that lists the candidates of an ambiguous name, or the kernels there are for an unknown one, and
  /// CompileError where an instance does not compile. Counterparts: Module.get_function, cuLibraryGetKernel.
  Function get_function(std::string_view name) const;
  /// The same, with the kernel's parameter types: get_function<void(const float*, float*, int)>("scale"). The types
  /// pick among overloads, those of function templates included, and are checked once.
  template <class Signature>
  TypedFunction<Signature> get_function(std::string_view name) const {
    return TypedFunction<Signature>(find_function(name, SignatureOf<Signature>::value()));
  }
  /// The variable of that symbol or C++ name on the current device: "ns::table", "<unnamed>::table",
  /// "&ns::value<float>" for a variable template of the name expressions. It is the one that the kernels given out use.
  /// Throws ArgumentError for an unknown name, where instances that were compiled when asked for use one each, and
  /// where another source that was linked has a variable of that name too. Counterparts: Module.get_global,
  /// cuLibraryGetGlobal.
  GlobalVariable get_global(std::string_view name) const;
  /// The texture reference of that name, by symbol or C++ name: the same one each time. Needs a device, and waits for
  /// its work. Throws ArgumentError with the module's texture references where there is none of that name. Counterpart:
  /// Module.get_texref.
  TextureReference get_texref(std::string_view name) const;
  /// The same for a surface reference. Counterpart: Module.get_surfref.
  SurfaceReference get_surfref(std::string_view name) const;
  /// The kernels' names as a person writes them, in the code's order, without template instances that were made later.
  /// Needs no device, but for a fatbin. Counterpart: cuLibraryEnumerateKernels; PyCUDA has none.
  std::vector<std::string> function_names() const;
  /// Loads for these devices (ordinals) now rather than at their first use. Throws as that would. Counterpart:
  /// cuLibraryLoadData on each; PyCUDA, whose modules belong to one context, has none.
  void preload(const std::vector<int>& devices) const;
  /// The code that was given, or compiled for the device that was current at construction.
  const CodeObject& code() const;

  struct Impl;

 protected:
  /// Null: there is no code yet, which every member says.
  explicit Module(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  void become(std::shared_ptr<Impl> impl) noexcept { impl_ = std::move(impl); }  ///< takes that code over

 private:
  template <class Signature>
  struct SignatureOf;
  template <class... Params>
  struct SignatureOf<void(Params...)> {
    static const detail::Signature& value() { return detail::signature<Params...>; }
  };
  Function find_function(std::string_view name, const detail::Signature& signature) const;
  Impl& impl() const;

  std::shared_ptr<Impl> impl_;
};

}  // namespace kiln
