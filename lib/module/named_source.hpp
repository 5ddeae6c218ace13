// Source text out of a file, for the modules' from_file.
#pragma once

#include "base/argument_error.hpp"
#include "base/files.hpp"

#include <kiln/compile_options.hpp>

#include <filesystem>
#include <string>

namespace kiln {

struct NamedSource {
  std::string text;
  CompileOptions options;  // that name the source after the file
};

/// Throws Error where it cannot be read, ArgumentError that names `function` for options with a name of their own.
inline NamedSource read_source(const std::filesystem::path& path, const CompileOptions& options,
                               const std::string& function) {
  if (!options.name.empty())
    throw_argument_error(function + " names the source after the file; CompileOptions::name must be empty",
                         "an empty name", options.name);
  return {read_named_file(path.string()), options.with_name(std::filesystem::absolute(path).string())};
}

}  // namespace kiln
