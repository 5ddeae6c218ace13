// The commands of the command line, each apart from how its arguments are read.
#pragma once

#include <kiln/cache.hpp>
#include <kiln/compile_options.hpp>
#include <kiln/dim3.hpp>
#include <kiln/tune_options.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiln::tool {

/// What scripts rely on.
enum Status { success = 0, failed = 1, usage = 2, missing_component = 3 };

struct CompileArguments {
  /// Paths; "-" is standard input.
  std::vector<std::string> files;
  /// A path, "-" for standard output, or empty for the input's name beside its new extension in the working folder. A
  /// folder for several files.
  std::string output;
  unsigned jobs = 0;  // 0: as many as compile_all takes
  bool explain = false;
  CompileOptions options;
};

struct InspectArguments {
  /// A path, or "-" for standard input.
  std::string file;
  bool json = false;
  /// For a source; of compiled code only the arch counts, and picks the images.
  CompileOptions options;
};

struct PreprocessArguments {
  /// A path, or "-" for standard input.
  std::string file;
  /// Only nvcc.path, options, include_dirs and defines.
  CompileOptions options;
};

struct EmbedArguments {
  std::string file;                // a path
  std::string output;              // the C++ file
  std::string depfile;             // what it depends on, for the build system; empty for none
  std::string name;                // for kiln::embedded; empty: the file's without its folder
  std::string anchor;              // as embedded_text has it
  std::vector<std::string> archs;  // "80", "80-real", "80-virtual"
  CompileOptions options;
};

struct RunArguments {
  /// A path, "-" for a source from standard input, or the folder of a capture, which has all that is unset below.
  std::string file;
  std::string kernel;
  std::vector<std::string> arguments;  // as they are written
  std::optional<Dim3> grid;
  std::optional<Dim3> block;
  std::optional<std::size_t> shared_size;
  std::uint64_t seed = 0;
  std::vector<std::size_t> print;
  std::vector<std::string> save;    // a path, or INDEX=PATH
  std::vector<std::string> expect;  // likewise
  double tolerance = 1e-5;
  bool time = false;
  bool bench = false;
  double bytes = 0;  // that a launch moves
  double flops = 0;  // that a launch does
  bool json = false;
  bool emulator = false;
  std::string checks;   // as KILN_EMULATOR_CHECK has them
  std::string profile;  // as KILN_EMULATOR_PROFILE has it
  /// For a source.
  CompileOptions options;
};

/// A parameter of `kiln tune`: --param NAME=64,128, or --option-param NAME=,--use_fast_math.
struct TuningParameter {
  std::string name;
  std::vector<std::string> values;  // as they are written
  bool is_option = false;
};

/// `kiln wisdom`: which of its commands, and what it was given.
struct WisdomArguments {
  std::vector<std::string> keys;   // of show, export and best; none: all
  std::vector<std::string> files;  // of import and merge; - is standard input
  std::string device;              // of best; empty: the current one
  std::string arch;                // likewise
  std::vector<unsigned long long> problem;
  bool json = false;
};

struct TuningArguments {
  /// Its grid and block are not used, nor what is about one launch's results.
  RunArguments run;
  std::vector<TuningParameter> parameters;
  std::vector<std::string> restrictions;
  std::vector<std::string> defaults;  // NAME=VALUE
  std::vector<unsigned long long> problem;
  std::vector<std::string> block;  // expressions; up to three
  std::vector<std::string> grid;   // likewise; none: a thread for each element
  std::string shared;              // an expression; none: 0
  std::string key;                 // of wisdom; empty: the kernel's name
  bool keeps_wisdom = true;
  TuneOptions options;
  bool plot = false;
  bool isolated = false;
  std::string kernel_tuner_cache;  // a file; empty: none
};

// Each throws kiln::Error where it cannot do its work.
int compile_command(const CompileArguments& arguments);
int compile_many_command(const CompileArguments& arguments);
int inspect_command(const InspectArguments& arguments);
int preprocess_command(const PreprocessArguments& arguments);
int doctor_command();
int embed_command(const EmbedArguments& arguments);
int run_command(const RunArguments& arguments);
int tune_command(const TuningArguments& arguments);

/// What `kiln trace` was told.
struct TraceArguments {
  std::vector<std::string> command;  // the program and its arguments
  std::string output;                // a path, "-" for standard output; empty: no file
  bool launches = true;
};

/// The program's own exit status.
int trace_command(const TraceArguments& arguments);

// Of the folders of KILN_WISDOM_DIR.
int wisdom_list_command(const WisdomArguments& arguments);
int wisdom_show_command(const WisdomArguments& arguments);
int wisdom_best_command(const WisdomArguments& arguments);
int wisdom_export_command(const WisdomArguments& arguments);
int wisdom_import_command(const WisdomArguments& arguments);
int wisdom_merge_command(const WisdomArguments& arguments);
int wisdom_prune_command();

/// What `kiln cache warm` was told.
struct WarmArguments {
  std::string file;
  std::vector<std::string> archs;  // "sm_90"; empty: those that were recorded
  unsigned jobs = 0;               // 0: as many as there are cores
};

int cache_warm_command(const WarmArguments& arguments);
/// Throws Error where there is no folder and none can be made, for which the commands below would show zeros.
void require_cache_folder();
int cache_path_command();
/// Prints the counters, and sets them to zero behind that where `reset` says so.
int cache_stats_command(bool json, bool reset);
int cache_list_command(bool json);
int cache_verify_command();
int cache_prune_command(const std::optional<std::uint64_t>& max_bytes);
int cache_clear_command();
int cache_export_command(const std::string& file, const ExportOptions& options);
int cache_import_command(const std::string& file, const ImportOptions& options);
/// `remote` as KILN_CACHE_REMOTE has it, or empty for that.
int cache_remote_command(const std::string& remote, bool json);
int cache_push_command(const TransferOptions& options);
int cache_pull_command(const TransferOptions& options);
int cache_keygen_command(const std::string& name);
/// `key` is a file, or empty for KILN_CACHE_SIGNING_KEY's.
int cache_sign_command(const std::string& key);

}  // namespace kiln::tool
