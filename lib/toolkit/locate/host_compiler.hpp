// The host compiler that nvcc runs. No process is started here.
#pragma once

#include <string>
#include <vector>

namespace kiln {

/// What decides which one it is.
struct HostCompilerSearch {
  std::string wanted;  // of the last -ccbin, else NVCC_CCBIN: a folder, a file, a name; empty: gcc
  std::string path;    // PATH
};

/// Options as nvcc spells them, and this process's environment.
HostCompilerSearch host_compiler_search(const std::vector<std::string>& options);

/// The compiler's file, links resolved, after the compiler caches that stand before it on PATH; and for GCC its
/// cc1plus. Empty where there is none.
std::vector<std::string> host_compiler_files(const HostCompilerSearch& search);

/// Whether it is Clang, by its file's name.
bool is_clang(const std::vector<std::string>& host_compiler_files);

}  // namespace kiln
