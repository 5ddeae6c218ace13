// The commands of the command line, each apart from how its arguments are read.
#pragma once

#include <kiln/compile_options.hpp>

#include <string>

namespace kiln::tool {

/// What scripts rely on.
enum Status { success = 0, failed = 1, usage = 2, missing_component = 3 };

struct CompileRequest {
  /// A path, or "-" for standard input.
  std::string file;
  /// A path, "-" for standard output, or empty for the input's name beside its new extension in the working folder.
  std::string output;
  CompileOptions options;
};

// Each throws kiln::Error where it cannot do its work.
int compile_command(CompileRequest request);
int doctor_command();
int cache_path_command();
int cache_stats_command(bool json);
int cache_clear_command();

}  // namespace kiln::tool
