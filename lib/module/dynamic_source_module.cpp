#include <kiln/dynamic_source_module.hpp>

#include "module/named_source.hpp"

namespace kiln {

namespace {

/// The linked code is kept where the source's is.
LinkOptions link_options(const CompileOptions& options) {
  LinkOptions link;
  link.name = options.name;
  link.cache_dir = options.cache_dir;
  link.cache = options.cache && !options.keep;
  link.read_only_cache_dirs = options.read_only_cache_dirs;
  link.trusted_owners = options.trusted_owners;
  return link;
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
