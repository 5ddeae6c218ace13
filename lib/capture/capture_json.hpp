// capture.json: its version, what a capture's other files are, and how the kernel was launched.
#pragma once

#include "capture/captured_arguments.hpp"
#include "capture/captured_kernel.hpp"

#include <string>
#include <vector>

namespace kiln {

/// A file of a memory's content. Names are within the capture's folder.
struct MemoryFile {
  std::string before;
  std::string after;  // empty where the launch changed nothing
};

/// What one launch's capture consists of.
struct CaptureParts {
  const CapturedKernel& kernel;
  const LaunchConfig& config;
  const CapturedArguments& arguments;
  std::vector<MemoryFile> memories = {};       // as arguments.memories
  std::vector<ModuleVariable> variables = {};  // with a file each:
  std::vector<std::string> variable_files = {};
  std::string code_file = {};
  std::string fault = {};  // empty where the launch came to its end: then the results are there
};

std::string capture_json(const CaptureParts& parts);

/// The type of the file's elements.
const ElementType& element_of(const CapturedMemory& memory);

/// Of capture.json; docs/tuning.md has the form. Readers refuse newer ones.
inline constexpr int capture_version = 1;

inline constexpr const char* capture_file = "capture.json";

}  // namespace kiln
