#include <kiln/source_module.hpp>

#include "base/argument_error.hpp"
#include "base/files.hpp"
#include "module/module_impl.hpp"

namespace kiln {

namespace {

std::shared_ptr<Module::Impl> open(std::string_view source, const CompileOptions& options) {
  // One look at the device for both: code and image are for the same one.
  const std::optional<int> device = usable_device();
  return std::make_shared<Module::Impl>(compile_for_device(source, options, device), device);
}

}  // namespace

SourceModule::SourceModule(std::string_view source, const CompileOptions& options) : Module(open(source, options)) {}

SourceModule SourceModule::from_file(const std::filesystem::path& path, const CompileOptions& options) {
  if (!options.name.empty())
    throw_argument_error("SourceModule::from_file names the source after the file; CompileOptions::name must be empty",
                         "an empty name", options.name);
  return SourceModule(read_named_file(path.string()), options.with_name(std::filesystem::absolute(path).string()));
}

}  // namespace kiln
