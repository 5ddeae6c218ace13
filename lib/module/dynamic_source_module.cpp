#include <kiln/dynamic_source_module.hpp>

#include "module/named_source.hpp"

namespace kiln {

namespace {

/// The linked code is kept where the source's is.
LinkOptions link_options(const CompileOptions& options) {
  return {.name = options.name, .cache = options.cache && !options.keep, .caching = options.caching};
}

}  // namespace

DynamicSourceModule::DynamicSourceModule(std::string_view source, const CompileOptions& options)
    : DynamicModule(link_options(options)) {
  add_source(source, options).add_stdlib("cudadevrt").link();
}

DynamicSourceModule DynamicSourceModule::from_file(const std::filesystem::path& path, const CompileOptions& options) {
  const NamedSource file = read_source(path, options, "DynamicSourceModule::from_file");
  return DynamicSourceModule(file.text, file.options);
}

}  // namespace kiln
