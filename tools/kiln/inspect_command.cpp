// kiln inspect: the kernels, variables and figures of compiled code.
#include "code_report.hpp"
#include "commands.hpp"
#include "output_file.hpp"
#include "source_file.hpp"

#include <filesystem>

namespace kiln::tool {

namespace {

/// By its name, because a source may quote PTX; without a name by what it is not.
bool is_source(const std::string& file, std::string_view bytes) {
  if (file != "-") return std::filesystem::path(file).extension() == ".cu";
  return code_kind(bytes) == CodeKind::unknown && !bytes.empty() && bytes.find('\0') == std::string_view::npos;
}

CodeReport compile_and_read(const std::string& source, const InspectArguments& arguments) {
  const CodeObject code = compile_file(source, arguments.file, arguments.options);
  print_log(code);
  return read_code(code.bytes(), arguments.file);
}

}  // namespace

int inspect_command(const InspectArguments& arguments) {
  const std::string bytes = read_input(arguments.file);
  const std::string what = arguments.file == "-" ? "standard input" : arguments.file;
  CodeReport report;
  if (is_source(arguments.file, bytes)) {
    report = compile_and_read(bytes, arguments);
  } else {
    report = read_code(bytes, what);
    if (!arguments.options.arch.empty()) keep_arch(report, arguments.options.arch);
  }
  report.file = what;
  if (arguments.json)
    print_json(report_json(report));
  else
    print(report_text(report));
  return success;
}

}  // namespace kiln::tool
