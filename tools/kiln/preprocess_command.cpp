// kiln preprocess: a source with its macros and includes expanded.
#include "commands.hpp"
#include "output_file.hpp"
#include "source_file.hpp"

#include <kiln/compile.hpp>

#include <filesystem>

namespace kiln::tool {

int preprocess_command(const PreprocessRequest& request) {
  const std::string source = read_input(request.file);
  std::vector<std::string> options = request.options;
  // The compiler is given a text: it does not know where quoted includes are to be looked for first.
  if (request.file != "-") options.push_back("-I" + std::filesystem::absolute(request.file).parent_path().string());
  write_output("-", preprocess_source(source, options, request.nvcc));
  return success;
}

}  // namespace kiln::tool
