// Source text out of a file, for the modules' from_file.
#pragma once

#include <kiln/compile_options.hpp>

#include <filesystem>
#include <string>

namespace kiln {

struct NamedSource {
  std::string text;
  CompileOptions options;  // that name the source after the file
};

/// Throws Error where it cannot be read, ArgumentError that names `function` for options with a name of their own.
NamedSource read_source(const std::filesystem::path& path, const CompileOptions& options, const std::string& function);

}  // namespace kiln
