// kiln preprocess: a source with its macros and includes expanded.
#include "commands.hpp"
#include "output_file.hpp"
#include "source_file.hpp"

#include <kiln/compile.hpp>

#include <filesystem>

namespace kiln::tool {

int preprocess_command(const PreprocessArguments& arguments) {
  const std::string source = read_input(arguments.file);
  std::vector<std::string> options = arguments.options.options;
  for (const auto& folder : arguments.options.include_dirs) options.push_back("-I" + folder.string());
  for (const Define& define : arguments.options.defines) options.push_back("-D" + define.name + "=" + define.value);
  // The compiler is given a text: it does not know where quoted includes are to be looked for first.
  if (arguments.file != "-") options.push_back("-I" + std::filesystem::absolute(arguments.file).parent_path().string());
  write_output("-", preprocess_source(source, options, arguments.options.nvcc.path));
  return success;
}

}  // namespace kiln::tool
