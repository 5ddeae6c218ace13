// The commands of the command line, each apart from how its arguments are read.
#pragma once

#include <kiln/compile_options.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

struct CompileManyRequest {
  std::vector<std::string> files;  // paths
  std::string folder;              // where to write; empty is the working folder
  unsigned jobs = 0;               // 0: as many as compile_all takes
  CompileOptions options;
};

struct InspectRequest {
  /// A path, or "-" for standard input.
  std::string file;
  bool json = false;
  /// For a source; of compiled code only the arch counts, and picks the images.
  CompileOptions options;
};

struct PreprocessRequest {
  /// A path, or "-" for standard input.
  std::string file;
  /// For nvcc, in order.
  std::vector<std::string> options;
  /// A path, a name for PATH, or empty for the toolkit's.
  std::string nvcc;
};

// Each throws kiln::Error where it cannot do its work.
int compile_command(const CompileRequest& request);
int compile_many_command(const CompileManyRequest& request);
int inspect_command(const InspectRequest& request);
int preprocess_command(const PreprocessRequest& request);
int doctor_command();
int cache_path_command();
int cache_stats_command(bool json);
int cache_list_command(bool json);
int cache_verify_command();
int cache_prune_command(const std::optional<std::uint64_t>& max_bytes);
int cache_clear_command();
int cache_export_command(const std::string& file);
int cache_import_command(const std::string& file);

}  // namespace kiln::tool
