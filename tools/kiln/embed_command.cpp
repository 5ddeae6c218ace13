// kiln embed: a source, its own headers and code for some architectures as a C++ file.
#include "base/argument_error.hpp"
#include "base/log.hpp"
#include "base/passkey.hpp"
#include "commands.hpp"
#include "compile/code/code_data.hpp"
#include "compile/options/arch.hpp"
#include "compile/options/target_name.hpp"
#include "compile/saved_code.hpp"
#include "embedded_text.hpp"
#include "output_file.hpp"
#include "own_headers.hpp"
#include "source_file.hpp"

#include <kiln/compile_all.hpp>
#include <kiln/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln::tool {

namespace {

namespace fs = std::filesystem;

/// "80" is both, as CMake's CUDA_ARCHITECTURES has it: machine code, and PTX for newer devices.
struct EmbeddedArch {
  Arch arch;
  bool machine_code = true;
  bool ptx = true;
};

EmbeddedArch embedded_arch(std::string text) {
  const auto takes_off = [&text](std::string_view end) {
    if (!std::string_view(text).ends_with(end)) return false;
    text.resize(text.size() - end.size());
    return true;
  };
  EmbeddedArch wanted;
  if (takes_off("-real")) wanted.ptx = false;
  if (takes_off("-virtual")) wanted.machine_code = false;
  wanted.arch = asked_arch(text);
  if (!wanted.arch.real) wanted.machine_code = false;
  return wanted;
}

/// Folders that stand among the options would be this machine's.
void refuse_folders(const std::vector<std::string>& options) {
  for (const std::string& option : options)
    for (const std::string_view name : {"-I", "--include-path", "-isystem", "--system-include", "-include",
                                        "--pre-include", "--options-file", "-optf"})
      if (option.starts_with(name))
        throw_argument_error("--option " + option + ": what it names is not embedded; give folders of headers by -I",
                             "-I", option);
}

std::vector<CompileRequest> requests_of(const std::string& source, const CompileOptions& options,
                                        const std::vector<EmbeddedArch>& archs) {
  std::vector<CompileRequest> requests;
  for (EmbeddedArch wanted : archs) {
    CompileOptions one = options;
    wanted.arch.real = wanted.machine_code;
    one.arch = wanted.arch.text();
    one.target = wanted.machine_code ? Target::cubin : Target::ptx;
    one.keep_ptx = wanted.machine_code && wanted.ptx;
    requests.push_back({source, std::move(one)});
  }
  return requests;
}

std::string saved(std::string_view bytes, const CodeObject& code, Target target, const std::string& arch) {
  CodeData data;
  data.own(std::string(bytes));
  data.target = target;
  data.arch = arch;
  data.backend = code.backend();
  data.log = code.log();
  data.name = code.name();
  data.lowered_names = code.data()->lowered_names;
  data.parameter_kinds = code.data()->parameter_kinds;
  return CodeObject(passkey, std::shared_ptr<const CodeData>(&data, [](const CodeData*) {}), false).serialize();
}

/// Once for each architecture: "80,compute_80" asks for its PTX twice.
void add(EmbeddedContent& content, const std::string& arch, const CodeObject& code, Target target) {
  for (const auto& known : content.codes)
    if (known.first == arch) return;
  const std::string_view bytes = target == code.target() ? code.bytes() : code.ptx();
  content.codes.emplace_back(arch, saved(bytes, code, target, arch));
}

void add_code(EmbeddedContent& content, const CodeObject& code) {
  add(content, code.arch(), code, code.target());
  if (code.data()->ptx) add(content, "compute_" + code.arch().substr(code.arch().find('_') + 1), code, Target::ptx);
}

[[noreturn]] void throw_failure(const CompileError& error) {
  if (std::string_view(error.what()).find("open source file") == std::string_view::npos) throw;
  throw CompileError(
      std::string(error.what()) +
          "\nOwn headers are embedded where an include names them in plain text, beside the source or below a folder "
          "that -I gives; what a macro names is not",
      error.log(), error.options());
}

std::string escaped_path(const std::string& path) {
  std::string text;
  for (const char character : path) {
    if (character == ' ' || character == '#' || character == '\\') text += '\\';
    if (character == '$') text += '$';
    text += character;
  }
  return text;
}

/// As compilers' -MD writes them.
std::string dependency_text(const std::string& output, const std::vector<std::string>& files) {
  std::string text = escaped_path(output) + ":";
  for (const std::string& file : files) text += " \\\n  " + escaped_path(file);
  return text + "\n";
}

}  // namespace

int embed_command(const EmbedArguments& arguments) {
  refuse_folders(arguments.options.options);
  std::vector<EmbeddedArch> archs;
  for (const std::string& arch : arguments.archs) {
    try {
      archs.push_back(embedded_arch(arch));
    } catch (const ArgumentError& error) {
      throw_argument_error(std::string("--arch: ") + error.what(), "such as 80, 80-real or 80-virtual", arch);
    }
  }
  const std::string source = read_source(arguments.file);
  const std::string output = fs::absolute(arguments.output).string();
  const std::string depfile = arguments.depfile.empty() ? "" : fs::absolute(arguments.depfile).string();
  std::vector<std::string> files = {fs::absolute(arguments.file).string()};

  CompileOptions options = arguments.options;
  options.name = arguments.name.empty() ? fs::path(arguments.file).filename().string() : arguments.name;
  options.language = language_of(arguments.file);
  OwnHeaders own = with_own_headers(source, arguments.file, options);
  files.insert(files.end(), own.files.begin(), own.files.end());

  EmbeddedContent content{options.name, save_recipe({source, own.options}), {}};
  own.options.cache = false;
  // What lies in the folder of the build must not be found by chance, as it would be missing elsewhere.
  if (::chdir("/") != 0) throw Error("cannot go to /");
  for (const CompileResult& result : compile_all(requests_of(source, own.options, archs))) {
    try {
      print_log(result.get());
      add_code(content, result.get());
    } catch (const CompileError& error) {
      throw_failure(error);
    }
  }
  write_output(output, embedded_text(content, arguments.anchor));
  if (!depfile.empty()) write_output(depfile, dependency_text(arguments.output, files));
  return success;
}

}  // namespace kiln::tool
