// DynamicModule: a module put together from parts, by text or by the linker.
#pragma once

#include <kiln/compile_options.hpp>
#include <kiln/dynamic_function.hpp>
#include <kiln/export.hpp>
#include <kiln/linker.hpp>
#include <kiln/module.hpp>
#include <kiln/template_value.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace kiln {

/// A Module that is made in two ways.
///
/// From text: a template, a preamble and functions become one source, which compile() compiles. Counterpart:
/// codepy.cuda.CudaModule.
///
/// By the linker: sources, each compiled separately, and other code are linked by link(). Counterpart:
/// pycuda.compiler.DynamicModule. Of its keywords link_options, message_handler, log_verbose (`verbose`), cache_dir and
/// arch are LinkOptions'; nvcc, keep, no_extern_c, arch, code, cache_dir and include_dirs go to each add_source, in
/// CompileOptions. cuda_libdir has no counterpart: the toolkit is found as everywhere (CUDA_HOME). PyCUDA compiles to
/// PTX and links anew in each process; here the linked code is cached like all other.
///
/// Until compile() or link() has returned, every member of Module throws ArgumentError. Afterwards parts may still be
/// added and either called again: it becomes the new module then, and modules and functions got before stay what they
/// are. A copy has the same parts and the same code, and is a module of its own from then on. Members of Module may be
/// called from several threads; those here change the object, and must not while another thread uses it.
class KILN_EXPORT DynamicModule : public Module {
 public:
  /// From the text of a template (kiln::substitute), or of nothing.
  explicit DynamicModule(std::string_view template_text = {});
  /// How link() links, and where linked code is cached. Throws ArgumentError for options that make no sense.
  explicit DynamicModule(LinkOptions options);
  DynamicModule(const DynamicModule& other);
  DynamicModule(DynamicModule&&) noexcept;
  DynamicModule& operator=(const DynamicModule& other);
  DynamicModule& operator=(DynamicModule&&) noexcept;
  ~DynamicModule();

  /// Text for the start of the source; the same text again is nothing. Throws ArgumentError where it is unbalanced.
  DynamicModule& add_to_preamble(std::string_view text);
  /// A function; all are declared before the first, so their order does not matter. Throws ArgumentError where it is
  /// there already, is unbalanced, or its name is none.
  DynamicModule& add_function(DynamicFunction function);
  /// Values for the template's names (kiln::substitute); those of an earlier call stay. Preamble and functions are
  /// taken as they are.
  DynamicModule& substitute(const TemplateValues& values);
  /// The source: preamble, functions, template. Equal parts give equal text, so that the cache has its code. Throws
  /// ArgumentError where a value is missing, or a function is defined twice.
  std::string source() const;
  /// Compiles the source and loads it, as SourceModule does, with the same errors; those in a part name the part and
  /// its line. This object is that module from then on, and a copy is returned. Throws ArgumentError without a text.
  Module compile(const CompileOptions& options = {});

  /// A source, compiled now (where the cache has not its code) as relocatable device code ("-rdc=true") for the current
  /// device: to a cubin, or what options.target says: ptx, or ltoir for link-time optimisation, which NVVM IR becomes
  /// where that says cubin. `name` is options.name where that is empty. Throws as kiln::compile.
  DynamicModule& add_source(std::string_view source, const CompileOptions& options = {}, const std::string& name = {});
  /// As Linker's functions of these names: bytes are copied, files read now.
  /// @{
  DynamicModule& add_data(std::string_view bytes, InputType type = InputType::detect, std::string name = {});
  DynamicModule& add_file(const std::filesystem::path& path, InputType type = InputType::detect);
  DynamicModule& add_stdlib(const std::string& name);
  /// @}
  /// Links all of that, or finds it linked in the cache, and loads it; this object is that module from then on. The
  /// source made from text, where there is one, is a further input, compiled with `options`. Another device than the
  /// current one gets code of its own: the sources are compiled for it and linked, unless an arch was given. Template
  /// instances must be listed in a source's name_expressions: later ones would not be linked. Throws as Linker::link,
  /// NoKernelImageError and DriverError where the code does not load, ArgumentError where nothing was added.
  DynamicModule& link(const CompileOptions& options = {});

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace kiln
