#include <kiln/source_module.hpp>

#include "compile/options/target_name.hpp"
#include "module/embedded_code.hpp"
#include "module/module_impl.hpp"
#include "module/named_source.hpp"

namespace kiln {

namespace {

std::shared_ptr<Module::Impl> open(std::string_view source, const CompileOptions& options) {
  // One look at the device for both: code and image are for the same one.
  const std::optional<int> device = usable_device();
  return std::make_shared<Module::Impl>(compile_for_device(source, options, device), device);
}

/// The device's code, and later that of other devices: what is embedded for them, else compiled.
std::shared_ptr<Module::Impl> open(const EmbeddedSource& source) {
  const std::optional<int> device = usable_device();
  const Recompile again = [source](const std::string& arch) { return code_of_embedded(source, arch); };
  return std::make_shared<Module::Impl>(again(device ? device_arch(*device) : std::string()), device, again);
}

}  // namespace

SourceModule::SourceModule(const EmbeddedSource& source) : Module(open(source)) {}

SourceModule::SourceModule(std::string_view source, const CompileOptions& options) : Module(open(source, options)) {}

SourceModule SourceModule::from_file(const std::filesystem::path& path, const CompileOptions& options) {
  NamedSource file = read_source(path, options, "SourceModule::from_file");
  if (language_of(path) == Language::nvvm_ir) file.options.language = Language::nvvm_ir;
  return SourceModule(file.text, file.options);
}

}  // namespace kiln
