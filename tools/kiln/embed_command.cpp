// kiln embed: a source, its own headers and code for some architectures as a C++ file.
#include "base/argument_error.hpp"
#include "base/escaped_text.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/passkey.hpp"
#include "base/path_text.hpp"
#include "commands.hpp"
#include "compile/code/code_data.hpp"
#include "compile/headers/called_headers.hpp"
#include "compile/options/arch.hpp"
#include "compile/options/target_name.hpp"
#include "compile/saved_code.hpp"
#include "output_file.hpp"
#include "source_file.hpp"
#include "toolkit/locate/toolkit.hpp"

#include <kiln/compile_all.hpp>
#include <kiln/compile_options.hpp>
#include <kiln/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace kiln::tool {

namespace {

struct OwnHeaders {
  CompileOptions options;          // with the headers in memory, and without include folders
  std::vector<std::string> files;  // where their texts are from
};

[[noreturn]] void throw_two_texts(const std::string& name, const std::string& one, const std::string& other) {
  throw Error("\"" + name + "\" is in " + one + " and, with another text, in " + other +
              ": which of them an include means would hang on where it stands. Rename one, or give fewer folders");
}

namespace fs = std::filesystem;

bool are_same(const fs::path& one, const fs::path& other) {
  std::error_code none;
  return fs::equivalent(one, other, none);
}

std::vector<std::string> own_folders(const std::string& file, const CompileOptions& options) {
  const fs::path beside = fs::absolute(file).parent_path();
  std::vector<std::string> folders = {beside.string()};
  const std::vector<std::string>& toolkit = current_toolkit().include_dirs;
  for (const fs::path& folder : options.include_dirs) {
    const auto is_it = [&folder](const std::string& other) { return are_same(folder, other); };
    if (std::none_of(toolkit.begin(), toolkit.end(), is_it) && !is_it(folders.front()))
      folders.push_back(fs::absolute(folder).string());
  }
  return folders;
}

class Search {
 public:
  explicit Search(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  std::optional<std::string> text_of(const std::string& name) {
    if (is_absolute(name) && is_regular_file(name))
      throw Error("\"" + name +
                  "\" is included by its absolute path, which is another machine's elsewhere: name it by " +
                  "a folder that -I gives");
    std::optional<std::string> text;
    std::string found;
    for (const std::string& folder : folders_) {
      const std::string path = joined(folder, name);
      if (is_absolute(name) || !is_regular_file(path)) continue;
      const std::string other = read_named_file(path);
      if (text && other != *text) throw_two_texts(name, found, path);
      if (text) continue;
      text = other;
      found = path;
    }
    if (text) files_.push_back(found);
    return text;
  }

  std::vector<std::string> files() const { return files_; }

 private:
  std::vector<std::string> folders_;
  std::vector<std::string> files_;
};

/// The headers that the source includes, and those that they include, also where a condition leaves the line out:
/// beside `file`, and in options.include_dirs, but for the toolkit's own folders. What a macro names is left out, which
/// the compiler then misses. Throws Error for a name that two of these folders have with different texts, as it would
/// hang on the include which is meant, and for an absolute one.
OwnHeaders with_own_headers(std::string_view source, const std::string& file, const CompileOptions& options) {
  Search search(own_folders(file, options));
  CompileOptions called = options;
  called.header_callback = [&search](const std::string& name) { return search.text_of(name); };
  OwnHeaders own{with_called_headers(source, called).value_or(options), {}};
  own.options.include_dirs.clear();
  own.files = search.files();
  return own;
}

struct EmbeddedContent {
  std::string name;                                        // what kiln::embedded finds it by
  std::string request;                                     // bytes
  std::vector<std::pair<std::string, std::string>> codes;  // architecture, bytes
};

/// Letters and digits stay; equal only for equal names.
std::string symbol_of(std::string_view name) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string symbol;
  for (const char character : name) {
    const auto byte = static_cast<unsigned char>(character);
    const bool is_plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    if (is_plain)
      symbol += character;
    else
      symbol.append(1, '_').append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
  }
  return symbol;
}

/// Literals that stand behind each other are one.
std::string literals(std::string_view bytes) {
  constexpr std::size_t line_length = 110;
  std::string text = "\n    \"";
  std::size_t line = 0;
  for (const char character : bytes) {
    const auto byte = static_cast<unsigned char>(character);
    if (line >= line_length) {
      text += "\"\n    \"";
      line = 0;
    }
    const std::size_t before = text.size();
    if (byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\' && byte != '?') {
      text += character;
    } else {
      text += '\\';
      for (const int shift : {6, 3, 0}) text += static_cast<char>('0' + ((byte >> shift) & 7));
    }
    line += text.size() - before;
  }
  return text + "\"";
}

std::string array(const std::string& symbol, std::string_view bytes) {
  return "constexpr char " + symbol + "[] =" + literals(bytes) + ";\n";
}

std::string length(const std::string& symbol) { return "{" + symbol + ", sizeof " + symbol + " - 1}"; }

/// C++17 that includes one header of Kiln's. Its symbols are made of the name, so that a name that stands twice in one
/// program is an error of the linker, and of `anchor`, unless that is empty: by it a linker is told to take the file
/// out of a static library.
std::string embedded_text(const EmbeddedContent& content, const std::string& anchor) {
  const std::string name = symbol_of(content.name);
  const std::string file = "kiln_embedded_" + name;
  std::string text = "// " + line_name(content.name) +
                     " and the code that the build made of it, for kiln::embedded. Written by `kiln embed`.\n"
                     "#include <kiln/detail/embedded_file.hpp>\n\nnamespace {\n\n" +
                     array(file + "_request", content.request);
  std::string codes;
  for (const auto& [arch, code] : content.codes) {
    const std::string symbol = std::string(file).append("_").append(arch);
    text += array(symbol, code);
    codes.append("    {\"").append(arch).append("\", ").append(length(symbol)).append("},\n");
  }
  text += "constexpr kiln::detail::EmbeddedCode " + file + "_codes[] = {\n" + codes + "};\n\n}  // namespace\n\n";
  text += "extern \"C\" {\n";
  const std::string hidden = "extern __attribute__((visibility(\"hidden\"))) const ";
  text += hidden + "kiln::detail::EmbeddedFile " + file + ";\nconst kiln::detail::EmbeddedFile " + file + " = {" +
          line_name(content.name) + ", " + length(file + "_request") + ", " + file + "_codes, " +
          std::to_string(content.codes.size()) + "};\n";
  if (!anchor.empty()) {
    const std::string symbol = "kiln_embedded_in_" + anchor;
    text += hidden + "char " + symbol + ";\nconst char " + symbol + " = 0;\n";
  }
  text +=
      "}\n\n#if __has_attribute(retain)\n#define KILN_EMBEDDED_KEPT used, retain\n#else\n"
      "#define KILN_EMBEDDED_KEPT used\n#endif\n"
      "__attribute__((KILN_EMBEDDED_KEPT, section(\"kiln_embedded\"))) static const kiln::detail::EmbeddedFile* "
      "const " +
      file + "_entry = &" + file + ";\n#undef KILN_EMBEDDED_KEPT\n";
  return text;
}

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
      throw_argument_error(std::string("--arch: ") + error.what() +
                               "; 90 is machine code and PTX, 90-real machine code alone, 90-virtual PTX alone",
                           "such as 80, 80-real or 80-virtual", arch);
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
