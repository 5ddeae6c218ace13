// kiln preprocess: a source with its macros and includes expanded.
#include "commands.hpp"
#include "compile/compiler.hpp"
#include "compile/request/request.hpp"
#include "output_file.hpp"
#include "source_file.hpp"

namespace kiln::tool {

int preprocess_command(const PreprocessArguments& arguments) {
  const std::string source = read_source(arguments.file);
  std::vector<std::string> options = arguments.options.options;
  for (const auto& folder : arguments.options.include_dirs) options.push_back("-I" + folder.string());
  for (const Define& define : arguments.options.defines) options.push_back("-D" + define.name + "=" + define.value);
  const std::string name = arguments.file == "-" ? default_source_name : arguments.file;
  write_output("-", preprocess_named_source(source, name, options, arguments.options.nvcc.path));
  return success;
}

}  // namespace kiln::tool
