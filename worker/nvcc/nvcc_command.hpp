// nvcc's arguments for a job, and the files that its working folder must hold for it.
#pragma once

#include "compile/compiler/compiler_job.hpp"

#include <map>
#include <string>
#include <vector>

namespace kiln {

struct NvccCommand {
  std::vector<std::string> words;            // [0] is nvcc; names are relative to the working folder
  std::map<std::string, std::string> files;  // names in the working folder, and texts
  std::string output;                        // the name of the file that nvcc makes
  bool keeps_intermediate = false;           // in the folder of that name
};

/// The folder of nvcc's intermediate files, the one of in-memory headers, and the source, which is alone in its folder
/// so that no quoted include finds anything beside it.
extern const char* const intermediate_folder;
extern const char* const memory_folder;
extern const char* const nvcc_source;

/// Relative paths among the job's arguments count from `working_folder`. Throws ArgumentError for an in-memory header
/// whose name is no name of a file, CompileError for what nvcc cannot do.
NvccCommand nvcc_command(const std::string& nvcc, const CompilerJob& job, const std::string& working_folder);

}  // namespace kiln
