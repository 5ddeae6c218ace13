#include "compile/nvvm/nvvm_options.hpp"

#include "base/argument_error.hpp"
#include "base/text_parts.hpp"
#include "compile/options/target_name.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace kiln {

namespace {

/// An option that is refused: all of it, or with an '=' or a value behind it where `begins`.
struct Replaced {
  std::string_view name;
  bool begins;
  std::string_view advice;
};

constexpr std::string_view use_opt = "libnvvm's spelling is -opt=3, which is the default, or -opt=0";
constexpr std::string_view use_target =
    "there is no option for the output: CompileOptions::target says what is made (cubin, ptx or ltoir), and "
    "CodeObject::bytes() is it";
constexpr std::string_view by_linker =
    "it is about the way from PTX to machine code: compile to target ptx or ltoir, and give that to kiln::Linker, "
    "whose LinkOptions have max_registers and ptxas_options";
constexpr std::string_view no_preprocessor =
    "LLVM IR knows no macros, headers or language standards: take the option out";
constexpr std::string_view use_metadata =
    "libnvvm makes line information where the IR has debug metadata, and has no option for it: take the option out";
constexpr std::string_view use_g = "libnvvm's spelling is -g, together with -opt=0, and the IR needs debug metadata";

// -optimize and -o= are those of the cuda-python documentation's sample.
constexpr std::array replaced{
    Replaced{"-optimize", true, use_opt},
    Replaced{"--optimize", true, use_opt},
    Replaced{"-O", true, use_opt},
    Replaced{"-o", true, use_target},
    Replaced{"--output-file", true, use_target},
    Replaced{"-target", true, use_target},
    Replaced{"-gen-lto", false, use_target},
    Replaced{"--gen-lto", false, use_target},
    Replaced{"-dlto", false, use_target},
    Replaced{"--dlink-time-opt", false, use_target},
    Replaced{"-ltoir", false, use_target},
    Replaced{"-ptx", false, use_target},
    Replaced{"--ptx", false, use_target},
    Replaced{"-cubin", false, use_target},
    Replaced{"--cubin", false, use_target},
    Replaced{"-maxrregcount", true, by_linker},
    Replaced{"--maxrregcount", true, by_linker},
    Replaced{"-Xptxas", true, by_linker},
    Replaced{"--ptxas-options", true, by_linker},
    Replaced{"-D", true, no_preprocessor},
    Replaced{"--define-macro", true, no_preprocessor},
    Replaced{"-U", true, no_preprocessor},
    Replaced{"-I", true, no_preprocessor},
    Replaced{"--include-path", true, no_preprocessor},
    Replaced{"-std", true, no_preprocessor},
    Replaced{"--std", true, no_preprocessor},
    Replaced{"-lineinfo", false, use_metadata},
    Replaced{"--generate-line-info", false, use_metadata},
    Replaced{"-G", false, use_g},
    Replaced{"--device-debug", false, use_g},
};

void refuse_replaced(std::string_view option) {
  // libnvvm's own that begin like one of these.
  for (const std::string_view own : {"-opt=", "-Ofast-compile"})
    if (option.substr(0, own.size()) == own || option == "-opt") return;
  for (const Replaced& one : replaced)
    if (one.begins ? option.substr(0, one.name.size()) == one.name : option == one.name)
      throw_argument_error("the option " + std::string(option) + " is not for NVVM IR: " + std::string(one.advice),
                           std::string(one.advice), std::string(option));
}

/// An option with a value, in all spellings that it has.
struct Renamed {
  std::string_view spelling;
  std::string_view name;
};
constexpr std::array renamed{
    Renamed{"-ftz", "-ftz"},
    Renamed{"--ftz", "-ftz"},
    Renamed{"-fma", "-fma"},
    Renamed{"-fmad", "-fma"},
    Renamed{"--fmad", "-fma"},
    Renamed{"-prec-div", "-prec-div"},
    Renamed{"--prec-div", "-prec-div"},
    Renamed{"-prec-sqrt", "-prec-sqrt"},
    Renamed{"--prec-sqrt", "-prec-sqrt"},
    Renamed{"--jump-table-density", "-jump-table-density"},
    Renamed{"-jtd", "-jump-table-density"},
};

std::string translated(const std::string& option) {
  const std::size_t equals = option.find('=');
  if (equals == std::string::npos) return option;
  const std::string_view name = std::string_view(option).substr(0, equals);
  const auto found =
      std::find_if(renamed.begin(), renamed.end(), [&](const Renamed& one) { return one.spelling == name; });
  if (found == renamed.end()) return option;
  std::string value = option.substr(equals + 1);
  if (value == "true") value = "1";
  if (value == "false") value = "0";
  return std::string(found->name) + "=" + value;
}

std::string_view name_of(std::string_view option) { return option.substr(0, option.find('=')); }

/// Instead of one of that name, if there is one.
void put(std::vector<std::string>& arguments, std::string option) {
  const auto same = [&](const std::string& one) { return name_of(one) == name_of(option); };
  arguments.erase(std::remove_if(arguments.begin(), arguments.end(), same), arguments.end());
  arguments.push_back(std::move(option));
}

/// "sm_90" of "-arch=sm_90" and its like; the words it takes up are counted.
std::optional<std::string> arch_at(const std::vector<std::string>& options, std::size_t& at) {
  for (const std::string_view name : {"-arch", "--gpu-architecture"}) {
    const std::string& option = options[at];
    if (option.substr(0, name.size()) != name) continue;
    if (option.size() > name.size() && option[name.size()] == '=') return option.substr(name.size() + 1);
    if (option == name && at + 1 < options.size()) return options[++at];
  }
  return std::nullopt;
}

[[noreturn]] void refuse_member(const std::string& member, const std::string& why) {
  throw_argument_error("CompileOptions::" + member + " says nothing about NVVM IR: " + why, "no " + member, member);
}

void require_libnvvm(const CompileOptions& options) {
  if (options.backend != Backend::automatic && options.backend != Backend::nvvm)
    refuse_member("backend", "libnvvm alone compiles it, and backend is " + backend_name(options.backend) +
                                 "; leave it automatic");
  if (options.target == Target::fatbin || options.target == Target::optixir)
    throw_argument_error("target " + target_name(options.target) +
                             ": libnvvm makes PTX and LTO-IR, and Kiln a cubin of these; choose cubin, ptx or ltoir",
                         "cubin, ptx or ltoir", target_name(options.target));
}

}  // namespace

