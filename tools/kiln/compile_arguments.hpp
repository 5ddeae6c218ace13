// How a source text is to be compiled, as the command line says it: for each command that takes one.
#pragma once

#include "commands.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kiln::tool {

/// What every command that takes a source text understands.
struct SourceArguments {
  std::string file;
  std::vector<std::string> include_dirs;
  std::vector<std::string> defines;
  std::vector<std::string> options;

  /// As compile options, which hold nothing else.
  CompileOptions take() const;
};

/// FILE, whose help is `file_help`, and -I, -D and --option.
void add_source_arguments(CLI::App& command, SourceArguments& arguments, const std::string& file_help);

/// The arguments of `kiln compile`.
struct CompileArguments {
  SourceArguments source;
  std::string output;
  std::string arch;
  std::string target = "cubin";
  std::string code;
  std::string backend = "auto";
  std::string nvcc;
  double timeout = 0;  // seconds
  bool keep = false;
  std::vector<std::string> name_expressions;
  bool no_cache = false;
  bool explain = false;
  std::vector<std::string> more_files;
  unsigned jobs = 0;

  CompileRequest take() const;
  /// Whether take_many() is meant.
  bool are_many() const { return jobs != 0 || !more_files.empty(); }
  CompileManyRequest take_many() const;
};

/// The arguments of `kiln inspect`.
struct InspectArguments {
  SourceArguments source;
  std::string arch;
  bool json = false;

  InspectRequest take() const;
};

/// The arguments of `kiln preprocess`.
struct PreprocessArguments {
  SourceArguments source;
  std::string nvcc;

  PreprocessRequest take() const;
};

// Each adds its command.
void add_compile(CLI::App& app, CompileArguments& arguments);
void add_inspect(CLI::App& app, InspectArguments& arguments);
void add_preprocess(CLI::App& app, PreprocessArguments& arguments);

}  // namespace kiln::tool
