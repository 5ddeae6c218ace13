#include "module/named_source.hpp"

#include "base/argument_error.hpp"
#include "base/files.hpp"

namespace kiln {

NamedSource read_source(const std::filesystem::path& path, const CompileOptions& options, const std::string& function) {
  if (!options.name.empty())
    throw_argument_error(function + " names the source after the file; CompileOptions::name must be empty",
                         "an empty name", options.name);
  return {read_named_file(path.string()), options.with_name(std::filesystem::absolute(path).string())};
}

}  // namespace kiln