NvvmOptions read_nvvm_options(const std::vector<std::string>& options) {
  NvvmOptions result;
  for (std::size_t at = 0; at < options.size(); ++at) {
    if (auto arch = arch_at(options, at)) {
      result.arch = *std::move(arch);
      continue;
    }
    const std::string option(trimmed(options[at]));
    refuse_replaced(option);
    if (option == "-use_fast_math" || option == "--use_fast_math") {
      for (const char* one : {"-ftz=1", "-prec-div=0", "-prec-sqrt=0", "-fma=1"}) put(result.arguments, one);
    } else if (!option.empty()) {
      put(result.arguments, translated(option));
    }
  }
  std::sort(result.arguments.begin(), result.arguments.end());
  return result;
}

void require_sense_for_ir(const CompileOptions& options) {
  require_libnvvm(options);
  if (!options.include_dirs.empty()) refuse_member("include_dirs", "it includes nothing");
  if (!options.defines.empty()) refuse_member("defines", "it has no macros");
  if (!options.headers.empty())
    refuse_member("headers", "it includes nothing; several modules are compiled together by kiln::nvvm::Program");
  if (!options.name_expressions.empty())
    refuse_member("name_expressions", "it has no templates; get_function takes a kernel's name as the IR has it");
  if (options.no_extern_c) refuse_member("no_extern_c", "its names are what they are");
  if (!options.nvcc.code.empty()) refuse_member("nvcc.code", "it is compiled for one architecture, which arch names");
  if (!options.nvcc.path.empty()) refuse_member("nvcc.path", "nvcc takes no LLVM IR");
  if (options.keep) refuse_member("keep", "there is no working folder; what lies between, PTX, is had by target ptx");
}

}  // namespace kiln
