// What nvcc is told for a job, and the files that its working folder must hold for it.
#pragma once

#include "compile/compiler_job.hpp"

#include <map>
#include <string>
#include <vector>

namespace kiln {

/// How nvcc is to tell the headers that the compile read.
enum class HeaderList { none, by_host_compiler, by_nvcc };

struct NvccCommand {
  std::vector<std::string> words;            // [0] is nvcc; names are relative to the working folder
  std::map<std::string, std::string> files;  // names in the working folder, and texts
  std::string output;                        // the name of the file that nvcc makes
  std::string dependency_file;               // empty where none is asked for
  bool keeps_intermediate = false;           // in the folder of that name
};

/// The folder of nvcc's intermediate files, the one of in-memory headers, and the source, as nvcc names it: where the
/// working folder is shows in no name, so that two compiles make the same code.
extern const char* const intermediate_folder;
extern const char* const memory_folder;
extern const char* const nvcc_source;

/// Relative paths among the job's arguments count from `working_folder`. Throws ArgumentError for an in-memory header
/// whose name is no name of a file, CompileError for what nvcc cannot do.
NvccCommand nvcc_command(const std::string& nvcc, const CompilerJob& job, const std::string& working_folder,
                         HeaderList header_list);

/// The words as a shell takes them.
std::string shell_text(const std::vector<std::string>& words);

}  // namespace kiln
